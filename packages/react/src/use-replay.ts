import type { Agent, StorageError, Tool } from '@offthread/core'
import { useMemo, useSyncExternalStore } from 'react'
import { useEventRecord } from './event-record.ts'
import { createReplayControl } from './replay-control.ts'

/** A replay of an agent's log, and its commands. */
export interface ReplayView<T extends Tool = Tool> {
  /**
   * What to show: the agent itself, or, in a replay, one that shows what it showed then. That one takes no commands: its
   * state says so with `can`, and `prompt` and the others are refused with an `AgentUsageError`. Its `getTranscript()` is of
   * that moment, too; its log and the bytes that `getArtifact` finds are those of the agent. It keeps its identity as
   * long as the agent is the same.
   */
  readonly agent: Agent<T>
  /** How many events of the log are shown; `null` when it is no replay. */
  readonly position: number | null
  /** How many events the log has. */
  readonly length: number
  /** The error if an event of the stored session cannot be read; the log ends before it. `null`: there is none. */
  readonly error: StorageError | null
  /** Whether it is playing. */
  readonly isPlaying: boolean
  /** Shows the log after a number of events; 0 is before the first one. */
  readonly seek: (position: number) => void
  /** Moves by a number of events; back with a negative one. */
  readonly step: (by: number) => void
  /**
   * Shows the log up to its next turning point: where a run, an answer or a call begins or ends, or a person decides
   * something. `by`: how many turning points further; back if it is negative.
   */
  readonly skip: (by: number) => void
  /** Plays the log, `rate` times as fast as it was. A pause in which nothing happened is cut to 2 s. */
  readonly play: (rate?: number) => void
  /** Pauses. */
  readonly pause: () => void
  /** Shows the agent itself again, live. */
  readonly exit: () => void
}

/**
 * Shows an agent as it was at any moment of its log. Nothing is run, and no model is asked: give `agent` of the result to
 * the components that show the agent, and they show that moment. Going to a position costs the same in a long log as in a
 * short one.
 *
 * @example
 * ```tsx
 * function Page() {
 *   const { agent: shown, position, length, seek } = useReplay(agent)
 *   return (
 *     <>
 *       <Conversation agent={shown} />
 *       <input type="range" max={length} value={position ?? length} onChange={(event) =>
 * seek(event.target.valueAsNumber)} />     </>   ) }
 * ```
 */
export function useReplay<T extends Tool = Tool>(agent: Agent<T>): ReplayView<T>
export function useReplay(agent: Agent): ReplayView {
  const { length, error } = useEventRecord(agent)
  const { get, subscribe, ...commands } = useMemo(() => createReplayControl(agent), [agent])
  const current = useSyncExternalStore(subscribe, get, get)
  return { ...current, length, error, ...commands }
}
