import { createHash } from 'node:crypto'
import { emptyState } from '../kernel/state.ts'
import { wholeTranscript } from '../kernel/transcript.ts'
import { readLog } from './read-log.ts'

/** What a log says, in few words that no release may change. */
export interface LogSummary {
  readonly events: number
  /** How the last run ended. */
  readonly lastReason: string | null
  /** The runs, the messages that the model reads, and the calls that are open. */
  readonly runs: number
  readonly messages: number
  readonly openCalls: number
  /** SHA-256 of the transcript as JSON. */
  readonly transcript: string
}

/** Opens a log as an agent does, and says what is in it. Throws what the agent would. */
export function summaryOf(log: readonly unknown[]): LogSummary {
  const { events, state, problem } = readLog(emptyState('corpus'), log)
  if (problem) throw problem
  const transcript = wholeTranscript(state, 10_000, false)
  return {
    events: events.length,
    lastReason: state.lastRun?.reason ?? null,
    runs: events.filter(({ type, agentId }) => type === 'agent_end' && agentId === undefined)
      .length,
    messages: transcript.length,
    openCalls: state.batch?.calls.filter(({ stage }) => stage.kind !== 'ended').length ?? 0,
    transcript: createHash('sha256').update(JSON.stringify(transcript)).digest('hex'),
  }
}
