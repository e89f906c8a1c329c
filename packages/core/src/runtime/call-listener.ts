import type { Draft } from '../kernel/draft.ts'
import type { CallListener } from '../tools/host.ts'
import type { EffectScope } from './running-effects.ts'

/** A call that is listened to. */
export interface HeardCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly attempt: number
  readonly executionId: string
  /** Whether anybody wants to hear what happens between start and end. */
  readonly tellsProgress: boolean
  /** Its code has begun. Called once. */
  readonly onRunning: () => void
}

/** Writes what a call tells on its way. */
export function listenToCall(scope: EffectScope, call: HeardCall): CallListener {
  const { toolCallId, toolName, attempt, executionId, tellsProgress, onRunning } = call
  const named = { toolCallId, toolName }
  // Code that speaks runs, whether it has said so or not; and it begins once.
  let hasBegun = false
  const begin = (): void => {
    if (hasBegun) return
    hasBegun = true
    tell({ type: 'tool_running', toolCallId, attempt, executionId })
    onRunning()
  }
  const tell = (draft: Draft): void => {
    if (tellsProgress) scope.commit(draft)
  }
  return {
    running: begin,
    update: (partialResult) => {
      begin()
      tell({ type: 'tool_execution_update', ...named, partialResult })
    },
    progress: (progress) => {
      begin()
      tell({ type: 'tool_progress', ...named, ...progress })
    },
    log: (lines, dropped) => {
      begin()
      tell({ type: 'tool_log', toolCallId, lines, dropped })
    },
    custom: (name, data, durable) => {
      begin()
      if (durable) scope.commit({ type: 'tool_custom', durable, ...named, name, data })
      else tell({ type: 'tool_custom', ...named, name, data })
    },
  }
}
