import type { Agent, AgentState, LogLine } from '@offthread/core'
import { useCallback, useMemo } from 'react'
import { useAgentSelector } from './use-agent-selector.ts'

/** Which lines of a log to return. */
export interface ToolLogsOptions {
  /** The most lines, the last ones count. Default 200. */
  readonly tail?: number
  /** Only lines of these levels. Default: all. */
  readonly levels?: readonly LogLine['level'][]
}

/** The last lines that a call wrote. */
export interface ToolLogs {
  /** Oldest first. */
  readonly lines: readonly LogLine[]
  /** How many older lines are not among them, those that a flood left out included. */
  readonly dropped: number
}

/**
 * The log of one call, live. The component renders only when the log grows. Empty for a call that the conversation does
 * not hold.
 *
 * @example
 * ```tsx
 * const { lines, dropped } = useToolLogs(agent, call.toolCallId, { tail: 50 })
 * return <pre>{dropped > 0 && `+${dropped} dropped\n`}{lines.map(({ text }) => text).join('\n')}</pre>
 * ```
 */
export function useToolLogs(
  agent: Agent,
  toolCallId: string,
  { tail = 200, levels }: ToolLogsOptions = {},
): ToolLogs {
  const select = useCallback(
    (state: AgentState) => state.toolCalls.get(toolCallId)?.logs,
    [toolCallId],
  )
  const logs = useAgentSelector(agent, select)
  // Joined to a text, because a list that is written in place is a new one in each render.
  const wanted = levels?.join()
  return useMemo(() => {
    const all = logs?.lines ?? []
    const kinds = wanted?.split(',')
    const fitting = kinds ? all.filter(({ level }) => kinds.includes(level)) : all
    const lines = tail > 0 ? fitting.slice(-tail) : []
    return { lines, dropped: (logs?.dropped ?? 0) + fitting.length - lines.length }
  }, [logs, tail, wanted])
}
