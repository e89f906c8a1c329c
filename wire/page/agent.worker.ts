import type { AgentEvent, RunResult } from '../../packages/core/src/index.ts'
import type { Protocol } from '../exchange.ts'
import { converse } from './conversation.ts'
import { modelAt } from './models.ts'

/** The task of an agent in a worker. */
export interface WorkerQuestion {
  readonly protocol: Protocol
  readonly baseURL: string
}

/** Its result. */
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
