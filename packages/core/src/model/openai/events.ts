import { isJsonObject, type JsonObject } from '../../internal/json.ts'
import { Failed } from '../http/failures.ts'
import { objectsIn, textIn } from '../http/fields.ts'
import { withoutError } from '../http/read-events.ts'

/** The choice that is read: number 0, or the only one of a server that gives no numbers. */
export function firstChoice(event: JsonObject): JsonObject | undefined {
  return objectsIn(event, 'choices').find(({ index }) => (index ?? 0) === 0)
}

/** The event itself. Throws `Failed` if it reports a failure of its own or of its choice. */
export function withoutFailure(event: JsonObject): JsonObject {
  const choice = firstChoice(withoutError(event))
  if (choice && (choice['error'] || failedReasons.has(textIn(choice, 'finish_reason'))))
    throw new Failed({ what: 'refused', said: choice })
  return event
}

/** Whether the answer has ended: nothing but its usage may follow. */
export function hasFinished(event: JsonObject): boolean {
  return textIn(firstChoice(event) ?? {}, 'finish_reason') !== ''
}

/** Reasons to finish that say that the server failed. */
const failedReasons: ReadonlySet<string> = new Set([
  'error',
  'abort',
  'insufficient_system_resource',
])

/** Makes one event of an answer that came whole, or `null` of anything else. */
export function toEvent(answer: JsonObject): JsonObject | null {
  const { message, finish_reason } = firstChoice(answer) ?? {}
  if (!isJsonObject(message) || typeof finish_reason !== 'string') return null
  return { usage: answer['usage'], choices: [{ delta: message, finish_reason }] }
}
