import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { memoryStorage } from '../storage/memory.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { testAgent } from '../testing/test-agent.ts'
import { defineTool } from '../tools/definition.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'
import type { AgentOptions } from './options.ts'

// In Jest, and between a page and its frames, objects come from another realm: they have another Object.prototype, and
// their errors are no instances of Error.
const parse: (text: string) => never = runInNewContext('JSON.parse')
const foreign = (value: unknown) => parse(JSON.stringify(value))
const errors: readonly object[] = [
  runInNewContext('new RangeError("It broke.")'),
  runInNewContext('Object.defineProperty(new Error("It broke."), "name", { value: "E" })'),
]

const add = defineTool({
  ...{ name: 'add', description: 'Adds.', place: 'page' },
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ n: z.number() }),
})

function agentWith(options: Partial<AgentOptions>, code: (n: number) => { n: number }) {
  const tools = inPage([
    implement(add, ({ n }, { log }) => {
      log(errors[0])
      return code(n)
    }),
  ])
  const model = scriptedModel([call('add', { n: 1 })], [say('Done.')], [say('Again.')])
  const made = testAgent({ model, tools, ...options })
  onTestFinished(() => made.agent.dispose())
  return made
}

test('hooks may return what they were given, and a session may be read, as another realm has it', async () => {
  vi.stubGlobal('structuredClone', foreign)
  onTestFinished(() => void vi.unstubAllGlobals())
  const kept = memoryStorage()
  const storage = {
    ...kept,
    read: async (...asked: Parameters<typeof kept.read>) => foreign(await kept.read(...asked)),
  }
  const options: Partial<AgentOptions> = {
    ...{ storage, sessionId: 'session' },
    hooks: {
      beforeToolCall: ({ args }) => ({ args }),
      afterToolCall: () => ({ details: foreign({ was: 1 }), structuredContent: foreign({ n: 2 }) }),
    },
  }
  const first = agentWith(options, (n) => ({ n: n + 1 }))
  await first.agent.prompt('Go.')

  expect(first.eventsOf('warning')).toEqual([])
  expect(first.eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'succeeded', result: { structuredContent: { n: 2 } } },
  ])
  await first.agent.stored()
  first.agent.dispose()
  const { agent } = agentWith(options, (n) => ({ n }))
  await agent.ready
  expect(agent.getState()).toMatchObject({ access: 'owner', storage: 'memory' })
  await expect(agent.retryTool('call_1', { args: foreign({ n: 3 }) })).resolves.toMatchObject({
    reason: 'stop',
  })
})

test.for(errors)('[T1] an error of another realm says what is wrong: %o', async (error) => {
  const { agent, eventsOf } = agentWith({}, () => {
    throw error
  })

  await agent.prompt('Go.')

  expect(eventsOf('tool_execution_end')).toMatchObject([
    { result: { content: [{ text: 'It broke.' }], details: { stack: expect.any(String) } } },
  ])
  expect(eventsOf('tool_log')).toMatchObject([
    { lines: [{ text: expect.stringContaining('RangeError: It broke.') }] },
  ])
})

test.for(errors)('[I3] so does one that a model throws: %o', async (error) => {
  const identity = { provider: 'own', id: 'm' }
  const model = {
    identity,
    stream: () => {
      throw error
    },
  }
  const { agent } = agentWith({ model }, (n) => ({ n }))

  expect(await agent.prompt('Go.')).toMatchObject({ error: { message: 'It broke.' } })
})
