import type { AgentEvent } from '../packages/core/src/kernel/events.ts'

/** Whether a sentence of the rules says more than the protocol does, for what has just happened. */
export function isDisputed(sentence: string, scene: DisputeScene): boolean {
  return disputes.some(([pattern, isFine]) => pattern.test(sentence) && isFine(scene))
}

export interface DisputeScene {
  /** What was told last. */
  readonly event: AgentEvent | null
  /** The run that it is of was begun by an earlier page. */
  readonly isLost: boolean
  /** The call that it is of was tried more than once. */
  readonly isRetried: boolean
  /** A person allowed the call that it is of. */
  readonly isApproved: boolean
  /** Somebody looks at results before they are ends. */
  readonly isLookedAt: boolean
}

type Dispute = readonly [sentence: RegExp, isFine: (scene: DisputeScene) => boolean]

const disputes: readonly Dispute[] = [
  // What an earlier attempt gave is no word on the next one.
  [/ends as crashed|code did not crash|it (ran|ended) \d+ ms/, ({ isRetried }) => isRetried],
  // The limit is for the code, not for who looks at its result.
  [/it (ran|ended) \d+ ms/, ({ isLookedAt }) => isLookedAt],
  // What a person allowed and nobody has dispatched is not begun again: it is begun.
  [/is begun again/, ({ isApproved }) => isApproved],
  // The answer came, and the page went away before anything was made of it: the next run takes it up.
  [/no call (waits for an answer|awaits approval)/, ({ isLost }) => isLost],
  // The user interface may know the answer before its call is due.
  [/nobody may answer it/, () => true],
  // A text without ink is left out of a stopped answer: no provider takes it.
  [/its deltas make another text/, () => true],
]
