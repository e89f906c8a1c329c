import type { AgentState, ToolCallView } from '@offthread/core'
import { useAgentSelector, useElapsed } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useFocusAfter } from '../ui/use-focus-after.ts'
import { type BusyTime, busyTime } from './busy-time.ts'
import { byCalls } from './by-calls.ts'
import { countCalls, countsText } from './call-counts.ts'
import { formatDuration } from './elapsed.tsx'
import { MiniWaterfall, type MiniWaterfallProps } from './mini-waterfall.tsx'

interface GroupHeaderProps extends MiniWaterfallProps {
  readonly toggle: {
    readonly isFolded: boolean
    /** The id of the list that is folded. */
    readonly list: string
    readonly onToggle: () => void
  }
}

/** The progress of a group of calls, and when each ran. It folds their cards. */
export function GroupHeader({ toggle, ...group }: GroupHeaderProps): ReactNode {
  const { agent, ids, isReplay } = group
  const { hold } = Thread.useThread()
  const select = useMemo(() => byCalls((toolCalls) => summaryOf(toolCalls, ids)), [ids])
  const { words, time, areOpen } = useAgentSelector(agent, select, isSame)
  const button = useRef<HTMLButtonElement>(null)
  const focus = useCallback(() => button.current?.focus({ preventScroll: true }), [])
  return (
    <div className="row quiet group-header">
      <Button
        ref={button}
        className="row group-toggle"
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
          <Time time={time} isReplay={isReplay} />
        </span>
      </Button>
      <MiniWaterfall {...group} />
      {areOpen && !isReplay && <CancelAll agent={agent} ids={ids} onGone={focus} />}
    </div>
  )
}

/** What the header says of the calls. */
interface Summary {
  readonly words: string
  readonly time: BusyTime
  /** More than one of them can be cancelled. */
  readonly areOpen: boolean
}

function summaryOf(toolCalls: AgentState['toolCalls'], ids: readonly string[]): Summary {
  const calls = callsIn(toolCalls, ids)
  return {
    words: countsText(countCalls(toolCalls, ids)),
    time: busyTime(calls),
    areOpen: calls.filter(isOpen).length > 1,
  }
}

function isSame(before: Summary, after: Summary): boolean {
  return (
    before.words === after.words &&
    before.areOpen === after.areOpen &&
    before.time.since === after.time.since &&
    before.time.ms === after.time.ms
  )
}

interface TimeProps {
  readonly time: BusyTime
  readonly isReplay: boolean
}

/**
 * How long the calls took together. While one runs, it is hidden from assistive technology, which would read each
 * change.
 */
function Time({ time, isReplay }: TimeProps): ReactNode {
  const clock = useElapsed(time.since)
  const isOn = time.since !== undefined
  if (isOn ? isReplay : !time.ms) return null
  // The clock has an element of its own: React does not see what it writes.
  return (
    <span className="group-clock" aria-hidden={isOn || undefined}>
      {' · '}
      {isOn ? <span key="clock" ref={clock} /> : formatDuration(time.ms ?? 0)}
    </span>
  )
}

interface CancelAllProps extends Omit<MiniWaterfallProps, 'isReplay'> {
  readonly onGone: () => void
}

/** Cancels what has not ended. */
function CancelAll({ agent, ids, onGone }: CancelAllProps): ReactNode {
  const button = useFocusAfter<HTMLButtonElement>(onGone)
  const cancel = (): void => {
    for (const { toolCallId } of callsIn(agent.getState().toolCalls, ids).filter(isOpen)) {
      agent.cancelTool(toolCallId)
    }
  }
  return (
    <Button ref={button} className="text-button" onClick={cancel}>
      Cancel all
    </Button>
  )
}

function callsIn(
  toolCalls: AgentState['toolCalls'],
  ids: readonly string[],
): readonly ToolCallView[] {
  const calls: ToolCallView[] = []
  for (const id of ids) {
    const call = toolCalls.get(id)
    if (call) calls.push(call)
  }
  return calls
}

/** Whether the call can be cancelled. */
function isOpen({ hasEnded, status }: ToolCallView): boolean {
  return !hasEnded && status !== 'cancelling' && status !== 'input_streaming'
}
