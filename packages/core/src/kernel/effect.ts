import type { JsonObject } from '../internal/json.ts'

/** Something that should be going on outside the kernel. What comes of it is told by facts. */
export type Effect =
  | { readonly type: 'ask_model'; readonly runId: string; readonly turn: number }
  | { readonly type: 'prepare_call'; readonly toolCallId: string }
  | {
      readonly type: 'run_call'
      readonly toolCallId: string
      readonly attempt: number
      readonly args: JsonObject
      /** Somebody wants it stopped: it is asked to end, and cut off after the grace period. */
      readonly stop: boolean
    }

/** Names an effect: two effects with one key are the same effect, wanted for longer. */
export function effectKey(effect: Effect): string {
  switch (effect.type) {
    case 'ask_model':
      return `ask_model ${effect.runId} ${effect.turn}`
    case 'prepare_call':
      return `prepare_call ${effect.toolCallId}`
    case 'run_call':
      return `run_call ${effect.toolCallId} ${effect.attempt}`
  }
}
