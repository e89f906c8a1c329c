import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isObject } from '../internal/json.ts'
import { isJson } from '../internal/read-json.ts'
import { addUsage, noUsage } from '../kernel/message.ts'
import { createAccumulator } from './accumulate.ts'
import { type ModelChunk, ModelError, mostOfAnswer } from './port.ts'

const usage = { inputTokens: 1, outputTokens: 1 }

test('turns chunks into deltas, gives calls an id of ours and keeps the provider’s', () => {
  const chunks: readonly ModelChunk[] = [
    { type: 'thinking_start', contentIndex: 0 },
    { type: 'thinking_delta', contentIndex: 0, delta: 'Hm.' },
    { type: 'text_start', contentIndex: 1 },
    { type: 'thinking_end', contentIndex: 0, signature: 'signed' },
    { type: 'text_delta', contentIndex: 1, delta: 'Yes.' },
    { type: 'text_end', contentIndex: 1 },
    { type: 'toolcall_start', contentIndex: 2, toolName: 'add', providerId: 'toolu_9' },
    { type: 'toolcall_delta', contentIndex: 2, delta: '{}' },
    { type: 'toolcall_end', contentIndex: 2 },
    { type: 'finish', stopReason: 'tool_use', usage },
  ]

  const accumulated = read(chunks)

  expect(accumulated.slice(0, -1)).toEqual(
    chunks
      .slice(0, -1)
      .map((step) => (step.type === 'toolcall_start' ? { ...step, toolCallId: 'call_1' } : step)),
  )
  expect(accumulated.at(-1)).toEqual({ type: 'finish', stopReason: 'tool_use', usage })
})

test('[M8] counts a large block of a vendor without writing it as JSON', () => {
  const fields = Array.from({ length: 49_000 }, (_, n) => [`f${n}`, 0])
  const write = vi.spyOn(JSON, 'stringify')
  onTestFinished(() => write.mockRestore())

  read([
    { type: 'opaque_start', contentIndex: 0, data: Object.fromEntries(fields) },
    { type: 'opaque_end', contentIndex: 0 },
  ])

  expect(write).not.toHaveBeenCalled()
})

test('passes on why an answer was refused', () => {
  const refusal = { stopReason: 'refusal', usage, explanation: 'It is about locks.' } as const

  expect(read([{ type: 'finish', ...refusal }])).toEqual([{ type: 'finish', ...refusal }])
})

const text: ModelChunk = { type: 'text_start', contentIndex: 0 }
const delta = { type: 'text_delta', contentIndex: 0, delta: 'a' } as const
const end: ModelChunk = { type: 'text_end', contentIndex: 0 }
const call: ModelChunk = { type: 'toolcall_start', contentIndex: 0, toolName: 'add' }
const long: ModelChunk = { ...delta, delta: 'a'.repeat(1_000_000) }

const garbled: readonly (readonly [string, readonly ModelChunk[]])[] = [
  ['a delta before its block', [delta]],
  ['a gap in the blocks', [text, { type: 'text_start', contentIndex: 2 }]],
  ['a block that is started twice', [text, text]],
  ['a delta of another kind', [text, { type: 'toolcall_delta', contentIndex: 0, delta: '{' }]],
  ['a delta after the end of its block', [text, end, delta]],
  ['two ends of a block', [text, end, end]],
  [
    'a finish while a call is open: its input may be cut off',
    [
      { type: 'toolcall_start', contentIndex: 0, toolName: 'add' },
      { type: 'finish', stopReason: 'tool_use', usage },
    ],
  ],
  ['a chunk of no known type', [{ type: 'ping' } as unknown as ModelChunk]],
  ['what is no chunk', [null as unknown as ModelChunk]],
]

test.for(garbled)('refuses %s as garbled', ([, chunks]) => {
  const thrown = thrownBy(() => read(chunks))

  if (!(thrown instanceof ModelError)) throw thrown
  expect(thrown.error).toMatchObject({ kind: 'protocol', retryable: true })
})

test.each<readonly [string, number, readonly ModelChunk[]]>([
  ['blocks', mostOfAnswer.blocks, [text, end]],
  ['calls', mostOfAnswer.calls, [call]],
  ['characters', mostOfAnswer.characters / 1_000_000, [text, long, end]],
])('[M9] refuses an answer with more %s than it may have', (what, most, part) => {
  const chunks = Array.from({ length: most + 1 }, (_, contentIndex) =>
    part.map((chunk) => ({ ...chunk, contentIndex })),
  )

  const isRefused = (parts: number) => thrownBy(() => read(chunks.slice(0, parts).flat()))

  expect(isRefused(what === 'characters' ? most - 1 : most)).toBeUndefined()
  expect(isRefused(most + 1)).toMatchObject({ error: { kind: 'too_large', retryable: false } })
})

const whole: readonly ModelChunk[] = [
  { type: 'thinking_start', contentIndex: 0, redacted: 'r' },
  { type: 'thinking_delta', contentIndex: 0, delta: 'Hm.' },
  { type: 'thinking_end', contentIndex: 0, signature: 's' },
  { type: 'text_start', contentIndex: 1 },
  { type: 'text_delta', contentIndex: 1, delta: 'Yes.' },
  { type: 'text_end', contentIndex: 1 },
  { type: 'toolcall_start', contentIndex: 2, toolName: 'add', providerId: 'toolu_9' },
  { type: 'toolcall_delta', contentIndex: 2, delta: '{}' },
  { type: 'toolcall_end', contentIndex: 2 },
  { type: 'opaque_start', contentIndex: 3, data: { a: 1 } },
  { type: 'opaque_end', contentIndex: 3, data: { a: 2 } },
  { type: 'finish', stopReason: 'refusal', usage, explanation: 'It is about locks.' },
]
test('[I6] [I31] a figure whose sum with others JSON could not write counts as not reported', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.double(), fc.double(), fc.double())), (answers) => {
      const sum = answers
        .map(([inputTokens, outputTokens, cost]) => {
          const figures = { inputTokens, outputTokens, cacheReadTokens: cost, cost }
          const [end] = read([{ type: 'finish', stopReason: 'stop', usage: figures }])
          return end?.type === 'finish' ? end.usage : noUsage
        })
        .reduce(addUsage, noUsage)

      expect(isJson(sum)).toBe(true)
    }),
    {
      examples: [[Array.from({ length: 2 }, () => [1.7e308, 1.7e308, 1.7e308])]],
    },
  )
})

const spoilt = fc
  .tuple(fc.constantFrom(...whole), fc.nat(), fc.anything({ withBigInt: true, withDate: true }))
  .map(([chunk, pick, value]) => {
    const names = Object.keys(chunk).filter((name) => name !== 'usage')
    const name = names[pick % names.length] ?? 'type'
    return { chunk, name, value }
  })
  .filter(({ chunk, name, value }) => !fits(chunk, name, value))

test('[M12] refuses a chunk with a field of another kind, or without one that it needs', () => {
  fc.assert(
    fc.property(spoilt, ({ chunk, name, value }) => {
      const chunks = whole.map((one) => (one === chunk ? { ...one, [name]: value } : one))

      const thrown = thrownBy(() => read(chunks))

      expect(thrown).toBeInstanceOf(ModelError)
      expect(thrown).toMatchObject({ error: { kind: 'protocol' } })
    }),
    { numRuns: 1000 },
  )
})

/** Whether the value may be there, for all that can be known without the other chunks. */
function fits(chunk: ModelChunk, name: string, value: unknown): boolean {
  if (value === undefined) {
    const optional = ['redacted', 'signature', 'providerId', 'explanation']
    return optional.includes(name) || (chunk.type === 'opaque_end' && name === 'data')
  }
  if (name === 'type' || name === 'contentIndex' || name === 'stopReason')
    return Object.entries(chunk).some(([key, was]) => key === name && was === value)
  if (name === 'data') return isObject(value) && isJson(value)
  return typeof value === 'string'
}

function read(chunks: readonly ModelChunk[]) {
  let calls = 0
  const accumulate = createAccumulator(() => `call_${++calls}`)
  return chunks.map(accumulate)
}

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}
