import {
  type Agent,
  type AgentOptions,
  createAgent,
  inWorkers,
} from '../../packages/core/src/index.ts'
import { benchTool } from './bench-tool.ts'
import { type WatchedWorkers, watchWorkers } from './watched-workers.ts'

export interface WatchedAgent extends WatchedWorkers {
  readonly agent: Agent
}

type Options = Pick<AgentOptions, 'model' | 'maxConcurrency' | 'abortGraceMs'>

/** An agent that records its workers. */
export function watchedAgent(options: Options, url = '/tools.js'): WatchedAgent {
  const watched = watchWorkers(url)
  const agent = createAgent({
    tools: inWorkers([benchTool], watched.spawn),
    maxCallsPerTurn: 100,
    loopDetection: null,
    ...options,
  })
  return { ...watched, agent }
}

/** Resolves when so many calls of an agent have sent an update. */
export function firstUpdates(agent: Agent, calls: number): Promise<void> {
  const updated = new Set<string>()
  return new Promise((resolve) => {
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_update') updated.add(event.toolCallId)
      if (updated.size === calls) resolve()
    })
  })
}
