import {
  type Agent,
  type AgentOptions,
  defineTool,
  type ModelChunk,
  type Tool,
} from '@offthread/core'
import { jsonSchema } from '@offthread/core/json-schema'
import {
  type FakeClock,
  type FakeWorkers,
  fakeClock,
  fakeWorkers,
  testAgent,
} from '@offthread/core/testing'
import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** An agent whose model and tools do what the test makes them do. */
export interface PlayedAgent {
  readonly agent: Agent
  readonly clock: FakeClock
  readonly host: FakeWorkers
  /** Streams chunks of the current answer. */
  readonly stream: (...chunks: readonly ModelChunk[]) => void
  /** The number of views that follow the agent. */
  readonly followers: () => number
}

/** A tool that takes any object. */
export function workerTool(name: string): Tool {
  return defineTool({
    name,
    label: `Label of ${name}`,
    description: 'Does what the test makes it do.',
    inputSchema: jsonSchema({ type: 'object' }),
  })
}

export function createPlayedAgent(
  toolNames: readonly string[] = ['work'],
  options: Partial<AgentOptions> = {},
): PlayedAgent {
  const clock = fakeClock()
  const host = fakeWorkers(toolNames.map(workerTool), { clock })
  const queue: ModelChunk[] = []
  let wake = () => {}
  const { agent } = testAgent(
    {
      model: {
        identity: { provider: 'test', id: 'test' },
        stream: async function* (_, { signal }) {
          signal.addEventListener('abort', () => wake())
          while (!signal.aborted) {
            const chunk = queue.shift()
            if (chunk) yield chunk
            else await new Promise<void>((resolve) => (wake = resolve))
          }
        },
      },
      tools: host,
      ...options,
    },
    { clock },
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
    clock,
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

/** An answer of one text. */
export function answer(text: string): readonly ModelChunk[] {
  return [textStart, textDelta(text), textEnd, stopped]
}

/** An answer that calls these tools. */
export function calls(...toolNames: readonly string[]): readonly ModelChunk[] {
  return [
    ...toolNames.flatMap((toolName, contentIndex): readonly ModelChunk[] => [
      { type: 'toolcall_start', contentIndex, toolName },
      { type: 'toolcall_end', contentIndex },
    ]),
    { type: 'finish', stopReason: 'tool_use', usage },
  ]
}

/**
 * Does something and waits for what follows from it without time passing. Returns a function that reads the outcome.
 */
export async function doing<Result>(
  action: () => Promise<Result> | Result,
): Promise<() => Promise<Result> | Result> {
  let result: Promise<Result> | Result
  await act(async () => {
    result = action()
    await new Promise((resolve) => setTimeout(resolve))
    // What an agent imports takes no time of its clock.
    await vi.dynamicImportSettled()
  })
  return () => result
}

/** Streams chunks of the current answer, and waits for what follows. */
export async function streaming(
  { stream }: PlayedAgent,
  ...chunks: readonly ModelChunk[]
): Promise<void> {
  await doing(() => stream(...chunks))
}

/** Events are shown some time after they come, by code that may still be loading. */
export async function shownSoon(): Promise<void> {
  await act(async () => {
    await vi.dynamicImportSettled()
    await new Promise((resolve) => setTimeout(resolve, 40))
  })
}

/** An agent after a run of one call and an answer. */
export async function talked(): Promise<PlayedAgent> {
  const played = createPlayedAgent()
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  await doing(() => played.host.worker('work').answer('worked'))
  await streaming(played, ...answer('Done.'))
  return played
}
