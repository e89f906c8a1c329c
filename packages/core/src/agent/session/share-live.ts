import type { Clock } from '../../internal/clock.ts'
import type { AgentEvent } from '../../kernel/events.ts'
import { isDurable } from '../../kernel/events.ts'
import type { EventListener } from '../../runtime/notifier.ts'

/** Milliseconds for which events that are not stored are collected before they are posted. */
const collectMs = 50

/** Posts what the storage does not tell followers. Returns what ends it. */
export function shareLive(
  subscribe: (listener: EventListener) => () => void,
  post: (events: readonly AgentEvent[]) => void,
  clock: Clock,
): () => void {
  let collected: AgentEvent[] = []
  let cancelTimer: (() => void) | null = null

  const unsubscribe = subscribe((event) => {
    if (isDurable(event)) return
    collected.push(event)
    cancelTimer ??= clock.setTimer(collectMs, () => {
      const events = collected
      collected = []
      cancelTimer = null
      post(events)
    })
  })
  return () => {
    unsubscribe()
    cancelTimer?.()
  }
}
