import type { Agent, AgentState, ToolCallStatus, ToolCallView } from '@offthread/core'
import type { Phase } from '@offthread/core/log'
import { useAgentSelector } from '@offthread/react'
import { PhaseBars, useTimeScale } from '@offthread/react/timeline'
import { type ReactNode, useMemo } from 'react'
import { byCalls } from './by-calls.ts'

const mostLanes = 24

interface Lane {
  readonly id: string
  readonly times: ToolCallView['times']
  readonly status: ToolCallStatus
}

export interface MiniWaterfallProps {
  readonly agent: Agent
  readonly ids: readonly string[]
  readonly isReplay: boolean
}

/**
 * When the calls of an answer waited and ran, a lane each; only the first of many. Hidden from assistive technology:
 * the cards say the same.
 */
export function MiniWaterfall({ agent, ids, isReplay }: MiniWaterfallProps): ReactNode {
  const select = useMemo(() => byCalls((toolCalls) => lanesIn(toolCalls, ids)), [ids])
  const lanes = useAgentSelector(agent, select, isSame)
  const starts = lanes.flatMap(({ times }) => times.acceptedAt ?? [])
  const startedAt = Math.min(...starts)
  const isOn = lanes.some(({ times }) => times.acceptedAt !== undefined && !times.endedAt)
  const endedAt = isOn && !isReplay ? null : Math.max(...lanes.map(({ times }) => lastOf(times)))
  const { edge, scale } = useTimeScale({ startedAt, endedAt })
  if (starts.length === 0) return null
  return (
    <div className="mini-waterfall" ref={edge} aria-hidden="true">
      {lanes.map(({ id, times, status }) => (
        <div key={id} className="mini-lane" data-tone={tones[status]}>
          <PhaseBars phases={phasesOf(times)} scale={scale} />
        </div>
      ))}
    </div>
  )
}

const tones: Partial<Readonly<Record<ToolCallStatus, string>>> = {
  succeeded: 'good',
  failed: 'bad',
  timed_out: 'bad',
  denied: 'warn',
  cancelling: 'warn',
  cancelled: 'warn',
  interrupted: 'warn',
}

function lanesIn(toolCalls: AgentState['toolCalls'], ids: readonly string[]): readonly Lane[] {
  return ids.slice(0, mostLanes).flatMap((id) => {
    const call = toolCalls.get(id)
    return call ? [{ id, times: call.times, status: call.status }] : []
  })
}

/** Progress of a running call does not change its lane. */
function isSame(before: readonly Lane[], after: readonly Lane[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ times, status }, index) => {
      const other = after[index]
      return other?.status === status && keyOf(other.times) === keyOf(times)
    })
  )
}

function lastOf({ acceptedAt = 0, dispatchedAt = 0, runningAt = 0, endedAt = 0 }: Lane['times']) {
  return Math.max(acceptedAt, dispatchedAt, runningAt, endedAt)
}

function keyOf({ acceptedAt, dispatchedAt, runningAt, endedAt }: Lane['times']): string {
  return [acceptedAt, dispatchedAt, runningAt, endedAt].join()
}

function phasesOf({
  acceptedAt,
  dispatchedAt,
  runningAt,
  endedAt,
}: Lane['times']): readonly Phase[] {
  const moments = [
    ['waiting', acceptedAt, dispatchedAt],
    ['starting', dispatchedAt, runningAt],
    ['running', runningAt, endedAt],
  ] as const
  return moments.flatMap(([kind, from, to]): readonly Phase[] =>
    from === undefined
      ? []
      : [{ kind, attempt: 1, startedAt: from, endedAt: to ?? endedAt ?? null }],
  )
}
