import type { Clock } from '../../internal/clock.ts'
import { type AgentEvent, isDurable } from '../../kernel/events.ts'
import type { SessionPorts } from './ports.ts'
import type { Said } from './wish.ts'

/** Posts what the storage does not tell followers. */
export interface LiveShare {
  /** Posts from now on: there is a follower. */
  readonly start: () => void
  readonly stop: () => void
}

/** Milliseconds for which events that are not stored are collected before they are posted. */
const collectMs = 50

export function createLiveShare(
  { state, subscribe }: Pick<SessionPorts, 'state' | 'subscribe'>,
  say: (said: Said) => void,
  clock: Clock,
): LiveShare {
  const latest = new Map<string, AgentEvent>()
  let collected: AgentEvent[] = []
  let isWatched = false
  let cancelTimer: (() => void) | null = null

  function post(): void {
    const events = collected
    collected = []
    cancelTimer = null
    say({ say: 'live', events })
  }

  const unsubscribe = subscribe((event) => {
    remember(latest, event)
    if (!isWatched || isDurable(event)) return
    collected.push(event)
    cancelTimer ??= clock.setTimer(collectMs, post)
  })
  return {
    start: () => {
      isWatched = true
      const { nextSeq, sub } = state()
      // As if they came now, because the follower has what was stored since.
      const events = [...latest.values()].map((event) => ({ ...event, seq: nextSeq - 1, sub }))
      say({ say: 'catch_up', events, seq: nextSeq - 1, sub })
    },
    stop: () => {
      unsubscribe()
      cancelTimer?.()
    },
  }
}

const standing: ReadonlySet<AgentEvent['type']> = new Set([
  'tool_running',
  'tool_execution_update',
  'tool_progress',
])

/** Keeps the latest event of each kind of the calls that are open, of those that say how a call stands. */
function remember(latest: Map<string, AgentEvent>, event: AgentEvent): void {
  if (!('toolCallId' in event)) return
  const keyOf = (type: string) => `${event.toolCallId} ${type}`
  if (standing.has(event.type)) latest.set(keyOf(event.type), event)
  if (event.type === 'tool_execution_end') for (const type of standing) latest.delete(keyOf(type))
}
