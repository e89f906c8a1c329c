import { isObject } from '../internal/json.ts'
import type { QueuedInput } from '../kernel/events.ts'
import { type Part, saysSomething } from '../kernel/message.ts'
import { toParts } from '../tools/content.ts'

/** What a user says: a text, parts, or a message whose content is one of them. */
export type UserInput =
  | string
  | readonly Part[]
  | { readonly role: 'user'; readonly content: string | readonly Part[] }

/** A copy of an input, as parts. Throws a `TypeError` for one that is empty, or no input. */
export function partsOf(input: unknown): QueuedInput {
  const parts = toParts(isObject(input) && input['role'] === 'user' ? input['content'] : input)
  if (saysSomething(parts)) return parts
  throw new TypeError('The prompt is empty. Pass some text, or at least one part.')
}
