import { contextTokens, toChars } from './length.ts'
import type { Message } from './message.ts'
import type { Situation } from './situation.ts'
import type { MessageNode, State } from './state.ts'
import { transcript } from './transcript.ts'

/** Whether the history is too long for a request, so that its beginning has to be summarised first. */
export function isTooLong(situation: Situation): boolean {
  const { compaction } = situation.config
  if (!compaction || contextTokens(situation.state) <= compaction.thresholdTokens) return false
  return mayCompact(situation)
}

/** Whether a summary would help and was not tried in this turn already. */
export function mayCompact({ state, run, config }: Situation): boolean {
  if (!config.compaction || run.compactedInTurn === run.turns) return false
  return firstKept(state, config.compaction.keepTokens) !== null
}

/**
 * The message from which on the history stays as it is: the first of the last `keepTokens` tokens at which no
 * call is open. `null` if nothing would be gained.
 */
export function firstKept({ head, summary }: State, keepTokens: number): MessageNode | null {
  const total = head?.chars ?? 0
  let kept: MessageNode | null = null
  for (let node = head; node?.parent; node = node.parent) {
    if (summary && node.message.id === summary.firstKeptMessageId) break
    const isTooMuch = total - node.parent.chars > toChars(keepTokens)
    if (kept && isTooMuch) break
    if (isBoundary(node)) kept = node
    if (kept && isTooMuch) break
  }
  return kept
}

// A cut between an answer with calls and their last result would leave calls without results.
function isBoundary({ message, excluded }: MessageNode): boolean {
  return !excluded && (message.role === 'user' || message.role === 'assistant')
}

/** The messages that a summary would replace: the conversation before `kept`, an earlier summary included. */
export function coveredBy(state: State, kept: MessageNode, maxChars: number): readonly Message[] {
  return transcript({ ...state, head: kept.parent, batch: null }, maxChars)
}
