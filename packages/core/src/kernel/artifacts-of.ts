import { isList, isObject } from '../internal/json.ts'
import type { DurableEvent } from './events.ts'

/** The ids of the artifacts that an event names. A stored event may hold anything. */
export function artifactsOf(event: DurableEvent): readonly string[] {
  if (event.type !== 'tool_execution_end' && event.type !== 'tool_result_staged') return []
  const { artifacts }: { readonly artifacts?: unknown } = event.result
  const list = isList(artifacts) ? artifacts : []
  return list.flatMap((one) => {
    const id = isObject(one) ? one['artifactId'] : undefined
    return typeof id === 'string' ? [id] : []
  })
}
