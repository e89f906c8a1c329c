import { type AgentEvent, defineTool, implement, inPage, type Json, textOf } from '@offthread/core'
import {
  breakOff,
  call,
  fail,
  fakeClock,
  finish,
  type ScriptedPart,
  say,
  scriptedModel,
  testAgent,
  think,
} from '@offthread/core/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createBlockEvents } from './block-events.ts'
import { type ChatEvent, createChatEvents } from './chat-events.ts'
import { createPiEvents } from './pi-events.ts'
import { toServerSentEvent } from './server-sent-event.ts'
import { createServiceEvents } from './service-events.ts'
import { createYoagentEvents } from './yoagent-events.ts'

test('[R2] [S001-11] [S002-7] [S003-9] a replaced attempt is taken back before the next one says anything', async () => {
  const events = await eventsOf([[say('Hel'), call('add'), breakOff()], [say('Hello.')]])

  expect(events.flatMap(createChatEvents()).map(nameOf)).toEqual([
    'text Hel',
    'content_block_stop',
    'tool_call_start',
    'tool_call_delta',
    'content_block_stop',
    'text_retracted Hel',
    'tool_result',
    'text Hello.',
    'content_block_stop',
    'done',
  ])
  expect(events.flatMap(createServiceEvents())).toEqual([
    { event: 'assistant_message_delta', data: { delta: 'Hel' } },
    { event: 'assistant_message_retracted', data: { text: 'Hel' } },
    { event: 'assistant_message_delta', data: { delta: 'Hello.' } },
  ])
  expect(events.flatMap(createYoagentEvents()).map(({ type }) => type)).toEqual([
    'MessageStart',
    'MessageUpdate',
    'MessageStart',
    'MessageUpdate',
    'MessageEnd',
    'AgentEnd',
  ])
  expect(events.flatMap(createBlockEvents())).toEqual([{ type: 'TextBlock', text: 'Hello.' }])
})

test('[R2] [S001-11] [S002-7] [S003-9] whatever fails or is stopped, each consumer ends with the text that is kept, and no call open', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAnswer, { minLength: 1, maxLength: 6 }),
      fc.option(fc.nat(60)),
      async (answers, abortAt) => {
        const events = await eventsOf(answers, abortAt)

        const kept = textKeptIn(events)
        for (const [adapter, shownBy] of Object.entries(consumers)) {
          expect({ adapter, ...shownBy(events) }).toEqual({ adapter, text: kept, open: [] })
        }
      },
    ),
    { numRuns: 500 },
  )
})

/** What a page shows that follows the events of one adapter: the text, and what has not ended. */
interface Shown {
  readonly text: string
  readonly open: readonly unknown[]
}

const consumers: { readonly [adapter: string]: (events: readonly AgentEvent[]) => Shown } = {
  chat: (events) => {
    let text = ''
    const open = new Set<string | number>()
    for (const sent of events.flatMap(createChatEvents())) {
      const event = received(toServerSentEvent(sent))
      switch (event.type) {
        case 'text':
          text += event.text
          break
        case 'text_retracted':
          text = without(text, event.text)
          break
        case 'tool_call_start':
          open.add(event.id).add(event.index)
          break
        case 'content_block_stop':
          open.delete(event.index)
          break
        case 'tool_result':
          open.delete(event.tool_call_id)
          break
        default:
      }
    }
    return { text, open: [...open] }
  },
  service: (events) => {
    let text = ''
    for (const { event, data } of events.flatMap(createServiceEvents())) {
      if (event === 'assistant_message_delta') text += textIn(data, 'delta')
      if (event === 'assistant_message_retracted') text = without(text, textIn(data, 'text'))
    }
    return { text, open: [] }
  },
  yoagent: (events) => {
    let text = ''
    const open = new Set<string>()
    for (const event of events.flatMap(createYoagentEvents())) {
      switch (event.type) {
        case 'MessageEnd':
          text += textOf(event.message.content)
          break
        case 'ToolExecutionStart':
          open.add(event.tool_call_id)
          break
        case 'ToolExecutionEnd':
          open.delete(event.tool_call_id)
          break
        default:
      }
    }
    return { text, open: [...open] }
  },
  pi: (events) => {
    let text = ''
    const open = new Set<string>()
    for (const event of events.flatMap(createPiEvents())) {
      if (event.type === 'ToolExecutionStartEvent') open.add(event.tool_call_id)
      if (event.type === 'ToolExecutionEndEvent') open.delete(event.tool_call_id)
      if (event.type !== 'MessageEndEvent' || event.message.role !== 'assistant') continue
      if (event.message.excluded) continue
      for (const part of event.message.content) text += part.type === 'text' ? part.text : ''
    }
    return { text, open: [...open] }
  },
  block: (events) => {
    const blocks = events.flatMap(createBlockEvents())
    const texts = blocks.map((block) => (block.type === 'TextBlock' ? block.text : ''))
    return { text: texts.join(''), open: [] }
  },
}

const anyText = fc.constantFrom('Hello.', 'Let me see what there is.', ' \n', 'no')

const anyPart: fc.Arbitrary<ScriptedPart> = fc.oneof(
  { weight: 3, arbitrary: anyText.map(say) },
  { weight: 3, arbitrary: fc.constantFrom(call('add'), call('break'), call('unknown')) },
  fc.constant(think('Hm.')),
)

const anyEnd: fc.Arbitrary<readonly ScriptedPart[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.constant([breakOff()]) },
  fc.constantFrom('overloaded', 'auth', 'protocol').map((kind) => [fail(kind)]),
  fc.constantFrom('refusal', 'max_tokens', 'pause_turn').map((reason) => [finish(reason)]),
)

const anyAnswer = fc
  .tuple(fc.array(anyPart, { maxLength: 4 }), anyEnd)
  .map(([parts, end]) => [...parts, ...end])

/** Plays the answers; `abortAt` is the number of events after which the run is stopped. */
async function eventsOf(
  answers: readonly (readonly ScriptedPart[])[],
  abortAt: number | null = null,
): Promise<readonly AgentEvent[]> {
  const clock = fakeClock()
  const definition = { description: 'Adds.', place: 'page', inputSchema: z.object({}) } as const
  const add = implement(defineTool({ ...definition, name: 'add' }), () => 'three')
  const broken = implement(defineTool({ ...definition, name: 'break' }), () => {
    throw new Error('It broke.')
  })
  const { agent, events, passTime } = testAgent(
    { model: scriptedModel(...answers), tools: inPage([add, broken], { clock }) },
    { clock },
  )
  agent.subscribe(() => {
    if (events.length === abortAt) agent.abort()
  })
  await passTime(agent.prompt('Go.'), 1000)
  return events
}

function textKeptIn(events: readonly AgentEvent[]): string {
  return events
    .map((event) =>
      event.type === 'message_end' && event.message.role === 'assistant' && !event.excluded
        ? textOf(event.message.content)
        : '',
    )
    .join('')
}

function nameOf(event: ChatEvent): string {
  return 'text' in event ? `${event.type} ${event.text}` : event.type
}

function received(sent: string): ChatEvent {
  return parse(sent.slice(sent.indexOf('data: ') + 'data: '.length))
}

const parse: (text: string) => ChatEvent = JSON.parse

function textIn(data: Json, field: string): string {
  return String(new Map(Object.entries(data ?? {})).get(field))
}

/** What is taken back must be the end of what is shown. */
function without(text: string, end: string): string {
  expect(text.endsWith(end)).toBe(true)
  return text.slice(0, text.length - end.length)
}
