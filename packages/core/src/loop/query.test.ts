import { expect, test } from 'vitest'
import { z } from 'zod'
import { catchReports, pageTools } from '../agent/agent.fixtures.ts'
import { type AssistantMessage, type Message, textOf } from '../kernel/message.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import {
  call,
  fail,
  finish,
  hold,
  rawCall,
  type ScriptedAnswer,
  say,
  scriptedModel,
  think,
  uses,
} from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { executeToolCalls } from './execute-tool-calls.ts'
import { callTo, userMessage, watchedSignal } from './loop.fixtures.ts'
import type { AnswerEvent } from './own-events.ts'
import { type QueryOptions, query, queryIn } from './query.ts'

type Asked = Omit<QueryOptions, 'model' | 'messages' | 'input'>

/** Sends a request to a scripted model, in a manual environment. */
function asked(
  answers: readonly ScriptedAnswer[],
  options: Asked = {},
  messages?: readonly Message[],
) {
  const environment = createManualEnvironment()
  const model = scriptedModel(...answers)
  const events: AnswerEvent[] = []
  const onEvent = (event: AnswerEvent): void => void events.push(event)
  const question = messages ? { messages } : { input: 'Hi.' }
  const done = queryIn({ model, onEvent, ...question, ...options }, environment)
  return { environment, model, events, done, types: () => events.map(({ type }) => type) }
}

const oneAnswer: AssistantMessage = {
  id: 'answer',
  parentId: 'user',
  role: 'assistant',
  model: { provider: 'theirs', id: 'best' },
  content: [{ type: 'text', text: 'One moment.' }, callTo('a', '1')],
}
const oneResult: Message = {
  id: 'result',
  parentId: 'answer',
  role: 'toolResult',
  toolCallId: '1',
  toolName: 'a',
  content: [{ type: 'text', text: 'fine' }],
  isError: false,
}

test('[S004-11] sends one request and returns the answer', async () => {
  const { model, done } = asked([[think('A greeting.'), say('Hello.')]], { system: 'Be brief.' })

  const { message, reason, usage, ...rest } = await done

  expect(reason).toBe('stop')
  expect(message).toMatchObject({
    role: 'assistant',
    stopReason: 'stop',
    content: [
      { type: 'thinking', text: 'A greeting.', signature: 'signed' },
      { type: 'text', text: 'Hello.' },
    ],
  })
  expect(usage).toEqual({ inputTokens: 10, outputTokens: 5 })
  expect(rest).toEqual({})
  expect(model.requests).toHaveLength(1)
  expect(model.requests[0]).toMatchObject({
    system: 'Be brief.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }],
    tools: [],
  })
})

test('[S004-11] never runs a tool: its calls are in the answer', async () => {
  const ran: string[] = []
  const pick = defineTool({
    name: 'pick',
    description: 'Picks.',
    place: 'client',
    inputSchema: z.object({}),
  })
  const tools = [
    pageTools(createManualEnvironment(), { look: () => ran.push('look') }),
    inClient([pick]),
  ]
  const { model, done, types } = asked([[say('Let me look.'), call('look'), call('pick')]], {
    tools,
  })

  const { message, reason } = await done
  await quiet()

  expect(reason).toBe('awaiting_tool_results')
  expect(message).toMatchObject({
    stopReason: 'tool_use',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'toolCall', toolCallId: 'call_1', toolName: 'look', argsText: '{}' },
      { type: 'toolCall', toolCallId: 'call_2', toolName: 'pick' },
    ],
  })
  expect(model.requests.map((request) => request.tools.map(({ name }) => name))).toEqual([
    ['look', 'pick'],
  ])
  expect(ran).toEqual([])
  expect(types().at(-1)).toBe('message_end')
})

test('[S004-11] a conversation of any length is sent as it is, and the answer follows its last message', async () => {
  const messages: readonly Message[] = [
    ...Array.from({ length: 300 }, (_, index) => userMessage(`${index}`, `user ${index}`)),
    oneAnswer,
    oneResult,
  ]
  const { model, done } = asked([[say('Done.')]], {}, messages)

  const { message, reason } = await done

  expect(reason).toBe('stop')
  expect(message?.parentId).toBe('result')
  expect(model.requests[0]?.messages).toEqual(messages)
})

test('[S004-11] together with executeToolCalls it is a loop', async () => {
  const model = scriptedModel([call('add', { n: 1 })], [call('add', { n: 2 })], [say('Three.')])
  const tools = pageTools(createManualEnvironment(), {
    add: (_, { n }) => `added ${String(n)}`,
  })
  const history: Message[] = [userMessage('One and two?')]
  for (;;) {
    const { message, reason } = await query({ model, messages: history, tools })
    if (message) history.push(message)
    if (!message || reason !== 'awaiting_tool_results') break
    history.push(...(await executeToolCalls({ message, tools })).toolResults)
  }

  expect(history.map((message) => `${message.role} ${textOf(message.content)}`)).toEqual([
    'user One and two?',
    'assistant ',
    'toolResult added 1',
    'assistant ',
    'toolResult added 2',
    'assistant Three.',
  ])
  expect(history.map(({ parentId }) => parentId)).toEqual([
    null,
    ...history.slice(0, -1).map(({ id }) => id),
  ])
})

test.for<readonly [what: string, messages: readonly Message[], problem: string]>([
  ['a call without a result', [oneAnswer], 'The call 1 has no result.'],
  ['a result without a call', [oneResult], 'The result of 1 is out of place.'],
  [
    'something between call and result',
    [oneAnswer, userMessage('Well?'), oneResult],
    'The call 1 has no result.',
  ],
  ['an empty answer', [{ ...oneAnswer, content: [] }], 'The answer answer is empty.'],
])('[I28] %s is never sent', async ([, messages, problem]) => {
  const { model, done } = asked([[say('Never.')]], {}, messages)

  expect(await done).toEqual({
    message: null,
    reason: 'error',
    usage: { inputTokens: 0, outputTokens: 0 },
    error: { kind: 'internal', message: problem, retryable: false },
  })
  expect(model.requests).toEqual([])
})

test('[I5] events of the answer come as it streams, and no others', async () => {
  const { events, done, types } = asked([[say('Hello there.')]])

  const { message } = await done

  expect(new Set(types())).toEqual(new Set(['message_start', 'message_update', 'message_end']))
  const deltas = events.flatMap((event) =>
    event.type === 'message_update' && event.assistantMessageEvent.type === 'text_delta'
      ? [event.assistantMessageEvent.delta]
      : [],
  )
  expect(deltas.length).toBeGreaterThan(1)
  expect(deltas.join('')).toBe('Hello there.')
  expect(events.at(-1)).toMatchObject({ type: 'message_end', message })
})

test('a request with a temporary failure is repeated, and its usage counts', async () => {
  const { environment, events, model, done } = asked([
    [uses({ inputTokens: 3 }), fail('overloaded')],
    [say('Now.')],
  ])
  await quiet()
  environment.clock.advance(1000)

  const { message, reason } = await done

  expect(reason).toBe('stop')
  expect(textOf(message?.content ?? [])).toBe('Now.')
  expect(model.requests).toHaveLength(2)
  const ends = events.flatMap((event) => (event.type === 'message_end' ? [event.excluded] : []))
  expect(ends).toEqual([true, undefined])
})

test('a failure is a result', async () => {
  const { done, model } = asked([[fail('overloaded', 'Too much.')]], { retry: null })

  expect(await done).toMatchObject({
    message: null,
    reason: 'error',
    error: { kind: 'overloaded', message: 'Too much.' },
  })
  expect(model.requests).toHaveLength(1)
})

test.for([
  ['refusal', 'refusal', null],
  ['pause_turn', 'max_turns', 'Well,'],
  ['max_tokens', 'stop', 'Well,'],
] as const)('an answer that ends as %s gives the reason %s', async ([stopReason, reason, text]) => {
  const { done, model } = asked([[say('Well,'), finish(stopReason)]])

  const result = await done

  expect(result.reason).toBe(reason)
  expect(result.message && textOf(result.message.content)).toBe(text)
  expect(model.requests).toHaveLength(1)
})

test('[I18] calls of an answer that was cut off are returned, and do not run', async () => {
  const { done, types } = asked([[call('a'), finish('max_tokens')]])

  const { message, reason } = await done

  expect(reason).toBe('max_turns')
  expect(message).toMatchObject({ stopReason: 'max_tokens', content: [{ type: 'toolCall' }] })
  expect(types().filter((type) => type === 'message_end')).toHaveLength(1)
})

test('[I20] [I25] an abort returns what was written by then, and leaves nothing', async () => {
  const { signal, abort, listeners } = watchedSignal()
  const { environment, done } = asked([[say('I was just'), hold()]], { signal })
  await quiet()
  abort()

  const { message, reason } = await done

  expect(reason).toBe('aborted')
  expect(message).toMatchObject({ stopReason: 'aborted', content: [{ text: 'I was just' }] })
  expect(listeners()).toBe(0)
  await quiet()
  expect(environment.clock.pending()).toBe(0)
  expect(environment.pendingFrames()).toBe(0)
})

test('[I20] a signal that has aborted before sends nothing', async () => {
  const { done, model, events } = asked([[say('Never.')]], { signal: AbortSignal.abort() })

  expect(await done).toMatchObject({ message: null, reason: 'aborted' })
  expect(model.requests).toEqual([])
  expect(events).toEqual([])
})

test('[I25] a request to a model that never answers is abandoned', async () => {
  const { environment, done } = asked([[hold()]], { streamIdleMs: 500, retry: null })
  await quiet()
  environment.clock.advance(500)

  expect(await done).toMatchObject({ message: null, reason: 'error', error: { kind: 'stalled' } })
  await quiet()
  expect(environment.clock.pending()).toBe(0)
})

test('later changes of the list by the caller change nothing in the request', async () => {
  const messages = [userMessage('Hi.')]
  const { model, done } = asked([[say('Hello.')]], {}, messages)
  messages.push(userMessage('Wait.', 'second'))
  await done

  expect(model.requests[0]?.messages).toHaveLength(1)
})

test('[I30] a listener that throws changes nothing', async () => {
  const reports = catchReports()
  const onEvent = (): void => {
    throw new Error('Not ready.')
  }
  const { done } = asked([[say('Hello.')]], { onEvent })

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(reports[0]).toEqual(new Error('Not ready.'))
})

test.for([
  ['{}', 'query needs something to ask: an input, or at least one message.'],
  ['{"messages":[]}', 'query needs something to ask: an input, or at least one message.'],
  ['{"messages":"Hi."}', 'query needs something to ask: an input, or at least one message.'],
  ['{"input":" "}', 'The prompt is empty. Pass some text, or at least one part.'],
  [
    '{"input":"Hi.","messages":[]}',
    'query takes either messages or an input. Add the input to the messages.',
  ],
  [
    '{"messages":[{"id":"a","parentId":null,"role":"user","content":"Hi."}]}',
    "The content of messages[0] must be a list of blocks, such as [{ type: 'text', text: 'Hello.' }].",
  ],
  ['{"input":"Hi.","onEvent":5}', 'onEvent must be a function.'],
  ['{"input":"Hi.","signal":5}', 'The signal must be an AbortSignal.'],
  [
    '{"input":"Hi.","streamIdleMs":0}',
    'streamIdleMs must be a whole number of at least 1; it is 0.',
  ],
] as const)('misuse is a TypeError before a request: %s', async ([json, problem]) => {
  const given: { readonly input: string } = JSON.parse(json)
  const model = scriptedModel([say('Never.')])

  await expect(query({ ...given, model })).rejects.toEqual(new TypeError(problem))
  expect(model.requests).toEqual([])
})

test('[O13] asks for an output, has it mended, and gives its value', async () => {
  const environment = createManualEnvironment()
  const model = scriptedModel([rawCall('final_answer', '{"n":"1"}')], [say('{"n":1}')])
  const partials: unknown[] = []
  const messages = [userMessage('Before.'), userMessage('How many?')]

  const result = await queryIn(
    {
      ...{ model, messages, output: z.object({ n: z.number() }), maxRepairs: 1 },
      onPartial: (partial) => partials.push(partial),
    },
    environment,
  )

  expect(result).toMatchObject({ reason: 'stop', output: { n: 1 } })
  expect(textOf(result.message?.content ?? [])).toBe('{"n":1}')
  expect(result.usage).toEqual({ inputTokens: 20, outputTokens: 10 })
  const [, second] = model.requests
  expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user'])
  expect(partials.at(-1)).toEqual({ n: 1 })
})

test('[O13] an output that never fits, calls, a stop and misuse are as without one', async () => {
  const output = z.object({ n: z.number() })
  const ask = (answers: readonly ScriptedAnswer[], more: Partial<Parameters<typeof queryIn>[0]>) =>
    queryIn(
      { model: scriptedModel(...answers), ...{ input: 'Hi.', output }, ...more } as QueryOptions,
      createManualEnvironment(),
    )

  expect(await ask([[say('1')], [say('2')]], { maxRepairs: 1 })).toMatchObject({
    reason: 'error',
    error: { kind: 'invalid_output' },
  })
  expect((await ask([[call('missing')]], {})).reason).toBe('awaiting_tool_results')
  const stop = AbortSignal.abort()
  expect((await ask([[hold()]], { signal: stop })).reason).toBe('aborted')
  await expect(ask([], { maxRepairs: 0.5 })).rejects.toThrow(TypeError)
})
