import type { Agent, AgentEvent } from '@offthread/core'
import { recordedOf } from './event-record.ts'
import { createReplayedAgent, type ReplayedAgent } from './replayed-agent.ts'
import { replayOf } from './shared-replay.ts'

/** Where a replay stands. */
interface ReplayPosition {
  /** The agent to show: the live one, or one that shows an earlier moment of it. */
  readonly agent: Agent
  /** How many events of the log are shown; `null`: all, live. */
  readonly position: number | null
  readonly isPlaying: boolean
}

/** Goes through the log of an agent. */
export interface ReplayControl {
  readonly get: () => ReplayPosition
  readonly subscribe: (listener: () => void) => () => void
  readonly seek: (position: number) => void
  readonly step: (by: number) => void
  readonly skip: (by: number) => void
  readonly play: (rate?: number) => void
  readonly pause: () => void
  readonly exit: () => void
}

/** A pause in which nothing happened is played as one of this length. */
export const longestPauseMs = 2000

export function createReplayControl(live: Agent): ReplayControl {
  const place = createPlace(live)
  let timer: ReturnType<typeof setTimeout> | undefined

  function pause(): void {
    clearTimeout(timer)
    if (place.get().isPlaying) place.change({ isPlaying: false })
  }

  function playOn(rate: number): void {
    const { events, length } = recordedOf(live)
    const position = place.get().position ?? 0
    const next = (): void => {
      place.seek(nextMoment(events, position))
      playOn(rate)
    }
    if (position < length)
      timer = setTimeout(next, Math.min(pauseBefore(events, position), longestPauseMs) / rate)
    else pause()
  }

  function exit(): void {
    pause()
    place.change({ agent: live, position: null })
  }

  const move = (position: number): void => {
    pause()
    place.seek(position)
  }
  const current = (): number => place.get().position ?? recordedOf(live).length

  return {
    get: place.get,
    subscribe: (listener) => {
      // A replay may show content that was removed.
      const stop = live.subscribe(({ type }) => {
        if (type === 'message_redacted') exit()
      })
      const leave = place.subscribe(listener, pause)
      return () => {
        stop()
        leave()
      }
    },
    seek: move,
    step: (by) => move(current() + by),
    skip: (by) => move(turningPoint(recordedOf(live).events, current(), by)),
    play: (rate = 1) => {
      if (!(rate > 0)) throw new TypeError(`The rate must be a number above 0; it is ${rate}.`)
      // At its end, a replay starts again.
      move(current() < recordedOf(live).length ? current() : 0)
      place.change({ isPlaying: true })
      playOn(rate)
    },
    pause,
    exit,
  }
}

/** Where a replay stands, for components to follow. */
function createPlace(live: Agent) {
  const listeners = new Set<() => void>()
  const past = createPast(live)
  let current: ReplayPosition = { agent: live, position: null, isPlaying: false }

  function change(next: Partial<ReplayPosition>): void {
    current = { ...current, ...next }
    for (const listener of listeners) listener()
  }

  return {
    get: () => current,
    change,
    seek: (asked: number): void => {
      const position = Math.min(Math.max(0, Math.floor(asked) || 0), recordedOf(live).length)
      change({ agent: past.at(position), position })
    },
    /** Calls the listener for each change. `onLast` is called when the last component has gone. */
    subscribe: (listener: () => void, onLast: () => void) => {
      const own = (): void => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
        if (listeners.size === 0) onLast()
      }
    },
  }
}

/** One agent for all earlier moments, so that what shows it need not be mounted again. */
function createPast(live: Agent) {
  let shown: ReplayedAgent | null = null
  return {
    at: (position: number): Agent => {
      const moment = { replay: replayOf(live, recordedOf(live).events), position }
      shown ??= createReplayedAgent(live, moment)
      shown.show(moment)
      return shown.agent
    },
  }
}

/** Milliseconds without an event before the next one. */
export function pauseBefore(events: readonly AgentEvent[], position: number): number {
  const [last, next] = [events[position - 1], events[position]]
  if (!last || !next) return 0
  return Math.max(0, next.ts - last.ts)
}

/** The position after all events that have the same time as the next one. */
function nextMoment(events: readonly AgentEvent[], position: number): number {
  const moment = events[position]?.ts
  let next = position + 1
  while (next < events.length && events[next]?.ts === moment) next += 1
  return next
}

const turningPoints: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['agent_start', 'message_end', 'tool_dispatched', 'tool_execution_end'] as const),
  ...(['tool_approval_requested', 'tool_approval_resolved', 'tool_cancel_requested'] as const),
  ...(['tool_retry_requested', 'abort_requested', 'auto_retry_start', 'agent_end'] as const),
])

/** The position a number of turning points before or after this one; else the start or the end of the log. */
function turningPoint(events: readonly AgentEvent[], position: number, by: number): number {
  const direction = Math.sign(by)
  let [found, left] = [position, Math.abs(by)]
  while (left > 0 && found + direction >= 0 && found + direction <= events.length) {
    found += direction
    if (isTurningPoint(events[found - 1])) left -= 1
  }
  return found
}

/** A result message is no turning point: the end of its call is. */
function isTurningPoint(event: AgentEvent | undefined): boolean {
  if (!event || !turningPoints.has(event.type)) return false
  return event.type !== 'message_end' || event.message.role !== 'toolResult'
}
