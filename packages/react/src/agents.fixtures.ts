import type { Agent, AgentOptions, ModelChunk } from '@offthread/core'
import { createAgentIn } from '../../core/src/agent/create-agent.ts'
import { createDeferred } from '../../core/src/internal/deferred.ts'
import type { ManualEnvironment } from '../../core/src/runtime/environment.fixtures.ts'
import { createManualEnvironment } from '../../core/src/runtime/environment.fixtures.ts'
import { workerTool } from '../../core/src/runtime/worker-tool.fixtures.ts'
import type { FakeWorkers } from '../../core/src/testing/fake-workers.ts'
import { fakeWorkers } from '../../core/src/testing/fake-workers.ts'

/** An agent whose model and tools do what the test makes them do, in frames that the test shows. */
export interface PlayedAgent {
  readonly agent: Agent
  readonly environment: ManualEnvironment
  readonly host: FakeWorkers
  /** Streams chunks of the answer that is being written. */
  readonly stream: (...chunks: readonly ModelChunk[]) => void
  /** How many views follow the agent. */
  readonly followers: () => number
}

export function createPlayedAgent(
  toolNames: readonly string[] = ['work'],
  options: Partial<AgentOptions> = {},
): PlayedAgent {
  const environment = createManualEnvironment()
  const host = fakeWorkers(
    toolNames.map((name) => workerTool(name)),
    { clock: environment.clock },
  )
  const queue: ModelChunk[] = []
  let more = createDeferred<void>()
  const wake = () => {
    more.resolve()
    more = createDeferred()
  }
  const agent = createAgentIn(
    {
      model: {
        identity: { provider: 'test', id: 'test' },
        stream: async function* (_, { signal }) {
          signal.addEventListener('abort', wake)
          while (!signal.aborted) {
            const chunk = queue.shift()
            if (chunk) yield chunk
            else await more.promise
          }
        },
      },
      tools: host,
      ...options,
    },
    environment,
  )
  const { subscribe } = agent.store
  let followers = 0
  return {
    agent: {
      ...agent,
      store: {
        ...agent.store,
        subscribe: (listener) => {
          const leave = subscribe(listener)
          followers += 1
          return () => {
            followers -= 1
            leave()
          }
        },
      },
    },
    environment,
    host,
    followers: () => followers,
    stream: (...chunks) => {
      queue.push(...chunks)
      wake()
    },
  }
}

const usage = { inputTokens: 1, outputTokens: 1 }

export const textStart: ModelChunk = { type: 'text_start', contentIndex: 0 }
export const textEnd: ModelChunk = { type: 'text_end', contentIndex: 0 }
export const stopped: ModelChunk = { type: 'finish', stopReason: 'stop', usage }

export function textDelta(delta: string): ModelChunk {
  return { type: 'text_delta', contentIndex: 0, delta }
}

/** A whole answer of one text. */
export function answer(text: string): readonly ModelChunk[] {
  return [textStart, textDelta(text), textEnd, stopped]
}

/** A whole answer that calls these tools. */
export function calls(...toolNames: readonly string[]): readonly ModelChunk[] {
  return [
    ...toolNames.flatMap((toolName, contentIndex): readonly ModelChunk[] => [
      { type: 'toolcall_start', contentIndex, toolName },
      { type: 'toolcall_end', contentIndex },
    ]),
    { type: 'finish', stopReason: 'tool_use', usage },
  ]
}
