import { expect, test } from 'vitest'
import { createAccumulator } from './accumulate.ts'
import type { ModelChunk } from './port.ts'
import { ModelError } from './port.ts'

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
    chunks.slice(0, -1).map((step) => ({
      kind: 'step',
      step: step.type === 'toolcall_start' ? { ...step, toolCallId: 'call_1' } : step,
    })),
  )
  expect(accumulated.at(-1)).toEqual({ kind: 'finish', stopReason: 'tool_use', usage })
})

test('passes on why an answer was refused', () => {
  const refusal = { stopReason: 'refusal', usage, explanation: 'It is about locks.' } as const

  expect(read([{ type: 'finish', ...refusal }])).toEqual([{ kind: 'finish', ...refusal }])
})

const text: ModelChunk = { type: 'text_start', contentIndex: 0 }
const delta: ModelChunk = { type: 'text_delta', contentIndex: 0, delta: 'a' }
const end: ModelChunk = { type: 'text_end', contentIndex: 0 }

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
