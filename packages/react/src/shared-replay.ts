import type { Agent, AgentEvent } from '@offthread/core'
import { createReplay, type Replay } from '@offthread/core/log'

const replays = new WeakMap<readonly AgentEvent[], Replay>()

/** The replay of a log, which all that look at the log share: going through a long one costs time only once. */
export function replayOf(agent: Agent, events: readonly AgentEvent[]): Replay {
  const replay = replays.get(events) ?? createReplay(events, { tools: agent.getTools() })
  replays.set(events, replay)
  return replay
}
