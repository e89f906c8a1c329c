import type { State } from '../kernel/state.ts'
import { announcedCall, type ToolCall } from '../kernel/tool-call.ts'

const announced = new WeakMap<object, ToolCall>()

/** The calls of the answer that is being written, or whose results are not all written. The same call is the same object. */
export function openCallsOf({ run, batch }: State): readonly ToolCall[] {
  if (batch) return batch.calls
  if (run?.step.kind !== 'asking') return []
  const { id, content } = run.step.message
  return content.flatMap((part) => {
    if (part.type !== 'toolCall') return []
    const call = announced.get(part) ?? announcedCall(part, id)
    announced.set(part, call)
    return [call]
  })
}

/** Whether two lists hold the same things in the same order. */
export function sameItems<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}
