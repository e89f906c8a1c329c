import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { calling, executed } from '../loop/loop.fixtures.ts'
import { createManualEnvironment } from '../runtime/environment.fixtures.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'
import { pageTools, watchedAgent } from './agent.fixtures.ts'
import { agentTool } from './agent-tool.ts'

const model = () => scriptedModel([call('count')], [say('Done.')])

/** A tool that reports 1, 2 and 3 without a pause, and the clock of its agent. */
function counting(updateIntervalMs?: number | null) {
  const environment = createManualEnvironment()
  const tool = defineTool({
    ...{ name: 'count', description: 'Counts.', place: 'page', inputSchema: z.object({}) },
    ...(updateIntervalMs !== undefined && { updateIntervalMs }),
  })
  const code = implement(tool, (_, { onProgress }) => {
    for (const value of [1, 2, 3]) onProgress({ value })
  })
  return { environment, tools: inPage([code], environment) }
}

test.for([
  { agent: undefined, tool: undefined, received: [1, 3] },
  { agent: 0, tool: undefined, received: [1, 2, 3] },
  { agent: 0, tool: null, received: [1, 2, 3] },
  { agent: undefined, tool: 0, received: [1, 2, 3] },
  { agent: 0, tool: 50, received: [1, 3] },
])(
  '[I39] [S000-6] [S003-7] reports are coalesced as the tool says, else as the agent: %o',
  async ({ agent: ofAgent, tool, received }) => {
    const { environment, tools } = counting(tool)
    const interval = ofAgent === undefined ? {} : { updateIntervalMs: ofAgent }
    const { agent, eventsOf } = watchedAgent({ model: model(), tools, ...interval }, environment)

    await agent.prompt('Go.')

    expect(eventsOf('tool_progress').map(({ value }) => value)).toEqual(received)
  },
)

describe('an interval of 0 counts, too,', () => {
  test('in an own loop', async () => {
    const { environment, tools } = counting()
    const { done, events } = executed(
      { message: calling('count'), tools, updateIntervalMs: 0 },
      environment,
    )

    await done

    expect(
      events.flatMap((event) => (event.type === 'tool_progress' ? [event.value] : [])),
    ).toEqual([1, 2, 3])
  })

  test('for the tools of an agent inside a call', async () => {
    const { environment, tools } = counting()
    const leftOut: object = { updateIntervalMs: undefined }
    const inner = agentTool({
      ...{ name: 'inner', description: 'Asks.', inputSchema: z.object({}), prompt: () => 'Go.' },
      agent: { model: model(), tools, ...leftOut },
    })
    const outer = scriptedModel([call('inner')], [say('Done.')])
    const { agent, eventsOf } = watchedAgent(
      { model: outer, tools: inner, updateIntervalMs: 0 },
      environment,
    )

    await agent.prompt('Go.')

    expect(eventsOf('tool_progress').map(({ value }) => value)).toEqual([1, 2, 3])
  })
})

test('[W9] [S001-3] a flood of words and of events to be stored says how much is missing, where it is missing', async () => {
  const environment = createManualEnvironment()
  let refused = 0
  const tools = pageTools(environment, {
    count: ({ onProgress, custom }) => {
      onProgress({ status: 'starting' })
      for (let i = 0; i < 50_000; i++) {
        onProgress({ status: `step ${i}` })
        try {
          custom('kept', i, { durable: true })
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          refused += 1
        }
      }
      onProgress({ status: 'complete' })
      return 'ok'
    },
  })
  const { agent, events, eventsOf } = watchedAgent({ model: model(), tools }, environment)

  await agent.prompt('Go.')

  const words = eventsOf('tool_progress').map(({ status }) => status)
  const missing = eventsOf('tool_log').map(({ dropped }) => dropped)
  expect(words[0]).toBe('starting')
  expect(words.at(-1)).toBe('complete')
  expect(eventsOf('tool_custom').map(({ data }) => data)).toEqual(
    Array.from({ length: 200 }, (_, i) => i),
  )
  expect(refused).toBe(49_800)
  expect(words.length + missing.reduce((sum, one) => sum + one, 0)).toBe(50_002)
  expect(events.length).toBeLessThan(3000)
})
