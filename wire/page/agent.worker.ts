import type { AgentEvent, RunResult } from '../../packages/core/src/index.ts'
import type { Protocol } from '../exchange.ts'
import { converse } from './conversation.ts'
import { modelAt } from './models.ts'

/** What an agent in a worker is asked to do. */
export interface WorkerQuestion {
  readonly protocol: Protocol
  readonly baseURL: string
}

/** What came of it. */
export interface WorkerAnswer {
  readonly result: RunResult
  readonly events: readonly AgentEvent[]
}

addEventListener('message', ({ data }: MessageEvent<WorkerQuestion>) => {
  const { agent, events } = converse(modelAt(data.baseURL, data.protocol))
  void agent.prompt('What time is it?').then((result) => {
    postMessage({ result, events } satisfies WorkerAnswer)
  })
})
