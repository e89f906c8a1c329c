import type { Draft } from '../kernel/draft.ts'
import type { CallListener } from '../tools/host.ts'
import type { EffectScope } from './running-effects.ts'

/** The call that a listener writes about. */
export interface ListenedCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly attempt: number
  readonly executionId: string
  /** Whether ephemeral events are written (`toolEvents`). */
  readonly tellsProgress: boolean
  /** Called once, when its code has started. */
  readonly onRunning: () => void
}

/** Writes the progress of a call as facts. */
export function listenToCall(scope: EffectScope, call: ListenedCall): CallListener {
  const { toolCallId, toolName, attempt, executionId, tellsProgress, onRunning } = call
  const named = { toolCallId, toolName }
  // Code that reports anything is running, whether or not `running` came first.
  let isRunning = false
  const markRunning = (): void => {
    if (isRunning) return
    isRunning = true
    write({ type: 'tool_running', toolCallId, attempt, executionId })
    onRunning()
  }
  const write = (draft: Draft): void => {
    if (tellsProgress) scope.commit(draft)
  }
  return {
    running: markRunning,
    update: (partialResult) => {
      markRunning()
      write({ type: 'tool_execution_update', ...named, partialResult })
    },
    progress: (progress) => {
      markRunning()
      write({ type: 'tool_progress', ...named, ...progress })
    },
    log: (lines, dropped) => {
      markRunning()
      write({ type: 'tool_log', toolCallId, lines, dropped })
    },
    custom: (name, data, durable) => {
      markRunning()
      if (durable) scope.commit({ type: 'tool_custom', durable, ...named, name, data })
      else write({ type: 'tool_custom', ...named, name, data })
    },
  }
}
