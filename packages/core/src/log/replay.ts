import type { AgentEvent } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import type { Message } from '../kernel/message.ts'
import { emptyState, type State } from '../kernel/state.ts'
import { wholeTranscript } from '../kernel/transcript.ts'
import { type AgentState, createProjection } from '../store/agent-state.ts'
import { canNothing } from '../store/can.ts'
import type { Tool } from '../tools/definition.ts'

/** A log, to look at what an agent showed at any moment of it. Nothing is run, and no model is asked. */
export interface Replay<T extends Tool = Tool> {
  /**
   * What an agent showed when the log had this many events: 0 is before the first one. A number outside of the log
   * counts as its nearest end. It allows no commands: `can` says so. The same number gives the same object, until
   * another one is asked for.
   */
  readonly at: (position: number) => AgentState<T>
  /**
   * What `agent.getTranscript()` gave then. While calls of an answer are open, results are cut to the default of
   * `maxToolResultChars`, because the log does not hold that option.
   */
  readonly transcriptAt: (position: number) => readonly Message[]
}

/** What a replay needs besides the log. */
export interface ReplayOptions<T extends Tool = Tool> {
  /** The tools of the agent, for instance `agent.getTools()`: they give cards their types, as they do live. */
  readonly tools?: readonly T[]
}

/** The default of the agent's option `maxToolResultChars`. */
const maxToolResultChars = 10_000

/** The most events that are folded to go to a position, and the most positions whose state is kept. */
const spacing = 256

/**
 * Replays a log: that of `agent.events()`, or one that was stored. The log may grow meanwhile; what is in it may not
 * change. Once the log was folded to its end, going to a position costs the same in a long log as in a short one.
 *
 * @example
 * ```ts
 * const replay = createReplay(events, { tools: agent.getTools() })
 * for (let position = 0; position <= events.length; position++) show(replay.at(position).messages)
 * ```
 */
export function createReplay<T extends Tool = never>(
  log: readonly AgentEvent[],
  options?: ReplayOptions<T>,
): Replay<T>
export function createReplay(
  log: readonly AgentEvent[],
  { tools = [] }: ReplayOptions = {},
): Replay {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const stateAt = createStates(log)
  let last: { readonly position: number; readonly shown: AgentState } | null = null
  const placeOf = (asked: number): number =>
    Math.min(Math.max(0, Math.floor(asked) || 0), log.length)
  return {
    at: (asked) => {
      const position = placeOf(asked)
      if (last?.position === position) return last.shown
      // A new projection for each position: an older one remembers calls that do not exist there yet.
      const project = createProjection((toolName) => byName.get(toolName))
      const shown = {
        ...project(stateAt(position)),
        access: 'read-only',
        storage: 'memory',
        refused: null,
        can: canNothing,
      } as const
      last = { position, shown }
      return shown
    },
    transcriptAt: (asked) => wholeTranscript(stateAt(placeOf(asked)), maxToolResultChars, true),
  }
}

function createStates(log: readonly AgentEvent[]): (position: number) => State {
  /** The states after 0, 256, 512, … events. */
  const kept: State[] = []
  let last: { readonly position: number; readonly state: State } | null = null
  return (position) => {
    kept[0] ??= emptyState(log[0]?.sessionId ?? '')
    const index = Math.min(Math.floor(position / spacing), kept.length - 1)
    let at = { position: index * spacing, state: kept[index] ?? kept[0] }
    if (last && last.position <= position && last.position > at.position) at = last
    let { state } = at
    for (let next = at.position; next < position; next += 1) {
      const event = log[next]
      if (event) state = fold(state, event)
      if ((next + 1) % spacing === 0) kept[(next + 1) / spacing] ??= state
    }
    last = { position, state }
    return state
  }
}
