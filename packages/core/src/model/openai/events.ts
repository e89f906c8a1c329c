import type { JsonObject } from '../../internal/json.ts'
import { Failed } from '../http/failures.ts'
import { objectsIn, textIn } from '../http/fields.ts'
import { withoutError } from '../http/read-events.ts'

/** The choice that is read: number 0, or the only one of a server that gives no numbers. */
export function firstChoice(event: JsonObject): JsonObject | undefined {
  return objectsIn(event, 'choices').find(({ index }) => !index)
}

/** The event itself. Throws `Failed` if it reports a failure of its own or of its choice. */
export function withoutFailure(event: JsonObject): JsonObject {
  const choice = firstChoice(withoutError(event))
  if (choice && (choice['error'] || failed.test(reasonIn(choice))))
    throw new Failed({ what: 'refused', said: choice })
  return event
}

/** The reason of a choice to finish, or nothing. Some servers say more behind a colon. */
export function reasonIn(choice: JsonObject): string {
  return textIn(choice, 'finish_reason').toLowerCase().replace(/:.*/, '')
}

/** Whether the answer has ended: nothing but its usage may follow. */
export function hasFinished(event: JsonObject, before: unknown): boolean {
  const choice = firstChoice(event) ?? {}
  return reasonIn(choice) !== '' && (!before || saysMore.test(JSON.stringify(choice['delta'])))
}

/** Some servers state the reason with every event, and some repeat it for ever. */
const saysMore = /"(content|reasoning\w*|tool_calls)":(?!""|null|\[])/

/** Reasons to finish that say that the server failed, or that the model wrote calls which the server cannot read. */
const failed = /^(error|abort|insufficient_|function_call_)/
