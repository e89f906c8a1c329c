import type { JsonObject } from '../internal/json.ts'
import type { CompactionReason } from './summary.ts'

/** Something that should be going on outside the kernel. What comes of it is told by facts. */
export type Effect =
  /** Somebody looks at the prompt before anything else happens with it. */
  | { readonly type: 'check_prompt'; readonly runId: string }
  | {
      readonly type: 'ask_model'
      readonly runId: string
      readonly turn: number
      readonly attempt: number
      readonly delayMs: number
    }
  | {
      readonly type: 'compact'
      readonly runId: string
      readonly turn: number
      readonly reason: CompactionReason
    }
  /** `isEdited`: the arguments are those that a person put in place of the model's. */
  | { readonly type: 'prepare_call'; readonly toolCallId: string; readonly isEdited: boolean }
  | {
      readonly type: 'run_call'
      readonly toolCallId: string
      readonly attempt: number
      readonly delayMs: number
      readonly args: JsonObject
      /** Somebody wants it stopped: it is asked to end, and cut off after the grace period. */
      readonly stop: boolean
    }
  /** An answer from outside becomes the end of its call. */
  | { readonly type: 'finish_call'; readonly toolCallId: string }
  | { readonly type: 'watch_deadline'; readonly runId: string; readonly ms: number }

/** Names an effect: two effects with one key are the same effect, wanted for longer. */
export function effectKey(effect: Effect): string {
  switch (effect.type) {
    case 'check_prompt':
    case 'watch_deadline':
      return `${effect.type} ${effect.runId}`
    case 'ask_model':
      return `ask_model ${effect.runId} ${effect.turn} ${effect.attempt}`
    case 'compact':
      return `compact ${effect.runId} ${effect.turn}`
    case 'prepare_call':
      return `prepare_call ${effect.toolCallId}${effect.isEdited ? ' edited' : ''}`
    case 'run_call':
      return `run_call ${effect.toolCallId} ${effect.attempt}`
    case 'finish_call':
      return `finish_call ${effect.toolCallId}`
  }
}
