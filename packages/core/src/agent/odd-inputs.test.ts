import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Model, type ModelChunk, ModelError } from '../model/port.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import type { AgentHooks } from '../runtime/hooks.ts'
import { memoryStorage } from '../storage/memory.ts'
import { call, hold, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { pageTools, passTime, watchedAgent } from './agent.fixtures.ts'
import type { Agent } from './create-agent.ts'
import type { AgentOptions } from './options.ts'

// JavaScript lets an app pass anything. Each stored event has to have the form that the next opening asks for: every agent
// of the tests is judged by that (D53 in `rules/log.ts`).

const long = 'n'.repeat(1001)
const image = [{ type: 'image', mediaType: long, data: 'AA' }] as const
const usage = { inputTokens: 1, outputTokens: 1 }

type Chunks = () => AsyncIterable<unknown>

function ownModel(stream: Chunks, identity: unknown = { provider: 'own', id: 'm' }): Model {
  return { identity, stream } as Model
}

const yielding = (...chunks: readonly unknown[]): Model =>
  ownModel(async function* () {
    yield* chunks
  })

const failing = (error: object): Model => ({
  ...yielding(),
  stream: () => {
    throw new ModelError(error as ModelError['error'])
  },
})

const opaque = (data: unknown) => [
  { type: 'opaque_start', contentIndex: 0, data },
  { type: 'opaque_end', contentIndex: 0 },
]
const finish = { type: 'finish', stopReason: 'stop', usage }

const hooked = (hooks: { readonly [Name in keyof AgentHooks]: () => unknown }) => ({
  hooks: hooks as AgentHooks,
})

const odd: readonly (readonly [string, Partial<AgentOptions>])[] = [
  ['a name of a tool in an answer', { model: scriptedModel([call(long)], [say('Ok.')]) }],
  ['a block of a model with undefined', { model: yielding(...opaque({ a: undefined }), finish) }],
  ['a block of a model with -0', { model: yielding(...opaque({ a: [-0] }), finish) }],
  [
    'a usage with __proto__',
    { model: yielding({ ...finish, usage: { ...usage, ['__proto__']: 1 } }) },
  ],
  [
    'the fields of an identity',
    {
      model: ownModel(yielding(finish).stream as Chunks, {
        provider: 'own',
        id: 'm',
        more: () => {},
      }),
    },
  ],
  ['an error whose message is no text', { model: failing({ kind: 'auth', message: 7 }) }],
  ['an error without fields', { model: failing({}) }],
  [
    'an error with details that are not JSON',
    { model: failing({ kind: 'auth', message: 'No.', details: { a: 1n } }) },
  ],
  [
    'an error with a pause that is no number',
    {
      model: failing({
        kind: 'overloaded',
        message: 'No.',
        retryable: true,
        retryAfterMs: Number.NaN,
      }),
    },
  ],
  ['the kind of an error', { model: failing({ kind: long, message: 'No.', retryable: false }) }],
  [
    'the reason of a refused prompt',
    hooked({ onUserPromptSubmit: () => ({ block: true, reason: 7 }) }),
  ],
  [
    'the reason of a blocked call',
    hooked({ beforeToolCall: () => ({ block: true, reason: {}, terminate: 'yes' }) }),
  ],
  ['a media type of a prompt', hooked({ onUserPromptSubmit: () => ({ content: image }) })],
  ['a media type of a changed result', hooked({ afterToolCall: () => ({ content: image }) })],
  ['whether a changed result is an error', hooked({ afterToolCall: () => ({ isError: 7 }) })],
]

test.for(odd)('[D53] the session can be opened again, whatever is %s', async ([, options]) => {
  const environment = createManualEnvironment()
  const storage = memoryStorage()
  const tools = pageTools(environment, { look: () => image })
  const model = scriptedModel([call('look')], [say('Ok.')])
  const given = { model, tools, retry: null, ...options, storage, sessionId: 'session_1' }
  const { agent } = watchedAgent(given, environment)
  await agent.ready

  await passTime(environment, agent.prompt('Go.'))
  agent.dispose()

  const next = watchedAgent({ model, storage, sessionId: 'session_1' }, environment)
  await next.agent.ready
  expect(next.agent.getState()).toMatchObject({ access: 'owner', storage: 'memory' })
  next.agent.dispose()
})

/** An agent in a stored session that is opened once more when the test has done something to it. */
async function played(options: Partial<AgentOptions>, act: (agent: Agent) => Promise<void>) {
  const environment = createManualEnvironment()
  const storage = memoryStorage()
  const model = scriptedModel([call('pick')], [say('Ok.')])
  const given = { model, ...options, storage, sessionId: 'session_1' }
  const { agent } = watchedAgent(given, environment)
  await agent.ready
  await act(agent)
  await quiet()
  agent.dispose()
  const next = watchedAgent({ model, storage, sessionId: 'session_1' }, environment)
  await next.agent.ready
  expect(next.agent.getState()).toMatchObject({ access: 'owner', storage: 'memory' })
  next.agent.dispose()
}

const picking = {
  tools: inClient([
    defineTool({ name: 'pick', description: 'x', place: 'client', inputSchema: z.object({}) }),
  ]),
}

test('[D53] an event in place of the reason of a stop is none', async () => {
  const model = scriptedModel([say('Half'), hold()])

  await played({ model }, async ({ prompt, abort }) => {
    const done = prompt('Go.')
    await quiet()
    // As `onclick = agent.abort` does.
    abort(Object.assign(() => {}, { type: 'click' }) as unknown as string)
    expect(await done).toMatchObject({ reason: 'aborted', text: 'Half' })
  })
})

test('[D53] a prompt and an answer may have any media type', async () => {
  await played(picking, async (agent) => {
    await agent.prompt(image)
    await agent.addToolResult('call_1', image)
  })
})

test('[D53] whether an answer is an error has to be said with true or false', async () => {
  await played(picking, async (agent) => {
    await agent.prompt('Go.')
    const isError = 'yes' as unknown as boolean
    await expect(agent.addToolResult('call_1', 'x', { isError })).rejects.toThrow(
      'isError must be true or false.',
    )
    await agent.addToolResult('call_1', 'x')
  })
})

test('[A5] what is no answer to an approval is refused in a sentence', async () => {
  await played(
    {
      ...picking,
      approvalMode: 'pause',
      ...hooked({ beforeToolCall: () => ({ requireApproval: true }) }),
    },
    async (agent) => {
      await agent.prompt('Go.')
      for (const response of [undefined, null, 'approve']) {
        expect(() => agent.respondToApproval('call_1', response as never)).toThrow(
          "The decision must be 'approve', 'deny' or 'edit'.",
        )
      }
    },
  )
})

test.each([
  undefined,
  null,
  {},
  { provider: 'own' },
  { provider: 7, id: 'm' },
  { provider: 'own', id: long },
])('[D53] a model with the identity %o is refused', (identity) => {
  const model = { ...yielding(finish), identity } as Model

  expect(() => watchedAgent({ model })).toThrow(/^A model needs an identity of two short texts/)
})

test('[D53] a label has to be a text', () => {
  const options = { name: 'pick', description: 'x', label: 7 as unknown as string }

  expect(() => defineTool({ ...options, inputSchema: z.object({}) })).toThrow(
    'The label of tool "pick" must be a text.',
  )
})

describe('[M12] a model of the app', () => {
  test('may use the object of a chunk again', async () => {
    const model = ownModel(async function* () {
      const delta = { type: 'text_delta', contentIndex: 0, delta: 'a' }
      yield { type: 'text_start', contentIndex: 0 }
      yield delta
      delta.delta = 'b'
      yield delta
      yield { type: 'text_end', contentIndex: 0 }
      yield finish
    })
    const { agent, eventsOf } = watchedAgent({ model })

    expect(await agent.prompt('Go.')).toMatchObject({ text: 'ab' })
    const steps = eventsOf('message_update').map((event) => event.assistantMessageEvent)
    expect(steps.flatMap((step) => ('delta' in step ? [step.delta] : []))).toEqual(['a', 'b'])
  })

  test.each<readonly [string, unknown]>([
    ['has no usage', { ...finish, usage: null }],
    ['says nothing of its usage', { type: 'finish', stopReason: 'stop' }],
    [
      'throws when it is read',
      {
        get type() {
          throw new Error('No.')
        },
      },
    ],
    [
      'has a name of more than 1,000 characters',
      { type: 'toolcall_start', contentIndex: 0, toolName: long },
    ],
  ])('ends its request as protocol with a chunk that %s', async (_, chunk) => {
    const { agent } = watchedAgent({ model: yielding(chunk as ModelChunk), retry: null })

    expect((await agent.prompt('Go.')).error).toMatchObject({
      kind: 'protocol',
      message: expect.stringMatching(/^The answer was garbled: a chunk is (no|of no)/),
    })
  })

  test('that refuses without a word has the sentence of one that gives no reason', async () => {
    const refusal = { ...finish, stopReason: 'refusal', explanation: ' ' }
    const { agent } = watchedAgent({ model: yielding(refusal) })

    expect((await agent.prompt('Go.')).error?.message).toBe(
      'The model refused to answer. Ask in other words.',
    )
  })
})
