import type { AgentState, ToolCallView } from '@offthread/core'
import { useAgentSelector, useElapsed } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import { type ReactNode, useCallback, useRef } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useFocusAfter } from '../ui/use-focus-after.ts'
import { type BusyTime, busyTime } from './busy-time.ts'
import { countCalls, countsText } from './call-counts.ts'
import { formatDuration } from './elapsed.tsx'
import { MiniWaterfall, type MiniWaterfallProps } from './mini-waterfall.tsx'

interface GroupHeaderProps extends MiniWaterfallProps {
  readonly toggle: {
    readonly isFolded: boolean
    /** The id of what is folded. */
    readonly list: string
    readonly onToggle: () => void
  }
}

/** How far calls are together, and when each ran. It folds their cards. */
export function GroupHeader({ toggle, ...group }: GroupHeaderProps): ReactNode {
  const { agent, ids } = group
  const { hold } = Thread.useThread()
  const select = useCallback((state: AgentState) => countsText(countCalls(state, ids)), [ids])
  const words = useAgentSelector(agent, select)
  const button = useRef<HTMLButtonElement>(null)
  const focus = useCallback(() => button.current?.focus({ preventScroll: true }), [])
  return (
    <div className="group-header">
      <button
        ref={button}
        type="button"
        className="group-toggle"
        aria-expanded={!toggle.isFolded}
        aria-controls={toggle.list}
        onClick={() => {
          hold()
          toggle.onToggle()
        }}
      >
        <Icon name="chevron" />
        <span>
          {words}
          <Time {...group} />
        </span>
      </button>
      <MiniWaterfall {...group} />
      <CancelAll {...group} onGone={focus} />
    </div>
  )
}

/** How long the calls took together. While one runs, it is hidden from assistive technology, which would read each change. */
function Time({ agent, ids, isReplay }: MiniWaterfallProps): ReactNode {
  const select = useCallback((state: AgentState) => busyTime(callsIn(state, ids)), [ids])
  const time = useAgentSelector(agent, select, isSame)
  const clock = useElapsed(time.since)
  if (time.ms !== undefined) return time.ms > 0 && ` · ${formatDuration(time.ms)}`
  if (isReplay) return null
  return (
    <span key="clock" className="group-clock" aria-hidden="true">
      {' · '}
      <span ref={clock} />
    </span>
  )
}

function isSame(before: BusyTime, after: BusyTime): boolean {
  return before.since === after.since && before.ms === after.ms
}

interface CancelAllProps extends MiniWaterfallProps {
  readonly onGone: () => void
}

/** Cancels what has not ended, where that is more than one call. */
function CancelAll({ agent, ids, isReplay, onGone }: CancelAllProps): ReactNode {
  const select = useCallback((state: AgentState) => openIn(state, ids).length > 1, [ids])
  const isOffered = useAgentSelector(agent, select)
  return isOffered && !isReplay && <CancelButton agent={agent} ids={ids} onGone={onGone} />
}

function CancelButton({ agent, ids, onGone }: Omit<CancelAllProps, 'isReplay'>): ReactNode {
  const button = useFocusAfter<HTMLButtonElement>(onGone)
  const cancel = (): void => {
    for (const { toolCallId } of openIn(agent.getState(), ids)) agent.cancelTool(toolCallId)
  }
  return (
    <button ref={button} type="button" className="text-button" onClick={cancel}>
      Cancel all
    </button>
  )
}

function callsIn({ toolCalls }: AgentState, ids: readonly string[]): readonly ToolCallView[] {
  return ids.flatMap((id) => toolCalls.get(id) ?? [])
}

/** The calls that can be cancelled. */
function openIn(state: AgentState, ids: readonly string[]): readonly ToolCallView[] {
  return callsIn(state, ids).filter(
    ({ hasEnded, status }) => !hasEnded && status !== 'cancelling' && status !== 'input_streaming',
  )
}
