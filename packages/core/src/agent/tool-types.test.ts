import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  type Agent,
  type AgentHooks,
  type AgentState,
  type AgentStore,
  agentTool,
  createAgent,
  defineTool,
  implement,
  inClient,
  inPage,
  type Json,
  type ToolCallView,
} from '../index.ts'
import { scriptedModel } from '../testing.ts'
import type { ToolOptions } from '../tools/definition.ts'
import type { ToolSchema } from '../tools/tool-schema.ts'
import type { ToolOutput } from '../tools/tool-types.ts'

const double = defineTool({
  name: 'double',
  description: 'Doubles.',
  place: 'page',
  inputSchema: z.object({ n: z.number(), unit: z.string().optional() }),
  outputSchema: z.object({ twice: z.number() }),
})
const pick = defineTool({
  name: 'pick',
  description: 'Has the user pick a date.',
  place: 'client',
  inputSchema: z.object({ min: z.string() }),
  outputSchema: z.object({ date: z.string() }),
})
const note = defineTool({
  name: 'note',
  description: 'Notes.',
  place: 'page',
  inputSchema: z.object({ text: z.string() }),
})
const model = scriptedModel()
const page = inPage([
  implement(double, ({ n }) => ({ twice: 2 * n })),
  implement(note, ({ text }) => text),
])
const client = inClient([pick])

/** Never called: the compiler checks its content. */
const make = () => createAgent({ model, tools: [page, client] })
type Made = ReturnType<typeof make>

test('an agent has the types of its tools, from one host or from several', () => {
  const one = () => createAgent({ model, tools: client })
  expectTypeOf<Made>().toEqualTypeOf<Agent<typeof double | typeof note | typeof pick>>()
  expectTypeOf<ReturnType<typeof one>>().toEqualTypeOf<Agent<typeof pick>>()
})

test('an agent with types of tools is an agent', () => {
  const take = (agent: Agent) => agent.getState().toolCalls.get('call_1')
  const pass = (agent: Made) => {
    expectTypeOf(take(agent)).toEqualTypeOf<ToolCallView | undefined>()
    const state: AgentState = agent.getState()
    return state
  }
  expectTypeOf(pass).toBeFunction()
  const any = (options: { readonly tools: readonly (typeof page)[] }) =>
    createAgent({ model, ...options })
  expectTypeOf(any).returns.toExtend<Agent>()
  expectTypeOf(createAgent({ model })).toEqualTypeOf<Agent>()
})

test('an agent with other tools, or with more, is no agent with some', () => {
  type Picks = typeof pick
  const agents = (any: Agent, more: Made) => {
    // @ts-expect-error: it may have any tools
    const ofAny: Agent<Picks> = any
    // @ts-expect-error: it has more tools
    const ofMore: Agent<Picks> = more
    return [ofAny, ofMore]
  }
  const states = (any: AgentState, more: AgentState<Picks | typeof double>) => {
    // @ts-expect-error: its calls may be of any tools
    const ofAny: AgentState<Picks> = any
    // @ts-expect-error: its calls are of more tools
    const ofMore: AgentState<Picks> = more
    return [ofAny, ofMore]
  }
  // @ts-expect-error: its calls may be of any tools
  const store = (any: AgentStore): AgentStore<Picks> => any
  expectTypeOf([agents, states, store]).toBeArray()
})

test('the name of its tool gives a call its types', () => {
  const read = (agent: Made) => {
    const call = agent.getState().toolCalls.get('call_1')
    if (call?.toolName === 'double') {
      expectTypeOf(call.output).toEqualTypeOf<{ twice: number } | undefined>()
      if (call.hasValidArgs) expectTypeOf(call.args.n).toBeNumber()
      // @ts-expect-error: they may be half written, or not fit
      call.args.n
    }
    if (call?.toolName === 'note') expectTypeOf(call.output).toBeUnknown()
    // @ts-expect-error: it is twice
    if (call?.toolName === 'double') call.output?.thrice
    // @ts-expect-error: there is no such tool
    if (call?.toolName === 'triple') call.output.twice
    // @ts-expect-error: without the tool's name its type is unknown
    call?.output?.twice
    return call
  }
  expectTypeOf(read).toBeFunction()
  const readAny = (agent: Agent) => agent.getState().toolCalls.active.map(({ output }) => output)
  expectTypeOf(readAny).returns.toEqualTypeOf<unknown[]>()
})

test('an output is what JSON makes of it', () => {
  const dated = defineTool({
    name: 'dated',
    description: 'Gives a date.',
    place: 'client',
    inputSchema: z.object({}),
    outputSchema: z.object({ at: z.string().transform((text) => new Date(text)) }),
  })
  const optional = defineTool({
    name: 'optional',
    description: 'May give a note.',
    place: 'client',
    inputSchema: z.object({}),
    outputSchema: z.object({ note: z.string().optional() }),
  })
  expectTypeOf<ToolOutput<typeof dated>>().toEqualTypeOf<Json>()
  expectTypeOf<ToolOutput<typeof optional>>().toEqualTypeOf<{ note?: string | undefined }>()
})

test('an answer to a call fits one of its tools, or the one that is named', () => {
  const answer = async (agent: Made) => {
    await agent.addToolResult('call_1', { date: '2026-03-01' }, { toolName: 'pick' })
    await agent.addToolResult('call_1', 'It was closed.', { isError: true })
    await agent.addToolResult('call_1', 'It was closed.', { toolName: 'pick', isError: true })
    const isError = Math.random() < 0.5
    await agent.addToolResult('call_1', { date: '2026-03-01' }, { isError })
    // @ts-expect-error: it fits only as the reason of a failure
    await agent.addToolResult('call_1', 'It was closed.', { toolName: 'pick', isError })
    // @ts-expect-error: it is date
    await agent.addToolResult('call_1', { day: '2026-03-01' }, { toolName: 'pick' })
    // @ts-expect-error: there is no such tool
    await agent.addToolResult('call_1', { date: '2026-03-01' }, { toolName: 'pack' })
  }
  const answerOne = async (agent: Agent<typeof pick>) => {
    await agent.addToolResult('call_1', { date: '2026-03-01' })
    // @ts-expect-error: no tool of this agent gives that
    await agent.addToolResult('call_1', { day: '2026-03-01' })
  }
  const answerAny = (agent: Agent) => agent.addToolResult('call_1', { anything: 1 })
  expectTypeOf([answer, answerOne, answerAny]).toBeArray()
})

test('[R5] a retry takes the arguments of one of its tools, or of the one that is named', () => {
  const retry = async (agent: Made) => {
    await agent.retryTool('call_1')
    await agent.retryTool('call_1', { toolName: 'double', args: { n: 2 } })
    await agent.retryTool('call_1', { args: { text: 'Buy milk.' } })
    // @ts-expect-error: it is a number
    await agent.retryTool('call_1', { toolName: 'double', args: { n: 'two' } })
    // @ts-expect-error: these are of another tool
    await agent.retryTool('call_1', { toolName: 'double', args: { text: 'Buy milk.' } })
    // @ts-expect-error: n is missing
    await agent.retryTool('call_1', { toolName: 'double', args: { unit: 'm' } })
    // @ts-expect-error: there is no such tool
    await agent.retryTool('call_1', { toolName: 'triple' })
  }
  const retryOne = async (agent: Agent<typeof pick>) => {
    await agent.retryTool('call_1', { args: { min: '2026-03-01' } })
    // @ts-expect-error: no tool of this agent takes that
    await agent.retryTool('call_1', { args: { max: '2026-03-01' } })
  }
  const retryAny = (agent: Agent) => agent.retryTool('call_1', { args: { anything: 1 } })
  expectTypeOf([retry, retryOne, retryAny]).toBeArray()
})

test('the name of its tool gives a hook its types', () => {
  const hooked = () =>
    createAgent({
      model,
      tools: [page, client],
      hooks: {
        beforeToolCall: (call) => {
          if (call.toolName !== 'double') return undefined
          expectTypeOf(call.args).toEqualTypeOf<{ n: number; unit?: string | undefined }>()
          // @ts-expect-error: it is n
          if (call.args.m) return undefined
          return { args: { n: call.args.n + 1 } }
        },
        afterToolCall: (call) => {
          // @ts-expect-error: there is no such tool
          if (call.toolName === 'triple') return undefined
          if (call.toolName !== 'pick') return undefined
          expectTypeOf(call.result.structuredContent).toEqualTypeOf<{ date: string } | undefined>()
          return { content: call.result.structuredContent?.date ?? '' }
        },
      },
    })
  expectTypeOf(hooked).toBeFunction()
})

test('hooks for any tools fit an agent with types of tools', () => {
  const hooks: AgentHooks = {
    beforeToolCall: ({ args }) =>
      'n' in args && args.n === 1 ? { block: true } : { args: { ...args, n: 1 } },
    afterToolCall: ({ isError }) => (isError ? { details: { isError } } : undefined),
  }
  const hooked = () => createAgent({ model, tools: [page, client], hooks })
  const several = () => createAgent({ model, tools: page, hooks: [hooks, hooks] })
  expectTypeOf([hooked, several]).toBeArray()
})

test('the tools of a sub-agent are tools of its parent', () => {
  const research = agentTool({
    name: 'research',
    description: 'Looks something up.',
    inputSchema: z.object({ question: z.string() }),
    prompt: ({ question }) => question,
    agent: {
      tools: page,
      hooks: {
        // @ts-expect-error: there is no such tool
        beforeToolCall: ({ toolName }) => (toolName === 'pick' ? { block: true } : undefined),
      },
    },
  })
  const outer = () => createAgent({ model, tools: [research, client] })
  const read = (agent: ReturnType<typeof outer>) => {
    const call = agent.getState().toolCalls.get('call_1')
    if (call?.toolName === 'research' && call.hasValidArgs) {
      expectTypeOf(call.args).toEqualTypeOf<{ question: string }>()
    }
    if (call?.toolName === 'double')
      expectTypeOf(call.output?.twice).toEqualTypeOf<number | undefined>()
  }
  expectTypeOf(read).toBeFunction()
})

test('an agent can be given other places for its tools, and no other tools', () => {
  const change = (agent: Made) => {
    agent.configure({ tools: client, maxTurns: 3 })
    agent.configure({ tools: [page] })
    // @ts-expect-error: this tool is unknown
    agent.configure({ tools: inClient([defineTool({ ...definition, name: 'pack' })]) })
  }
  expectTypeOf(change).toBeFunction()
})

test('a resource of a call is bytes, a bitmap or a module', () => {
  const tool = (resources: ToolOptions<'read', ToolSchema, undefined>['resources']) => resources
  const right = (module: WebAssembly.Module) => tool(() => ({ module, file: new Blob() }))
  // @ts-expect-error: a text is no bytes
  const wrong = () => tool(() => ({ file: 'text' }))
  expectTypeOf([right, wrong]).toBeArray()
})

test('what a call may be answered with is JSON', () => {
  expectTypeOf<ToolCallView['result']>().toExtend<{ structuredContent?: Json } | undefined>()
})

const definition = {
  description: 'Packs.',
  place: 'client',
  inputSchema: z.object({ min: z.string() }),
} as const
