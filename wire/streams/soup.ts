import fc from 'fast-check'
import type { Protocol } from '../exchange.ts'
import { anthropicEvent, openaiChunk, openaiData, openaiDone, toSse } from '../faults/answers.ts'

/** A generated stream, with what it says if nothing in it is out of place. */
export interface Soup {
  readonly events: readonly string[]
  readonly isLegal: boolean
  /** The texts of the answer, and the arguments of its calls, in order. */
  readonly texts: readonly string[]
  readonly args: readonly string[]
  /** Some reason for the end, of one or several, says that the answer was cut off. */
  readonly isCut: boolean
}

/** The stream of this seed: any blocks in any sizes, with anything between them, and often something out of place. */
export function soupOf(protocol: Protocol, seed: number, key: string): Soup {
  const [soup] = fc.sample(soups(protocol, key), { seed, numRuns: 1 })
  if (!soup) throw new TypeError('There is no soup.')
  return soup
}

interface Block {
  readonly kind: 'text' | 'thinking' | 'call' | 'own'
  readonly pieces: readonly string[]
  readonly data: string
}

function soups(protocol: Protocol, key: string): fc.Arbitrary<Soup> {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom('\u2028', '\ud800', '\0', '"', '\\', 'data: {}', '[DONE]'),
    fc.integer({ min: 1, max: 2_000 }).map((length) => 'm'.repeat(length)),
  )
  const quote = fc.constantFrom([key], [key.slice(0, 9), key.slice(9)], [`Is ${key}`, '?'])
  const block: fc.Arbitrary<Block> = fc.record({
    kind: fc.constantFrom('text', 'thinking', 'call', 'own'),
    pieces: fc
      .tuple(fc.array(word, { maxLength: 6 }), fc.option(quote, { nil: [] }))
      .map((all) => all.flat()),
    data: fc.oneof(fc.json(), nested, fc.constantFrom('1e400', '-0', '{"__proto__":{}}')),
  })
  const noise = fc.array(fc.record({ at: fc.nat(), event: noiseOf(protocol) }), { maxLength: 6 })
  const change = fc.record({
    from: fc.nat(),
    to: fc.nat(),
    by: fc.constantFrom('copy', 'move', 'drop'),
  })
  const reasons = fc.array(fc.constantFrom('end', 'calls', 'length'), {
    minLength: 1,
    maxLength: 2,
  })
  const changes = fc.oneof(fc.constant([]), fc.array(change, { minLength: 1, maxLength: 3 }))
  return fc
    .record({ blocks: fc.array(block, { maxLength: 6 }), noise, reasons, changes })
    .map((given) => ({
      ...given,
      events: [...(protocol === 'anthropic' ? anthropicEvents : openaiEvents)(given)],
    }))
    .map(({ blocks, noise: between, reasons: said, changes: made, events }) => {
      for (const { at, event } of between) events.splice(1 + (at % events.length), 0, event)
      for (const { from, to, by } of made) {
        const [moved = ''] = events.splice(from % events.length, by === 'copy' ? 0 : 1)
        if (by !== 'drop') events.splice(to % (events.length + 1), 0, moved)
      }
      const ofKind = (kind: Block['kind']) =>
        blocks.filter((one) => one.kind === kind).map(({ pieces }) => pieces.join(''))
      return {
        events,
        isLegal:
          made.length === 0 && !blocks.some(({ kind, data }) => kind === 'own' && isBad(data)),
        texts: ofKind('text'),
        args: ofKind('call'),
        isCut: said.includes('length'),
      }
    })
}

const nested = fc
  .constantFrom(10, 100, 180, 300, 5_000, 100_000)
  .map((levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`)

/** What no event may have in it. */
function isBad(data: string): boolean {
  return data === '1e400' || /^\[{180}/.test(data)
}

function noiseOf(protocol: Protocol): fc.Arbitrary<string> {
  const own =
    protocol === 'anthropic'
      ? [toSse(anthropicEvent({ type: 'ping' })), toSse(anthropicEvent({ type: 'mood' }))]
      : [toSse(openaiChunk({ mood: 'good' })), toSse(openaiData({ choices: [] }))]
  return fc.constantFrom(...own, ': waiting\n\n', ':\n', 'retry: 10\n\n', 'id: 1\n\n', '\n\n\n')
}

interface Given {
  readonly blocks: readonly Block[]
  readonly reasons: readonly string[]
}

const words = {
  anthropic: new Map([
    ['end', 'end_turn'],
    ['calls', 'tool_use'],
    ['length', 'max_tokens'],
  ]),
  openai: new Map([
    ['end', 'stop'],
    ['calls', 'tool_calls'],
    ['length', 'length'],
  ]),
}

function* anthropicEvents({ blocks, reasons }: Given): Generator<string> {
  const message = { usage: { input_tokens: 1, output_tokens: 1 } }
  yield toSse(anthropicEvent({ type: 'message_start', message }))
  for (const [index, { kind, pieces, data }] of blocks.entries()) {
    yield `event: content_block_start\ndata: {"type":"content_block_start","index":${index},"content_block":${anthropicStart(kind, data)}}\n\n`
    for (const piece of kind === 'own' ? [] : pieces) {
      const delta = anthropicDelta(kind, piece)
      yield toSse(anthropicEvent({ type: 'content_block_delta', index, delta }))
    }
    yield toSse(anthropicEvent({ type: 'content_block_stop', index }))
  }
  for (const reason of reasons) {
    const delta = { stop_reason: words.anthropic.get(reason) }
    yield toSse(anthropicEvent({ type: 'message_delta', delta, usage: { output_tokens: 2 } }))
  }
  yield toSse(anthropicEvent({ type: 'message_stop' }))
}

function anthropicStart(kind: Block['kind'], data: string): string {
  if (kind === 'text') return '{"type":"text","text":""}'
  if (kind === 'thinking') return '{"type":"thinking","thinking":"","signature":""}'
  if (kind === 'call') return '{"type":"tool_use","id":"call_1","name":"clock","input":{}}'
  return `{"type":"mood","data":${data}}`
}

function anthropicDelta(kind: Block['kind'], piece: string): object {
  if (kind === 'text') return { type: 'text_delta', text: piece }
  if (kind === 'thinking') return { type: 'thinking_delta', thinking: piece }
  return { type: 'input_json_delta', partial_json: piece }
}

function* openaiEvents({ blocks, reasons }: Given): Generator<string> {
  yield toSse(openaiChunk({ role: 'assistant', content: '' }))
  let index = 0
  for (const { kind, pieces, data } of blocks) {
    const field = kind === 'text' ? 'content' : 'reasoning'
    if (kind === 'own') {
      yield `data: {"choices":[{"index":0,"delta":{"mood":${data}}}]}\n\n`
    } else if (kind === 'call') {
      const head = { index, id: `call_${index}`, function: { name: 'clock', arguments: '' } }
      yield toSse(openaiChunk({ tool_calls: [head] }))
      for (const piece of pieces) {
        yield toSse(openaiChunk({ tool_calls: [{ index, function: { arguments: piece } }] }))
      }
      index += 1
    } else {
      for (const piece of pieces) yield toSse(openaiChunk({ [field]: piece }))
    }
  }
  for (const reason of reasons) yield toSse(openaiChunk({}, words.openai.get(reason) ?? null))
  yield toSse(openaiDone)
}
