import type { JsonObject } from '../internal/json.ts'

/** A side effect that should be running. Its outcome is recorded as facts. */
export type Effect =
  /** The hooks see the prompt before it is written. */
  | { readonly type: 'check_prompt'; readonly runId: string }
  | {
      readonly type: 'ask_model'
      readonly runId: string
      readonly turn: number
      readonly attempt: number
      readonly delayMs: number
    }
  | { readonly type: 'compact'; readonly runId: string; readonly turn: number }
  /** The answer is checked against the schema of the output. */
  | { readonly type: 'check_output'; readonly messageId: string }
  /** `isEdited`: a person has replaced the model's arguments. */
  | { readonly type: 'prepare_call'; readonly toolCallId: string; readonly isEdited: boolean }
  | {
      readonly type: 'run_call'
      readonly toolCallId: string
      readonly attempt: number
      readonly delayMs: number
      readonly args: JsonObject
      /** The call was cancelled: its code is asked to end, and terminated after the grace period. */
      readonly stop: boolean
    }
  /** Ends a call with the answer that the page has given. */
  | { readonly type: 'finish_call'; readonly toolCallId: string }
  | { readonly type: 'watch_deadline'; readonly runId: string; readonly ms: number }

/** Identifies an effect: while its key stays wanted, the effect is updated and not started again. */
export function effectKey(effect: Effect): string {
  switch (effect.type) {
    case 'check_prompt':
    case 'watch_deadline':
      return `${effect.type} ${effect.runId}`
    case 'ask_model':
      return `ask_model ${effect.runId} ${effect.turn} ${effect.attempt}`
    case 'check_output':
      return `check_output ${effect.messageId}`
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
