import { expect, test } from 'vitest'
import { watchedAgent } from '../agent/agent.fixtures.ts'
import { createDeferred } from '../internal/deferred.ts'
import { type Model, type ModelChunk, ModelError, type ModelRequest } from '../model/port.ts'
import {
  breakOff,
  call,
  fail,
  finish as finishWith,
  hold,
  rawCall,
  say,
  scriptedModel,
  think,
} from '../testing/scripted.ts'
import { quiet } from './environment.fixtures.ts'

const usage = { inputTokens: 3, outputTokens: 2 }
const hello: readonly ModelChunk[] = [
  { type: 'text_start', contentIndex: 0 },
  { type: 'text_delta', contentIndex: 0, delta: 'Hello.' },
  { type: 'text_end', contentIndex: 0 },
]
const finish: ModelChunk = { type: 'finish', stopReason: 'stop', usage }

test('[I5] an answer is written as it streams, and its deltas concatenate to its content', async () => {
  const { agent, eventsOf } = watchedAgent({
    model: scriptedModel([think('Let me think.'), say('The answer is forty-two, as always.')]),
  })

  await agent.prompt('What is the answer?')

  const steps = eventsOf('message_update').map((event) => event.assistantMessageEvent)
  const textAt = (index: number) =>
    steps.map((step) => ('delta' in step && step.contentIndex === index ? step.delta : '')).join('')
  const end = eventsOf('message_end').at(-1)
  expect(end?.message).toMatchObject({
    role: 'assistant',
    stopReason: 'stop',
    content: [
      { type: 'thinking', text: textAt(0), signature: 'signed' },
      { type: 'text', text: textAt(1) },
    ],
  })
  expect(textAt(1)).toBe('The answer is forty-two, as always.')
})

test('[I37] a refused answer is shown, runs nothing and is not sent back', async () => {
  const model = scriptedModel(
    [say('I would rather'), call('add', { a: 1, b: 2 }), finishWith('refusal')],
    [say('Gladly.')],
  )
  const { agent, eventsOf } = watchedAgent({ model })

  const refused = await agent.prompt('Do this.')
  await agent.prompt('Then do that.')

  expect(refused).toMatchObject({ reason: 'refusal', messages: [{ role: 'user' }] })
  expect(eventsOf('tool_execution_start')).toEqual([])
  expect(agent.getState().messages).toHaveLength(4)
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user'])
})

test('a stream that ends without a finish is truncated', async () => {
  const { agent, eventsOf } = watchedAgent({
    model: scriptedModel([say('And so'), breakOff()]),
    retry: null,
  })

  const result = await agent.prompt('Go on.')

  expect(result).toMatchObject({
    reason: 'error',
    text: '',
    error: { kind: 'truncated_stream', retryable: true },
  })
  expect(eventsOf('message_end').at(-1)).toMatchObject({
    excluded: true,
    error: { kind: 'truncated_stream' },
    message: { stopReason: 'error', content: [{ text: 'And so' }] },
  })
})

test('[I18] a failed answer runs none of its calls', async () => {
  const { agent, types } = watchedAgent({
    model: scriptedModel([call('a'), fail('overloaded', 'Too busy.', { retryable: false })]),
  })

  const { reason, error } = await agent.prompt('Go.')

  expect(reason).toBe('error')
  expect(error).toEqual({ kind: 'overloaded', message: 'Too busy.', retryable: false })
  expect(types()).not.toContain('tool_execution_start')
})

const thrown: readonly (readonly [string, unknown, object])[] = [
  [
    'a ModelError',
    new ModelError({ kind: 'auth', message: 'Key refused.', retryable: false, status: 401 }),
    { kind: 'auth', message: 'Key refused.', status: 401 },
  ],
  ['an Error', new RangeError('Out of range.'), { kind: 'internal', message: 'Out of range.' }],
  ['an Error without a message', new TypeError(), { kind: 'internal', message: 'TypeError' }],
  ['a string', 'broken', { kind: 'internal', message: 'broken' }],
  ['nothing', undefined, { kind: 'internal', message: 'undefined' }],
  ['a symbol', Symbol('odd'), { kind: 'internal', message: 'Symbol(odd)' }],
  ['what has no text', Object.create(null), { kind: 'internal' }],
  ['3 MB', 'x'.repeat(3_000_000), { kind: 'internal', message: 'x'.repeat(2000) }],
  [
    'a ModelError of 4 MB',
    new ModelError({ kind: 'auth', message: 'x'.repeat(4_000_000), retryable: false }),
    { kind: 'auth', message: 'x'.repeat(2000) },
  ],
  ['an empty text', '', { kind: 'internal', message: expect.stringMatching(/\w/) }],
  ['an Error of blanks', new Error(' \n'), { message: expect.stringMatching(/\w/) }],
  [
    'a ModelError that says nothing',
    new ModelError({ kind: 'auth', message: ' ', retryable: false }),
    { kind: 'auth', message: expect.stringMatching(/\w/) },
  ],
]

test.for(thrown)('[I3] a stream that throws %s ends the run', async ([, reason, error]) => {
  const throwing: Model = {
    identity: { provider: 'test', id: 'test' },
    stream: async function* () {
      yield* hello
      throw reason
    },
  }
  const { agent } = watchedAgent({ model: throwing })

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'error', error })
  expect(agent.getState()).toMatchObject({ status: 'error', error })
})

test('an adapter that throws before its stream starts ends the run', async () => {
  const { agent } = watchedAgent({
    model: {
      identity: { provider: 'test', id: 'test' },
      stream: () => {
        throw new Error('No key.')
      },
    },
  })

  expect(await agent.prompt('Go.')).toMatchObject({
    reason: 'error',
    error: { kind: 'internal', message: 'No key.' },
  })
})

test('garbled chunks end the run, and are not written', async () => {
  const { agent, eventsOf } = watchedAgent({
    model: modelOf(() => [
      ...hello,
      { type: 'text_delta', contentIndex: 0, delta: ' Late.' },
      finish,
    ]),
    retry: null,
  })

  const { error } = await agent.prompt('Go.')

  expect(error).toMatchObject({ kind: 'protocol', retryable: true })
  expect(eventsOf('message_update')).toHaveLength(3)
})

test('chunks after the finish are not read', async () => {
  let read = 0
  const { agent, eventsOf } = watchedAgent({
    model: {
      identity: { provider: 'test', id: 'test' },
      stream: async function* () {
        yield* hello
        yield finish
        read += 1
        yield { type: 'text_start', contentIndex: 1 }
      },
    },
  })

  const { reason, text } = await agent.prompt('Go.')

  expect({ reason, text, read }).toEqual({ reason: 'stop', text: 'Hello.', read: 0 })
  expect(eventsOf('message_update')).toHaveLength(3)
})

const untidy: readonly (readonly [string, () => Promise<never>])[] = [
  ['never ends', () => new Promise(() => {})],
  ['fails', () => Promise.reject(new Error('Could not close.'))],
]

test.for(untidy)(
  'an answer is complete with its finish, though the stream’s clean-up %s',
  async ([, clean]) => {
    const { agent } = watchedAgent({
      model: {
        identity: { provider: 'test', id: 'test' },
        stream: async function* () {
          try {
            yield* hello
            yield finish
          } finally {
            await clean()
          }
        },
      },
    })

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Hello.', usage })
  },
)

test('[I20] an adapter that ignores its signal does not hold up the run, and its late chunks are dropped', async () => {
  const gate = createDeferred<void>()
  const model: Model = {
    identity: { provider: 'test', id: 'test' },
    stream: async function* () {
      yield* hello.slice(0, 2)
      await gate.promise
      yield* [...hello.slice(2), finish]
    },
  }
  const { agent, events, eventsOf } = watchedAgent({ model })
  const done = agent.prompt('Go.')
  await quiet()

  agent.abort('enough')
  const { reason, text } = await done
  const before = JSON.stringify(events)
  gate.resolve()
  await quiet()

  expect({ reason, text }).toEqual({ reason: 'aborted', text: 'Hello.' })
  expect(JSON.stringify(events)).toBe(before)
  expect(eventsOf('abort_requested')).toMatchObject([{ by: 'user', reason: 'enough' }])
})

test('[I20] [I25] the signal of a request aborts with its run, and never once the answer has finished', async () => {
  const signals: AbortSignal[] = []
  const script = scriptedModel([say('One.')], [say('Two'), hold()])
  const model: Model = {
    identity: script.identity,
    stream: (request, options) => {
      signals.push(options.signal)
      return script.stream(request, options)
    },
  }
  const { agent } = watchedAgent({ model })
  await agent.prompt('Once.')
  const second = agent.prompt('Twice.')
  await quiet()

  agent.abort()
  await second

  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
})

test('[I37] a stopped answer keeps its text and loses its calls and its thinking', async () => {
  const model = scriptedModel([think('Hm.'), say('So far'), call('a'), hold()], [say('Yes.')])
  const { agent, types } = watchedAgent({ model })
  const done = agent.prompt('Go.')
  await quiet()

  agent.abort()
  const { messages } = await done
  await agent.prompt('And now?')

  expect(messages.at(-1)).toMatchObject({
    role: 'assistant',
    stopReason: 'aborted',
    content: [{ type: 'text', text: 'So far' }],
  })
  expect(types()).not.toContain('tool_execution_start')
  expect(rolesOf(model.requests[1])).toEqual(['user', 'assistant', 'user'])
})

test('[I37] failed answers and stopped ones without text are not sent again', async () => {
  const model = scriptedModel([say('Half'), breakOff()], [call('a'), hold()], [say('Yes.')])
  const { agent } = watchedAgent({ model, retry: null })
  await agent.prompt('One.')
  const second = agent.prompt('Two.')
  await quiet()
  agent.abort()
  await second

  await agent.prompt('Three.')

  expect(rolesOf(model.requests[2])).toEqual(['user', 'user', 'user'])
})

test('a request holds the system text, and the tools as the model reads them', async () => {
  const model = scriptedModel([say('Hi.')])
  const { agent } = watchedAgent({ model, system: 'Be brief.' })

  await agent.prompt([
    { type: 'text', text: 'Look.' },
    { type: 'image', mediaType: 'image/png', data: 'AA==' },
  ])

  expect(model.requests).toMatchObject([
    {
      system: 'Be brief.',
      tools: [],
      messages: [{ role: 'user', content: [{ type: 'text' }, { type: 'image' }] }],
    },
  ])
})

test('the script is strict: one request too many fails the run', async () => {
  const { agent } = watchedAgent({ model: scriptedModel([rawCall('missing', '{}')]) })

  const { error } = await agent.prompt('Go.')

  expect(error).toMatchObject({
    kind: 'bad_request',
    message: 'There is no answer 2 in the script.',
  })
})

function modelOf(answer: (request: ModelRequest) => readonly ModelChunk[]): Model {
  return {
    identity: { provider: 'test', id: 'test' },
    stream: async function* (request) {
      yield* answer(request)
    },
  }
}

function rolesOf(request: ModelRequest | undefined): readonly string[] {
  return request?.messages.map((message) => message.role) ?? []
}
