import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { call, hold, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'
import { pageTools, type Watched, watchedAgent } from './agent.fixtures.ts'
import { createAgent } from './create-agent.ts'
import type { AgentOptions } from './options.ts'
import { AgentBusyError, type AgentUsageCode, AgentUsageError } from './usage-errors.ts'

const empty = z.object({})
const pick = defineTool({
  name: 'pick',
  description: 'Picks.',
  place: 'client',
  inputSchema: empty,
})
const page = (name: string) =>
  inPage([
    implement(
      defineTool({ name, description: 'Does.', place: 'page', inputSchema: empty }),
      () => name,
    ),
  ])

/** Options as a caller without types may pass them. */
function untyped<Value>(value: unknown): Value {
  const passed: { readonly value: Value } = Object.assign(Object.create(null), { value })
  return passed.value
}

describe('an agent cannot be created with', () => {
  test('[S004-2] two tools of one name, in one place or in two', () => {
    const model = scriptedModel()

    expect(() => createAgent({ model, tools: [page('a'), page('b'), page('a')] })).toThrow(
      new TypeError('Duplicate tool name: a. Give one of them another name.'),
    )
    expect(() => inClient([pick, pick])).toThrow(/pick/)
  })

  test.for([[''], ['no spaces'], ['ä'], ['x'.repeat(65)], [undefined], [null]])(
    '[S003-1] a tool whose name is %j',
    ([name]) => {
      const define = () =>
        defineTool({ name: untyped<string>(name), description: 'Does.', inputSchema: empty })

      expect(define).toThrow(TypeError)
      expect(define).toThrow('use 1 to 64 letters, digits, "_" or "-"')
    },
  )

  test.for([
    ['no object', z.string()],
    ['what JSON Schema cannot say', z.object({ when: z.date() })],
    ['a big integer', z.object({ n: z.bigint() })],
  ] as const)('[S003-1] a tool whose input is %s', ([, inputSchema]) => {
    expect(() => defineTool({ name: 'a', description: 'Does.', inputSchema })).toThrow(
      /The inputSchema of tool "a" (must describe an object|has no JSON Schema form)/,
    )
  })

  const limits: readonly (readonly [string, Partial<AgentOptions>])[] = [
    ['maxTurns', { maxTurns: -1 }],
    ['maxConcurrency', { maxConcurrency: -1 }],
    ['maxCallsPerTurn', { maxCallsPerTurn: -1 }],
    ['abortGraceMs', { abortGraceMs: -1 }],
    ['maxToolResultChars', { maxToolResultChars: -1 }],
    ['hookTimeoutMs', { hookTimeoutMs: 0 }],
    ['streamIdleMs', { streamIdleMs: -1 }],
    ['updateIntervalMs', { updateIntervalMs: -1 }],
    ['deadlineMs', { deadlineMs: -1 }],
    ['retry.maxAttempts', { retry: { maxAttempts: 0 } }],
    ['retry.baseMs', { retry: { baseMs: -1 } }],
    ['retry.capMs', { retry: { capMs: -1 } }],
    ['budget.maxTokens', { budget: { maxTokens: -1 } }],
    ['budget.maxCost', { budget: { maxCost: -1 } }],
    ['budget.maxCost', { budget: { maxCost: Number.NaN } }],
    ['loopDetection.noteAt', { loopDetection: { noteAt: 1, stopAt: 6 } }],
    ['loopDetection.stopAt', { loopDetection: { noteAt: 3, stopAt: 2 } }],
    ['compaction.thresholdTokens', { compaction: { thresholdTokens: -1, summarize: () => '' } }],
    [
      'compaction.keepTokens',
      { compaction: { thresholdTokens: 1, keepTokens: -1, summarize: () => '' } },
    ],
    ['toolExecution.size', { toolExecution: { type: 'batched', size: -1 } }],
    ['toolExecution', { toolExecution: untyped('serial') }],
    ['toolMode', { toolMode: untyped('automatic') }],
    ['approvalMode', { approvalMode: untyped('ask') }],
    ['steeringMode', { steeringMode: untyped('some') }],
    ['followUpMode', { followUpMode: untyped('some') }],
  ]

  test.for(limits)('[S002-12] a wrong %s, nor changed to it: %j', async ([name, options]) => {
    const model = scriptedModel([say('Hi.')])
    const create = () => createAgent({ model, ...options })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(name)

    const { agent, events } = watchedAgent({ model })
    expect(() => agent.configure(options)).toThrow(name)
    expect(events).toEqual([])
    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })
  })
})

/** An agent after a run with one call that a person has to answer. */
async function waiting(options: Partial<AgentOptions> = {}): Promise<Watched> {
  const model = scriptedModel([call('pick')], [say('Fine.')])
  const watched = watchedAgent({ model, tools: inClient([pick]), ...options })
  await watched.agent.prompt('Go.')
  return watched
}

const approve = { decision: 'approve', argsDigest: 'x' } as const

const misuses: readonly (readonly [
  string,
  AgentUsageCode,
  RegExp,
  () => Watched | Promise<Watched>,
  (agent: Watched['agent']) => unknown,
])[] = [
  [
    'continue before anything was said',
    'nothing_to_continue',
    /Use prompt\(\)/,
    () => watchedAgent({ model: scriptedModel() }),
    (agent) => agent.continue(),
  ],
  [
    'continue after an answer',
    'nothing_to_continue',
    /Use prompt\(\) or regenerate\(\)/,
    async () => {
      const watched = watchedAgent({ model: scriptedModel([say('Hi.')]) })
      await watched.agent.prompt('Go.')
      return watched
    },
    (agent) => agent.continue(),
  ],
  [
    'continue with calls that have no answer',
    'unanswered_calls',
    /call_1 has no answer yet\. Use addToolResult\(\)/,
    waiting,
    (agent) => agent.continue(),
  ],
  [
    'continue in manual mode with calls that have no answer',
    'unanswered_calls',
    /call_1 has no answer yet\. Use addToolResult\(\)/,
    () => waiting({ toolMode: 'manual' }),
    (agent) => agent.continue(),
  ],
  [
    'regenerate before anything was said',
    'nothing_to_continue',
    /Use prompt\(\)/,
    () => watchedAgent({ model: scriptedModel() }),
    (agent) => agent.regenerate(),
  ],
  [
    'answer a call that is unknown',
    'unknown_call',
    /There is no call call_9/,
    waiting,
    (agent) => agent.addToolResult('call_9', 'x'),
  ],
  [
    'answer a call that has its answer',
    'settled_call',
    /has its answer already/,
    async () => {
      const watched = await waiting()
      await watched.agent.addToolResult('call_1', 'x')
      await quiet()
      return watched
    },
    (agent) => agent.addToolResult('call_1', 'y'),
  ],
  [
    'answer a call that was cancelled',
    'settled_call',
    /has its answer already/,
    async () => {
      const watched = await waiting()
      watched.agent.cancelTool('call_1')
      await quiet()
      return watched
    },
    (agent) => agent.addToolResult('call_1', 'y'),
  ],
  [
    'allow a call that does not ask',
    'not_awaiting_approval',
    /does not wait for an approval/,
    waiting,
    (agent) => agent.respondToApproval('call_1', approve),
  ],
  [
    'allow a call that is unknown',
    'unknown_call',
    /There is no call call_9/,
    waiting,
    (agent) => agent.respondToApproval('call_9', approve),
  ],
  [
    'move to a message that is unknown',
    'unknown_message',
    /There is no message msg_9/,
    waiting,
    (agent) => agent.moveHead('msg_9'),
  ],
]

test.for(misuses)(
  'it is refused to %s: %s, and nothing is written',
  async ([, code, message, begin, misuse]) => {
    const { agent, events } = await begin()
    const before = [...events]

    const error = await Promise.resolve()
      .then(() => misuse(agent))
      .then(
        () => null,
        (thrown: unknown) => thrown,
      )

    expect(error).toBeInstanceOf(AgentUsageError)
    expect(error).toMatchObject({
      name: 'AgentUsageError',
      code,
      message: expect.stringMatching(message),
    })
    await quiet()
    expect(events).toEqual(before)
  },
)

test('a call with code of its own cannot be answered from outside', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => new Promise(() => {}) })
  const { agent, events } = watchedAgent({ model: scriptedModel([call('a')]), tools }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  const before = events.length

  await expect(agent.addToolResult('call_1', 'mine')).rejects.toMatchObject({
    name: 'AgentUsageError',
    code: 'not_answerable',
  })

  expect(events).toHaveLength(before)
  agent.abort()
  await quiet()
  environment.clock.advance(250)
  await done
})

test.for([
  ['prompt', (agent: Watched['agent']) => agent.prompt('Two.')],
  ['continue', (agent: Watched['agent']) => agent.continue()],
  ['regenerate', (agent: Watched['agent']) => agent.regenerate()],
  ['move the head', async (agent: Watched['agent']) => agent.moveHead(null)],
  ['configure', async (agent: Watched['agent']) => agent.configure({ system: 'Other.' })],
] as const)('[I2] it is refused to %s in a run', async ([what, misuse]) => {
  const { agent, events } = watchedAgent({ model: scriptedModel([say('So'), hold()]) })
  const done = agent.prompt('One.')
  await quiet()
  const before = [...events]

  await expect(misuse(agent)).rejects.toThrow(AgentBusyError)
  await expect(misuse(agent)).rejects.toThrow(
    `Cannot ${what} while a run is active. Wait for it, or abort() it first.`,
  )

  expect(events).toEqual(before)
  agent.abort()
  await done
})

test.for([
  ['prompt', async (agent: Watched['agent']) => agent.prompt(' ')],
  ['steer', async (agent: Watched['agent']) => agent.steer(' ')],
  ['followUp', async (agent: Watched['agent']) => agent.followUp([])],
] as const)('[S004-4] it is refused to %s an empty input', async ([, misuse]) => {
  const { agent, events } = watchedAgent({ model: scriptedModel() })

  await expect(misuse(agent)).rejects.toThrow(TypeError)
  await expect(misuse(agent)).rejects.toThrow('Pass some text')

  expect(events).toEqual([])
})

test('edited arguments that are no JSON object are refused, and the call continues to wait', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'a' }, { needsApproval: true })
  const { agent, events } = watchedAgent({ model: scriptedModel([call('a')]), tools }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  const { argsDigest = '' } = agent.getState().toolCalls.get('call_1')?.approval ?? {}
  const before = events.length

  for (const args of [[1], 'text', { f: () => {} }, { n: Number.NaN }]) {
    expect(() =>
      agent.respondToApproval('call_1', { decision: 'edit', argsDigest, args: untyped(args) }),
    ).toThrow('Edited arguments must be a JSON object.')
  }

  expect(events).toHaveLength(before)
  expect(agent.getState().status).toBe('awaiting_approval')
  agent.abort()
  await done
})

test('[I25] a disposed agent refuses every command, and has no timer left', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'a' }, { needsApproval: true })
  const { agent, events } = watchedAgent({ model: scriptedModel([call('a')]), tools }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  const before = events.length

  agent.dispose()

  expect(await done).toMatchObject({ reason: 'interrupted' })
  const disposed = 'The agent was disposed. Create a new one.'
  expect(() => agent.respondToApproval('call_1', approve)).toThrow(disposed)
  await expect(agent.addToolResult('call_1', 1)).rejects.toThrow(disposed)
  await expect(agent.continue()).rejects.toThrow(disposed)
  await expect(agent.regenerate()).rejects.toThrow(disposed)
  expect(() => agent.steer('More.')).toThrow(disposed)
  expect(() => agent.followUp('More.')).toThrow(disposed)
  expect(() => agent.clearQueues()).toThrow(disposed)
  expect(() => agent.moveHead(null)).toThrow(disposed)
  expect(environment.clock.pending()).toBe(0)
  expect(events).toHaveLength(before)
})
