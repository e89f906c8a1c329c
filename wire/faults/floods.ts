import { type Protocol, type Reply, stream, write } from '../exchange.ts'
import {
  answer,
  anthropicEvent,
  call,
  eventsOf,
  openaiChunk,
  openaiData,
  text,
  toSse,
} from './answers.ts'

/** Far deeper than data is, and than a stack may grow. */
const levels = 100_000
const ping = toSse(anthropicEvent({ type: 'ping' }))
const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`

/** The events of streams that never end. */
export const endlessEvents = {
  'G1-pings': (protocol: Protocol) => (protocol === 'anthropic' ? ping : ': ping\n\n'),
  'G1-unknown': unknownEvent,
  'G1-deltas': oneCharacter,
  'G1-long-deltas': (protocol: Protocol) => delta(protocol, 'm'.repeat(1000)),
} as const

/** Answers without measure, and what is nested without measure. */
export const floods: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ...Object.entries(endlessEvents).map(([name, eventOf]) => [name, endless(eventOf)] as const),
  ['G2-deltas', manyDeltas],
  ['G2-blocks', manyBlocks(20_000)],
  ['G2-calls', manyCalls(5_000)],
  ['G2-1000-calls', manyCalls(1_000)],
  ['G3-refusal', refusal(400)],
  ['G3-error-200', refusal(200)],
  ['G3-block', (exchange) => deepBlock(exchange.protocol)(exchange)],
  ['G3-input', (exchange) => deepInput(exchange.protocol)(exchange)],
])

function unknownEvent(protocol: Protocol): string {
  return protocol === 'anthropic'
    ? toSse(anthropicEvent({ type: 'mood', mood: 'good' }))
    : toSse(openaiChunk({ mood: 'good' }))
}

function oneCharacter(protocol: Protocol): string {
  return delta(protocol, 'm')
}

function delta(protocol: Protocol, content: string): string {
  return protocol === 'anthropic'
    ? toSse(
        anthropicEvent({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: content },
        }),
      )
    : toSse(openaiChunk({ content }))
}

/** The events of an answer before those of its text, and after them. */
export function frame(protocol: Protocol): readonly [string, string] {
  const events = eventsOf(answer('end', text('|')), protocol).map(toSse)
  const at = events.findIndex((event) => event.includes('|'))
  return [events.slice(0, at).join(''), events.slice(at + 1).join('')]
}

/** The same event for as long as it is read, as fast as it is read. */
function endless(eventOf: (protocol: Protocol) => string): Reply {
  return async ({ protocol, response, begin }) => {
    begin(200, { 'content-type': 'text/event-stream' })
    const [head] = frame(protocol)
    await write(response, head)
    const piece = manyOf(eventOf(protocol))
    while (!response.destroyed) await write(response, piece)
  }
}

/** An event again and again, in the size in which a network delivers it. */
export function manyOf(event: string): string {
  return event.repeat(Math.ceil(65_536 / event.length))
}

async function manyDeltas(exchange: Parameters<Reply>[0]): Promise<void> {
  const [head, tail] = frame(exchange.protocol)
  const piece = oneCharacter(exchange.protocol).repeat(1000)
  await stream([head, ...Array.from({ length: 50 }, () => piece), tail])(exchange)
}

function manyBlocks(count: number): Reply {
  return async (exchange) => {
    const { protocol } = exchange
    // Text and thinking in turn: this is how a server without blocks makes many.
    const parts = Array.from({ length: count }, (_, n) => text(`${n}`))
    const events =
      protocol === 'anthropic'
        ? eventsOf(answer('end', ...parts), protocol)
        : Array.from({ length: count / 2 }, () => [
            openaiChunk({ content: 'm' }),
            openaiChunk({ reasoning: 'm' }),
          ]).flat()
    await stream(inPieces(events.map(toSse)))(exchange)
  }
}

function manyCalls(count: number): Reply {
  return async (exchange) => {
    const calls = Array.from({ length: count }, (_, n) => call(`call_${n}`, `{"city":"${n}"}`))
    const events = eventsOf(answer('calls', ...calls), exchange.protocol)
    await stream(inPieces(events.map(toSse)))(exchange)
  }
}

function inPieces(events: readonly string[]): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < events.length; at += 200) pieces.push(events.slice(at, at + 200).join(''))
  return pieces
}

function refusal(status: number): Reply {
  return ({ response, begin }) => {
    begin(status, { 'content-type': 'application/json' })
    // Short enough to be read whole.
    response.end(`{"error":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)
  }
}

/** A block of a kind that only the vendor has; for OpenAI a field that only it has. */
function deepBlock(protocol: Protocol): Reply {
  const head = frame(protocol)[0]
  const block = `{"type":"content_block_start","index":1,"content_block":{"type":"mood","data":${deep}}}`
  const event =
    protocol === 'anthropic'
      ? toSse({ event: 'content_block_start', data: block })
      : toSse({ data: `{"choices":[{"index":0,"delta":{"mood":${deep}}}]}` })
  return stream([head, event])
}

/** The input of a call as an object, not as text. */
function deepInput(protocol: Protocol): Reply {
  const input = `{"city":${deep}}`
  if (protocol === 'openai') {
    const entry = `{"index":0,"id":"call_1","function":{"name":"clock","arguments":${input}}}`
    const head = toSse(openaiData({ choices: [] }))
    const event = { data: `{"choices":[{"index":0,"delta":{"tool_calls":[${entry}]}}]}` }
    return stream([head, toSse(event)])
  }
  const block = `{"type":"tool_use","id":"call_1","name":"clock","input":${input}}`
  const event = {
    event: 'content_block_start',
    data: `{"type":"content_block_start","index":1,"content_block":${block}}`,
  }
  return stream([frame(protocol)[0], toSse(event)])
}
