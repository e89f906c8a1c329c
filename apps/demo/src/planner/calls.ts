import type { Outcome } from './conversation.ts'
import type { JsonRecord } from './json.ts'

/** A tool call to make. `json` is streamed as it is; `input` is how the call is found again in the next request. */
export interface PlannedCall {
  readonly name: string
  readonly input: JsonRecord
  readonly json: string
}

/** What a part of the plan needs next: more calls, or nothing but words. */
export type Advance =
  | { readonly status: 'calls'; readonly calls: readonly PlannedCall[]; readonly intro: string }
  | { readonly status: 'done'; readonly text: string }

export function toCall(name: string, input: JsonRecord): PlannedCall {
  return { name, input, json: JSON.stringify(input) }
}

export function loadCall(file: string): PlannedCall {
  return toCall('load_table', { file })
}

export function sqlCall(sql: string): PlannedCall {
  return toCall('sql_query', { sql })
}

/** The result of this call, found by the argument that tells its calls apart. */
export function outcomeOf(call: PlannedCall, outcomes: readonly Outcome[]): Outcome | undefined {
  return outcomes.findLast(
    (outcome) => outcome.name === call.name && keyOf(outcome) === keyOf(call),
  )
}

export function keyOf({ name, input }: Pick<PlannedCall, 'name' | 'input'>): string {
  const telling = input['sql'] ?? input['title'] ?? input['file']
  return `${name} ${typeof telling === 'string' ? telling : JSON.stringify(input)}`
}
