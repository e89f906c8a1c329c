import type { Agent, AgentEvent } from '@offthread/core'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useEventRecord } from '../event-record.ts'
import { shownName } from '../parts/shown-text.ts'
import { longestPauseMs, pauseBefore } from '../replay-control.ts'
import { formatMs } from '../rows/format-ms.ts'
import type { ReplayView } from '../use-replay.ts'
import { messageToFork } from './message-to-fork.ts'

/** What a replay bar moves. */
export interface ReplayBarProps {
  /** The agent whose log it is: the one that `useReplay` was given. */
  readonly agent: Agent
  /** What `useReplay` gave. */
  readonly replay: ReplayView
  /** Called for "Fork from here", with the last message before that moment. Without it there is no such button. */
  readonly onFork?: (messageId: string) => void
}

const rates = [0.5, 1, 2, 4, 8, 16]

/**
 * A slider through a log, with steps, play and the way back. In it, `,` and `.` are a step, `<` and `>` lead to where a
 * run, an answer or a call begins or ends, Space plays and pauses, Escape leaves the replay. While it plays, it says
 * which pauses are cut short. It has no style: `data-part` names its parts.
 *
 * @example
 * ```tsx
 * const replay = useReplay(agent)
 * return (
 *   <>
 *     <Conversation agent={replay.agent} />
 *     <ReplayBar agent={agent} replay={replay} />
 *   </>
 * )
 * ```
 */
export function ReplayBar({ agent, replay, onFork }: ReplayBarProps): ReactNode {
  const { position, length, isPlaying, seek, step, skip, play, pause, exit } = replay
  const { events } = useEventRecord(agent)
  const [rate, setRate] = useState(1)
  const isReplay = position !== null
  const at = position ?? length
  const toggle = (): void => (isPlaying ? pause() : play(rate))
  return (
    <fieldset
      data-part="replay"
      data-replaying={isReplay}
      aria-label="Replay"
      onKeyDown={(event) =>
        takeKey(event, { toggle, step, skip, exit: isReplay ? exit : undefined })
      }
    >
      <BarButton
        name={isPlaying ? 'Pause' : 'Play'}
        sign={isPlaying ? '❚❚' : '▶'}
        onClick={toggle}
      />
      <BarButton name="Previous start or end" sign="«" onClick={() => skip(-1)} />
      <BarButton name="Step back" sign="‹" isFine onClick={() => step(-1)} />
      <BarButton name="Step forward" sign="›" isFine onClick={() => step(1)} />
      <BarButton name="Next start or end" sign="»" onClick={() => skip(1)} />
      <input
        type="range"
        aria-label="Position in the log"
        aria-valuetext={wordsAt(events, at, length)}
        max={length}
        value={at}
        onChange={({ target }) => seek(target.valueAsNumber)}
      />
      <output data-part="position">
        {isPlaying && pauseAt(events, at)}
        {`${at.toLocaleString('en')} / ${length.toLocaleString('en')}`}
      </output>
      <Rate
        rate={rate}
        onChange={(next) => {
          setRate(next)
          if (isPlaying) play(next)
        }}
      />
      {isReplay && <Ways at={at} {...{ events, exit, onFork }} />}
    </fieldset>
  )
}

interface WaysProps extends Pick<ReplayView, 'exit'> {
  readonly onFork: ReplayBarProps['onFork']
  readonly events: readonly AgentEvent[]
  readonly at: number
}

/** The ways out of a replay. */
function Ways({ events, at, onFork, exit }: WaysProps): ReactNode {
  const fork = messageToFork(events, at)
  return (
    <span data-part="buttons">
      {onFork && (
        <button
          type="button"
          data-part="button"
          disabled={fork === null}
          onClick={() => fork !== null && onFork(fork)}
        >
          Fork from here
        </button>
      )}
      <button type="button" data-part="button" onClick={exit}>
        Back to live
      </button>
    </span>
  )
}

interface BarButtonProps {
  readonly name: string
  readonly sign: string
  /**
   * The button moves by one event, which the list of events does as well, so it can be left out where there is no room.
   */
  readonly isFine?: boolean
  readonly onClick: () => void
}

function BarButton({ name, sign, isFine, onClick }: BarButtonProps): ReactNode {
  return (
    <button
      type="button"
      data-part="bar-button"
      data-fine={isFine}
      aria-label={name}
      title={name}
      onClick={onClick}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  )
}

interface RateProps {
  readonly rate: number
  readonly onChange: (rate: number) => void
}

function Rate({ rate, onChange }: RateProps): ReactNode {
  const id = useId()
  return (
    <select
      id={id}
      aria-label="Speed"
      data-part="select"
      value={rate}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {rates.map((each) => (
        <option key={each} value={each}>
          {each}×
        </option>
      ))}
    </select>
  )
}

/** Where the slider is, for a screen reader: `event 142 of 900, 3.4 s, tool_progress sql_query`. */
function wordsAt(events: readonly AgentEvent[], position: number, length: number): string {
  const [first, event] = [events[0], events[position - 1]]
  if (!first || !event) return `event ${position} of ${length}`
  const time = formatMs(event.ts - first.ts)
  const tool = 'toolName' in event ? ` ${shownName(event.toolName)}` : ''
  return `event ${position} of ${length}, ${time}, ${event.type}${tool}`
}

/** A pause that is cut short, for people. */
function pauseAt(events: readonly AgentEvent[], position: number): string | null {
  const pause = pauseBefore(events, position)
  return pause > longestPauseMs ? `Pause of ${formatMs(pause)} · ` : null
}

interface BarCommands {
  readonly toggle: () => void
  readonly skip: (by: number) => void
  readonly step: (by: number) => void
  readonly exit: (() => void) | undefined
}

function takeKey(event: KeyboardEvent, { toggle, step, skip, exit }: BarCommands): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const isOnButton = event.target instanceof HTMLButtonElement
  if (event.key === ',') step(-1)
  else if (event.key === '.') step(1)
  else if (event.key === '<') skip(-1)
  else if (event.key === '>') skip(1)
  // On a button, Space is a click.
  else if (event.key === ' ' && !isOnButton) toggle()
  else if (event.key === 'Escape' && exit) exit()
  else return
  event.preventDefault()
}
