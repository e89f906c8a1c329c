import type { QueuedInput } from '../kernel/events.ts'
import type { Part } from '../kernel/message.ts'
import { saysSomething } from '../kernel/message.ts'
import { toParts } from '../tools/content.ts'

/** A copy of an input, as parts. Throws a `TypeError` for one that is empty, or no input. */
export function partsOf(input: string | readonly Part[]): QueuedInput {
  const parts = toParts(input)
  if (saysSomething(parts)) return parts
  throw new TypeError('The prompt is empty. Pass some text, or at least one part.')
}
