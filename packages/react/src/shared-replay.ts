import type { Agent, AgentEvent } from '@offthread/core'
import { createReplay, type Replay } from '@offthread/core/log'

const sliceMs = 8
const stepEvents = 256

const replays = new WeakMap<readonly AgentEvent[], Replay>()

/** The replay of a log. All components that show the log share it, so a long log is folded only once. */
export function replayOf(agent: Agent, events: readonly AgentEvent[]): Replay {
  const replay = replays.get(events) ?? createReplay(events, { tools: agent.getTools() })
  replays.set(events, replay)
  return replay
}

/**
 * Folds a part of a log in short tasks, and keeps states on the way, so that a later jump does not hold the page.
 * Returns a function that ends it.
 */
export function goThrough(replay: Replay, from: number, to: number): () => void {
  let position = from
  const next = (): void => {
    const until = performance.now() + sliceMs
    while (position < to && performance.now() < until) {
      position = Math.min(position + stepEvents, to)
      replay.at(position)
    }
    if (position < to) timer = setTimeout(next)
  }
  let timer = setTimeout(next)
  return () => clearTimeout(timer)
}
