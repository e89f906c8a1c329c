import { describe, expect, test } from 'vitest'
import { grammarErrors } from '../../packages/core/src/model/model.contract.ts'
import { ModelError } from '../../packages/core/src/model/port.ts'
import { isWhole, offsetsOf } from './effort.fixtures.ts'
import { contentOf, failureOf, type Reading, read } from './read.fixtures.ts'
import type { Shape } from './shape.fixtures.ts'
import { shapes } from './shapes.fixtures.ts'

const timeout = isWhole ? 600_000 : 60_000

const named = shapes.map((shape) => [`${shape.protocol}: ${shape.name}`, shape] as const)

describe.each(named)('%s', { timeout }, (_, shape) => {
  test('is read whole, by the grammar', async () => {
    const reading = await read(shape.protocol, [shape.bytes])

    if (shape.name.startsWith('an error')) expect(failureOf(reading)).toBe('overloaded')
    else expect([failureOf(reading), grammarErrors(reading.chunks)]).toEqual(['none', []])
  })

  test.each(['closed', 'broken'] as const)(
    'cut anywhere and then %s, it is complete or a typed failure',
    async (ending) => {
      const whole = await read(shape.protocol, [shape.bytes])
      for (const offset of offsetsOf(shape.bytes.length, shape.name)) {
        const part = await read(shape.protocol, [shape.bytes.slice(0, offset)], ending)
        expectCompleteOrFailed(part, whole, `cut at ${offset} of ${shape.bytes.length}`)
      }
    },
  )

  test('split anywhere, it is the same', async () => {
    const whole = await read(shape.protocol, [shape.bytes])
    for (const offset of offsetsOf(shape.bytes.length, shape.name)) {
      const pieces = [shape.bytes.slice(0, offset), shape.bytes.slice(offset)]
      expectSame(await read(shape.protocol, pieces), whole, `split at ${offset}`)
    }
    const bytes = Array.from(shape.bytes, (byte) => Uint8Array.of(byte))
    expectSame(await read(shape.protocol, bytes), whole, 'split at every byte')
  })

  test.each(['\r\n', '\r'])('with lines that end in %j, it is the same', async (lineBreak) => {
    const whole = await read(shape.protocol, [shape.bytes])
    const bytes = rewritten(shape, lineBreak)
    expectSame(await read(shape.protocol, [bytes]), whole, 'in one piece')
    for (const offset of offsetsOf(bytes.length, shape.name)) {
      const pieces = [bytes.slice(0, offset), bytes.slice(offset)]
      expectSame(await read(shape.protocol, pieces), whole, `split at ${offset}`)
    }
  })
})

function rewritten({ bytes }: Shape, lineBreak: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll('\n', lineBreak))
}

function expectCompleteOrFailed(part: Reading, whole: Reading, where: string): void {
  const kind = failureOf(part)
  if (kind === 'none') {
    expect(contentOf(part.chunks), where).toEqual(contentOf(whole.chunks))
    expect(stopReasonOf(part), where).toBe(stopReasonOf(whole))
    expect(stopReasonOf(part), where).not.toBeUndefined()
    return
  }
  expect(kind, where).toMatch(/^(truncated_stream|network|protocol|overloaded)$/)
  expect(part.thrown, where).toMatchObject({ error: { retryable: true } })
  // The chunks before the cut are the first chunks of the whole; a finish would have ended it.
  expect(part.chunks, where).toEqual(whole.chunks.slice(0, part.chunks.length))
  expect(stopReasonOf(part), where).toBeUndefined()
}

function stopReasonOf({ chunks }: Reading): string | undefined {
  const last = chunks.at(-1)
  return last?.type === 'finish' ? last.stopReason : undefined
}

function expectSame(reading: Reading, whole: Reading, where: string): void {
  expect(reading.chunks, where).toEqual(whole.chunks)
  expect(toError(reading), where).toEqual(toError(whole))
}

function toError({ thrown }: Reading): unknown {
  return thrown instanceof ModelError ? thrown.error : thrown
}
