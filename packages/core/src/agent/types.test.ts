import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  type Agent,
  type AgentOptions,
  createAgent,
  defineTool,
  implement,
  inPage,
  type JsonObject,
  type Part,
  type RunResult,
} from '../index.ts'
import { scriptedModel } from '../testing.ts'

test('an agent needs a model, and takes nothing that is misspelled', () => {
  expectTypeOf(createAgent).parameter(0).toEqualTypeOf<AgentOptions>()
  expectTypeOf(createAgent).returns.toEqualTypeOf<Agent>()
  const wrong = () => [
    // @ts-expect-error: there is no model
    createAgent({}),
    // @ts-expect-error: no limit is null, not undefined
    createAgent({ model: scriptedModel(), maxTurns: undefined }),
    // @ts-expect-error: it is maxTurns
    createAgent({ model: scriptedModel(), maxTurn: 5 }),
    // @ts-expect-error: a tool alone has no code
    createAgent({ model: scriptedModel(), tools: [defineTool({ ...definition })] }),
  ]
  expectTypeOf(wrong).toBeFunction()
})

test('tools come from one host or from several', () => {
  const host = inPage([implement(defineTool({ ...definition }), ({ n }) => n)])

  expectTypeOf(host).toExtend<NonNullable<AgentOptions['tools']>>()
  expectTypeOf([host, host] as const).toExtend<NonNullable<AgentOptions['tools']>>()
})

test('a prompt is text, parts or a message, and resolves with a result that can only be read', () => {
  const plain = (agent: Agent) => agent.prompt('Hi.', { after: null })
  expectTypeOf(plain).returns.toEqualTypeOf<Promise<RunResult<never>>>()
  expectTypeOf<string | readonly Part[]>().toExtend<Parameters<Agent['prompt']>[0]>()
  const message = { role: 'user', content: 'Hi.' } as const
  expectTypeOf(message).toExtend<Parameters<Agent['steer']>[0]>()
  const wrong = (agent: Agent, result: RunResult) => {
    // @ts-expect-error: a part has a type
    void agent.prompt([{ text: 'Hi.' }])
    // @ts-expect-error: a result is not changed
    result.messages = []
    // @ts-expect-error: a state is not changed
    agent.getState().status = 'ready'
  }
  expectTypeOf(wrong).toBeFunction()
})

test('[O1] the schema of an output gives the result its type', () => {
  const schema = z.object({ day: z.string().transform((text) => new Date(text)) })
  const words = { type: 'object', properties: {} } as const
  const asks = (agent: Agent) => ({
    parsed: agent.prompt('When?', {
      output: schema,
      onPartial: ({ day }) => expectTypeOf(day).toEqualTypeOf<string | undefined>(),
    }),
    plain: agent.continue({ output: words }),
    again: agent.regenerate({ output: schema, maxRepairs: 0 }),
  })
  type Asks = ReturnType<typeof asks>
  expectTypeOf<Asks['parsed']>().toEqualTypeOf<Promise<RunResult<{ day: Date }>>>()
  expectTypeOf<Asks['plain']>().toEqualTypeOf<Promise<RunResult<JsonObject>>>()
  expectTypeOf<Asks['again']>().toEqualTypeOf<Promise<RunResult<{ day: Date }>>>()
  expectTypeOf<RunResult<{ day: Date }>['output']>().toEqualTypeOf<{ day: Date } | undefined>()
  expectTypeOf<RunResult<never>['output']>().toEqualTypeOf<undefined>()
  const wrong = (agent: Agent, result: RunResult<{ day: Date }>) => [
    // @ts-expect-error: a text is no schema
    agent.prompt('When?', { output: 'day' }),
    // @ts-expect-error: an answer is an object
    agent.prompt('When?', { output: z.string() }),
    // @ts-expect-error: there is no output to have parts of
    agent.prompt('When?', { onPartial: () => {} }),
    // @ts-expect-error: the schema has no year
    agent.prompt('When?', { output: schema, onPartial: ({ year }) => void year }),
    // @ts-expect-error: there may be no output
    result.output.day,
    // @ts-expect-error: a run in words has none
    agent.prompt('Hi.').then(({ output }) => void output.day),
  ]
  expectTypeOf(wrong).toBeFunction()
})

test('events are distinguished by their type', () => {
  const read = (agent: Agent) =>
    agent.subscribe((event) => {
      if (event.type !== 'tool_execution_end') return
      expectTypeOf(event.outcome).toExtend<string>()
      expectTypeOf(event.timing.runMs).toBeNumber()
      // @ts-expect-error: the end of a call has no reason
      expectTypeOf(event.reason).toBeString()
    })
  expectTypeOf(read).returns.toEqualTypeOf<() => void>()
})

test('what a card shows of a call is optional until it is known', () => {
  const read = (agent: Agent) => agent.getState().toolCalls.get('call_1')
  expectTypeOf<NonNullable<ReturnType<typeof read>>['result']>().toBeNullable()
  expectTypeOf<NonNullable<ReturnType<typeof read>>['hasEnded']>().toBeBoolean()
  expectTypeOf(read).returns.toBeNullable()
})

const definition = {
  name: 'double',
  description: 'Doubles.',
  place: 'page',
  inputSchema: z.object({ n: z.number() }),
} as const
