import type { Agent, AgentState, ToolCallStatus } from '@offthread/core'
import type { Phase } from '@offthread/core/log'
import { useAgentSelector } from '@offthread/react'
import { PhaseBars, useTimeScale } from '@offthread/react/timeline'
import { type ReactNode, useMemo } from 'react'
import { byCalls, isSameJson } from './by-calls.ts'

const mostLanes = 24

interface Lane extends Readonly<Record<(typeof moments)[number], number | undefined>> {
  readonly id: string
  readonly status: ToolCallStatus
}

const moments = ['acceptedAt', 'dispatchedAt', 'runningAt', 'endedAt'] as const

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
  const lanes = useAgentSelector(agent, select, isSameJson)
  const starts = lanes.flatMap(({ acceptedAt }) => acceptedAt ?? [])
  const startedAt = Math.min(...starts)
  const isOn = lanes.some(({ acceptedAt, endedAt }) => acceptedAt !== undefined && !endedAt)
  const last = Math.max(...lanes.flatMap((lane) => moments.map((moment) => lane[moment] ?? 0)))
  const endedAt = isOn && !isReplay ? null : last
  const { edge, scale } = useTimeScale({ startedAt, endedAt })
  if (starts.length === 0) return null
  return (
    <div className="mini-waterfall" ref={edge} aria-hidden="true">
      {lanes.map((lane) => (
        <div key={lane.id} className="mini-lane" data-tone={tones[lane.status]}>
          <PhaseBars phases={phasesOf(lane)} scale={scale} />
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

/** Progress of a running call does not change its lane. */
function lanesIn(toolCalls: AgentState['toolCalls'], ids: readonly string[]): readonly Lane[] {
  return ids.slice(0, mostLanes).flatMap((id) => {
    const call = toolCalls.get(id)
    if (!call) return []
    const { acceptedAt, dispatchedAt, runningAt, endedAt } = call.times
    return [{ id, status: call.status, acceptedAt, dispatchedAt, runningAt, endedAt }]
  })
}

function phasesOf({ acceptedAt, dispatchedAt, runningAt, endedAt }: Lane): readonly Phase[] {
  const phases = [
    ['waiting', acceptedAt, dispatchedAt],
    ['starting', dispatchedAt, runningAt],
    ['running', runningAt, endedAt],
  ] as const
  return phases.flatMap(([kind, from, to]): readonly Phase[] =>
    from === undefined
      ? []
      : [{ kind, attempt: 1, startedAt: from, endedAt: to ?? endedAt ?? null }],
  )
}
