import type { AgentEvent } from '../packages/core/src/kernel/events.ts'

/** Sees every event. Returns what is wrong with it, or `null`. */
export type EventRule = (event: AgentEvent) => string | null

/** An answer that was seen is replaced at most once in a turn. */
export function createRetryRule(): EventRule {
  let seen = false
  let replaced = 0
  return (event) => {
    switch (event.type) {
      case 'turn_start':
        replaced = 0
        break
      case 'message_start':
        seen = false
        break
      case 'message_update':
        seen = true
        break
      case 'auto_retry_start':
        if (event.scope !== 'model' || !seen) break
        replaced += 1
        if (replaced > 1) return 'an answer that was seen is replaced for the second time'
        break
      default:
    }
    return null
  }
}
