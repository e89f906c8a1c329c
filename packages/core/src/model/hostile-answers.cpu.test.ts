import { beforeEach, expect, test } from 'vitest'
import { hasTooManyValues } from '../internal/json.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { forgetFailures } from './http/breaker.ts'
import { growArgs, newCall } from './openai/calls.ts'
import { openai } from './openai/openai.ts'
import { ModelError, mostOfAnswer } from './port.ts'

type Event = { readonly type?: string; readonly [key: string]: unknown }

const question = {
  system: '',
  messages: [{ id: 'm1', parentId: null, role: 'user', content: [{ type: 'text', text: 'Hm?' }] }],
  tools: [],
} as const
const megabyte = 'x'.repeat(1_000_000)
const megabytes = Array.from({ length: mostOfAnswer.characters / 1_000_000 + 1 }, () => megabyte)

beforeEach(forgetFailures)

const openaiDelta = (delta: object): Event => ({ choices: [{ index: 0, delta }] })
const callWith = (index: number, called: object) =>
  openaiDelta({ tool_calls: [{ index, function: called }] })
const begin: Event = { type: 'message_start', message: {} }
const block = (content_block: object, index = 0): Event => ({
  type: 'content_block_start',
  index,
  content_block,
})
const grow = (delta: object, index = 0): Event => ({ type: 'content_block_delta', index, delta })
const manyFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 0]))

test.each<[string, readonly Event[], RegExp]>([
  ['a refusal', megabytes.map((refusal) => openaiDelta({ refusal })), /16000000 characters/],
  [
    'the arguments of a call without a name',
    megabytes.map((text) => callWith(0, { arguments: text })),
    /16000000 characters/,
  ],
  [
    'calls without a name',
    Array.from({ length: mostOfAnswer.calls + 2 }, (_, n) => callWith(n, { arguments: 'x' })),
    /1000 calls/,
  ],
  [
    'calls in one delta',
    [openaiDelta({ tool_calls: Array.from({ length: mostOfAnswer.calls + 1 }, () => ({})) })],
    /1000 calls/,
  ],
  [
    'the signature of a thought',
    [
      begin,
      block({ type: 'thinking', thinking: '' }),
      ...megabytes.map((signature) => grow({ type: 'signature_delta', signature })),
    ],
    /16000000 characters/,
  ],
  [
    'the signatures of many thoughts',
    [
      begin,
      ...megabytes.flatMap((signature, index) => [
        block({ type: 'thinking', thinking: '' }, index),
        grow({ type: 'signature_delta', signature }, index),
      ]),
    ],
    /16000000 characters/,
  ],
  [
    "many of a vendor's own blocks and calls",
    [
      begin,
      ...megabytes.flatMap((text, index) => [
        block({ type: 'own' }, index),
        grow(
          index % 2 ? { type: 'own', text } : { type: 'input_json_delta', partial_json: text },
          index,
        ),
      ]),
    ],
    /16000000 characters/,
  ],
  [
    'the ids of calls without a name',
    megabytes.map((id, index) => openaiDelta({ tool_calls: [{ index, id }] })),
    /16000000 characters/,
  ],
  [
    "a vendor's own block",
    [begin, block({ type: 'own' }), ...megabytes.map((text) => grow({ type: 'own', text }))],
    /16000000 characters/,
  ],
  [
    "the input of a vendor's own call",
    [
      begin,
      block({ type: 'own' }),
      ...megabytes.map((text) => grow({ type: 'input_json_delta', partial_json: text })),
    ],
    /16000000 characters/,
  ],
])('[M9] %s has the limits of an answer before it is a chunk', async (_, events, says) => {
  const { error, message } = await failureOf(events)

  expect(error).toMatchObject({ kind: 'too_large', retryable: false })
  expect(message).toMatch(says)
})

test.each<[string, readonly Event[]]>([
  [
    'an event of more values than a page reads at once',
    [openaiDelta({ own: Array.from({ length: 50_001 }, () => 0) })],
  ],
  ['the name of a call that never ends', [callWith(0, { name: 'n'.repeat(2001) })]],
  [
    "the input of a vendor's own call of more values than a page reads at once",
    [
      begin,
      block({ type: 'own' }),
      grow({ type: 'input_json_delta', partial_json: `[${'0,'.repeat(50_001)}0]` }),
      { type: 'content_block_stop', index: 0 },
    ],
  ],
  [
    "a vendor's own block of more fields than a page reads at once",
    [begin, block(manyFields(40_000)), grow(manyFields(1)), grow(manyFields(40_000)), ...more()],
  ],
])('[M9] %s is garbled', async (_, events) => {
  expect((await failureOf(events)).error).toMatchObject({ kind: 'protocol' })
})

const deepError = `${'{"error":'.repeat(49_000)}1${'}'.repeat(49_000)}`

test.each([
  ['of an API that names its events', anthropic, `event: error\ndata: ${deepError}`],
  ['of a server before such an API', anthropic, `data: {"type":"error","error":${deepError}}`],
  ['of an API that names none', openai, `event: error\ndata: ${deepError}`],
])(
  '[M9] an error in a stream, nested without measure, is garbled: %s',
  async (_, adapter, event) => {
    expect((await failureOfText(adapter, [`${event}\n\n`])).error).toMatchObject({
      kind: 'protocol',
    })
  },
)

test('[M8] a block of many fields is not copied with every delta', async () => {
  const growing = Array.from({ length: 300 }, () => grow({ type: 'own', text: 'x' }))

  const few = await cpuMsOf([begin, block({ type: 'own' }), ...growing])
  const many = await cpuMsOf([begin, block({ type: 'own', ...manyFields(40_000) }), ...growing])

  // Copied each time it took 12 seconds.
  expect(many - few).toBeLessThan(2000)
})

test('[M8] what a server says is wrong is read in a time that its length bounds', async () => {
  const message = 'exceed '.repeat(40_000)

  // Searched whole it takes half a minute.
  expect(await cpuMsOf([{ error: { message, code: 400 } }])).toBeLessThan(2000)
})

test('[M8] arguments of 8 MB in one piece do not hold the page', () => {
  const piece = `{"text":"${'x'.repeat(8_000_000)}"}`

  expect(leastMsOf(() => growArgs(newCall(0), piece))).toBeLessThan(100)
})

test('[M8] values are counted in a time that the length of the text bounds, whatever is in it', () => {
  for (const part of ['\\"', '""', '\\\\', '"x"', 'x\\"']) {
    const text = `["${part.repeat(8_000_000 / part.length)}`
    const once = leastMsOf(() => signsIn(text))
    // A search for the next quote, at each of them, takes more than twice as long as a look at each character.
    expect([part, leastMsOf(() => hasTooManyValues(text)) < 2 * once]).toEqual([part, true])
  }
})

function more(): readonly Event[] {
  return [1, 2].map((part) =>
    grow(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`${part}-${n}`, 0]))),
  )
}

function signsIn(text: string): number {
  let signs = 0
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 0x40) signs += 1
  return signs
}

/** Of several tries, because the machine may have other work. */
function leastMsOf(work: () => void): number {
  const tries = [1, 2, 3, 4, 5].map(() => {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...tries)
}

async function cpuMsOf(events: readonly Event[]): Promise<number> {
  const start = process.cpuUsage()
  await failureOf(events)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** The error of an answer with these events, which has no end. */
function failureOf(events: readonly Event[]): Promise<ModelError> {
  const lines = events.map((event) => {
    const name = typeof event.type === 'string' ? `event: ${event.type}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  const isAnthropic = events.some(({ type }) => type !== undefined)
  return failureOfText(isAnthropic ? anthropic : openai, lines)
}

async function failureOfText(
  adapter: typeof anthropic | typeof openai,
  lines: string[],
): Promise<ModelError> {
  const headers = { 'content-type': 'text/event-stream' }
  const fetch = async () => new Response(new Blob(lines), { headers })
  const model = adapter({ model: 'm', apiKey: null, fetch })
  const { signal } = new AbortController()
  try {
    for await (const _ of model.stream(question, { signal }));
  } catch (error) {
    if (error instanceof ModelError) return error
    throw error
  }
  throw new Error('The answer did not fail.')
}
