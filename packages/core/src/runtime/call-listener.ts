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
  return (notice) => {
    markRunning()
    switch (notice.type) {
      case 'running':
        break
      case 'update':
        write({ type: 'tool_execution_update', ...named, partialResult: notice.partial })
        break
      case 'progress':
        write({ type: 'tool_progress', ...named, ...notice.progress })
        break
      case 'log':
        write({ type: 'tool_log', toolCallId, lines: notice.lines, dropped: notice.dropped })
        break
      case 'custom': {
        const { type: _type, durable, ...event } = notice
        if (durable) scope.commit({ type: 'tool_custom', durable, ...named, ...event })
        else write({ type: 'tool_custom', ...named, ...event })
      }
    }
  }
}
