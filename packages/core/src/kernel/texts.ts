import { withFullStop, withoutFullStop } from '../internal/full-stop.ts'

/** What the model reads when a tool gave no result. Models react to these words: changing one changes behaviour. */

const partialEffects = 'It may have had partial effects.'
const didNotRun = 'It did not run.'
// For a call that a person retried: what an earlier attempt did is not undone.
const didNotRunAgain = 'It did not run this time; an earlier attempt may have had partial effects.'

export const interruptedText =
  'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.'
export const interruptedBeforeStartText: string = `Interrupted before it started. ${didNotRun}`
// For a call that has not ended, in the transcript that readers get. No request is sent while such a call is open.
export const stillRunningText = 'Still running: there is no result yet.'
export const notStartedYetText = 'Not started yet.'
export const waitingForApprovalText =
  'Still waiting for a person to allow this call. It has not run.'
export const waitingForAnswerText = 'Still waiting for an answer.'
export const cutOffText = 'Not run: the answer was cut off before this call was complete.'
export const cancelledBeforeStartText: string = `Cancelled by the user before it started. ${didNotRun}`
export const cancelledRunningText: string = `Cancelled by the user while running. ${partialEffects}`

/** The text of a summary in a request. */
export function summaryText(summary: string): string {
  return `Summary of the conversation so far:\n\n${summary}`
}

/** `problem`: sentences that say where and why the answer does not fit. */
export function repairText(problem: string): string {
  return `The answer does not fit its schema: ${problem} Give the whole answer again.`
}

export const skippedText = 'Not run: the user sent a new message.'
export const withheldText = 'Result withheld: a hook failed.'

/** `ran`, here and below: an earlier attempt of the call may have run. */
export function deniedText(reason: string | undefined, ran: boolean): string {
  const because =
    reason === undefined || reason.trim() === '' ? '' : ` ${withFullStop(reason.trim())}`
  return `The user did not allow this call.${because} ${notRun(ran)}`
}

export function limitText(limit: string): string {
  return `Not run: ${limit} reached.`
}

export function timeoutText(timeoutMs: number): string {
  return `Timed out after ${timeoutMs / 1000} s and was stopped. ${partialEffects}`
}

export function crashedText(message: string): string {
  return `The tool crashed (${withoutFullStop(message)}). ${partialEffects}`
}

export function notStartedText(message: string): string {
  return `The tool could not be started (${withoutFullStop(message)}). ${didNotRun}`
}

export function notFoundText(name: string, available: readonly string[], ran: boolean): string {
  return `No tool named "${name.slice(0, 200)}". Available: ${available.join(', ') || 'none'}. ${notRun(ran)}`
}

/** `problem` is a sentence that says what is wrong with the arguments, with or without its full stop. */
export function invalidArgsText(problem: string, ran: boolean): string {
  return `${withFullStop(problem)} ${notRun(ran)}`
}

function notRun(ran: boolean): string {
  return ran ? didNotRunAgain : didNotRun
}
