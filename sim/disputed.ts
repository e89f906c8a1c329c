import type { AgentEvent } from '../packages/core/src/kernel/events.ts'

/** Whether a sentence of the rules says more than the protocol does, for what has just happened. */
export function isDisputed(sentence: string, event: AgentEvent | null): boolean {
  return disputes.some(([pattern, isFine]) => pattern.test(sentence) && isFine(event))
}

type Dispute = readonly [sentence: RegExp, isFine: (event: AgentEvent | null) => boolean]

const disputes: readonly Dispute[] = [
  // A prompt that is aborted at once is still written, in a turn of its own. No request follows.
  [/a turn after the abort/, () => true],
  // What is given up does not wait for its unit.
  [/the unit before is not done/, () => true],
  // What an earlier attempt gave is no word on the next one.
  [
    /ends as crashed|code did not crash/,
    (event) => event?.type === 'tool_execution_end' && event.attempt > 1,
  ],
  // The user interface may know the answer before its call is due.
  [/nobody may answer it/, () => true],
  // A text without ink is left out of a stopped answer: no provider takes it.
  [/its deltas make another text/, () => true],
]
