import { type Fields, textIn } from '../http/fields.ts'
import { firstChoice } from './choice.ts'

/** What says in the middle of an answer that it failed, or `null` if nothing does. */
export function errorIn(event: Fields): Fields | null {
  if (event['error'] || event['object'] === 'error') return event
  const choice = firstChoice(event)
  return choice && (choice['error'] || brokenOff.has(textIn(choice, 'finish_reason')))
    ? choice
    : null
}

/** Reasons to finish that are none: the server gave up. */
const brokenOff: ReadonlySet<string> = new Set(['error', 'abort', 'insufficient_system_resource'])
