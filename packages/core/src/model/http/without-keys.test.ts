import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../internal/json.ts'
import type { ModelChunk } from '../port.ts'
import { createKeyFilter } from './without-keys.ts'

const key = 'gsk_Aa1-Bb2-Cc3-Dd4-Ee5'
/** Many servers write a slash as two characters, and JSON needs two for the others. */
const slashed = 'gsk_Aa1/Bb2-Cc3/Dd4-Ee5'
const quoted = 'gsk_Aa1"Bb2-Cc3\\Dd4-"5'
const seed = Number(process.env['KEY_SEED'] ?? 1)
const runs = { seed, numRuns: 500 }

describe('[M11] a key in an answer', () => {
  test('is taken out of its text, however that is cut, and nothing else is', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom(key, key.slice(0, 5), key.slice(0, 3), key.slice(0, -1), 'g', 'gsk_'),
    )
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), cuts, (pieces, lengths) => {
        const text = pieces.join('')
        const said = textOf(filtered(deltas(cut(text, lengths))))

        expect(said).not.toContain(key)
        // A few characters of it may stay, before they are seen as its start.
        expect(withoutStarts(said)).toBe(withoutStarts(text.replaceAll(key, '[secret]')))
      }),
      runs,
    )
  })

  test.each([slashed, quoted])(
    'is taken out of the arguments of a call, however JSON writes it and that is cut, and they say the rest: %s',
    (secret) => {
      const part = fc.oneof(
        { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
        fc.constantFrom(secret, secret.slice(0, 5), secret.slice(0, 3), secret.slice(1)),
        fc.constantFrom('\\', '\\\\', '"', '\n', '/', 'u0067', '\\u0067', `\\${secret}`),
      )
      const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 90 })
      const ways = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 9 })
      fc.assert(
        fc.property(fc.array(part, { maxLength: 6 }), ways, cuts, (parts, how, lengths) => {
          const text = parts.join('')
          const json = `{"a":"${escaped(text, how)}"}`
          const whole = cut(json, lengths)
          const said = textOf(filtered(deltas(whole, 'toolcall'), secret))

          const received = String(Object.values(parseJson(said) ?? {})[0])
          expect(received).not.toContain(secret)
          expect(withoutStarts(received)).toBe(withoutStarts(text.replaceAll(secret, '[secret]')))
          // What is no key stays as the server wrote it.
          if (!text.includes(secret.slice(0, 4))) expect(said).toBe(json)
        }),
        runs,
      )
    },
  )

  test('does not hold back what is no key: the text is there before its block ends', () => {
    const chunks = filtered([...deltas(['gs', 'k', '_', 'Aa1', ' was it']).slice(0, -1)])

    expect(textOf(chunks)).toBe('gsk_Aa1 was it')
  })

  test('is taken out of names, inputs, refusals and what only the vendor understands', () => {
    const chunks = filtered([
      { type: 'toolcall_start', contentIndex: 0, toolName: `call_${key}`, providerId: key },
      { type: 'toolcall_delta', contentIndex: 0, delta: `{"a":"${key.slice(0, 9)}` },
      { type: 'toolcall_delta', contentIndex: 0, delta: `${key.slice(9)}"}` },
      { type: 'toolcall_end', contentIndex: 0 },
      { type: 'opaque_start', contentIndex: 1, data: { type: 'x', [key]: [key] } },
      { type: 'opaque_end', contentIndex: 1, data: { type: 'x', said: key } },
      {
        type: 'finish',
        stopReason: 'refusal',
        usage: { inputTokens: 1, outputTokens: 1 },
        explanation: `Not with ${key}.`,
      },
    ])

    expect(JSON.stringify(chunks)).not.toContain(key.slice(4))
    expect(chunks.at(-1)).toMatchObject({ explanation: 'Not with [secret].' })
  })

  test('is taken out of a refusal even if it is short, because that becomes an error', () => {
    const filter = createKeyFilter(() => ['pass-123', 'no'])
    const usage = { inputTokens: 1, outputTokens: 1 }
    const refusal = { type: 'finish', stopReason: 'refusal', usage } as const

    const [chunk] = filter([{ ...refusal, explanation: 'no, not with pass-123' }])

    expect(chunk).toEqual({ ...refusal, explanation: 'no, not with [secret]' })
  })

  test('is taken out of a refusal also where that has it as an address or JSON does', () => {
    const usage = { inputTokens: 1, outputTokens: 1 }
    const explanation = String.raw`Not ?k=gsk_Aa1%2fBb2-Cc3%2FDd4-Ee5 or gsk_Aa1\/Bb2-Cc3\/Dd4-Ee5.`

    const [chunk] = filtered(
      [{ type: 'finish', stopReason: 'refusal', usage, explanation }],
      slashed,
    )

    expect(chunk).toMatchObject({ explanation: 'Not ?k=[secret] or [secret].' })
  })

  test('of which another is the beginning goes with its end', () => {
    const filter = createKeyFilter(() => [key, `${key}-and-more`])
    const said = deltas([`It is ${key}-and-more.`])

    expect(textOf([...filter(said)])).toBe('It is [secret].')
  })

  test('[M8] is looked for in few characters at a time, so that a delta of megabytes holds no page', () => {
    const text = String.raw`\u0041`.repeat(100_000)

    const pieces = filtered(deltas([text], 'toolcall')).flatMap((chunk) =>
      'delta' in chunk ? [chunk.delta] : [],
    )

    expect(pieces.join('')).toBe(text)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000)
  })

  test('of fewer than 16 characters is a word', () => {
    const filter = createKeyFilter(() => ['ollama'])

    expect([...filter(deltas(['Ask ollama.']))]).toEqual(deltas(['Ask ollama.']))
  })
})

/** The same text in JSON, each character in one of the ways in which JSON may write it. */
function escaped(text: string, how: readonly number[]): string {
  return Array.from(text, (character, at) => {
    const plain = JSON.stringify(character).slice(1, -1)
    const hex = character.charCodeAt(0).toString(16).padStart(4, '0')
    const way = how[at % how.length] ?? 0
    if (character.length > 1 || way === 0) return plain
    if (character === '/') return '\\/'
    return way === 1 ? plain : `\\u${way === 2 ? hex : hex.toUpperCase()}`
  }).join('')
}

function filtered(chunks: readonly ModelChunk[], secret: string = key): readonly ModelChunk[] {
  const filter = createKeyFilter(() => [secret])
  return chunks.flatMap((chunk) => [...filter([chunk])])
}

function deltas(
  pieces: readonly string[],
  kind: 'text' | 'toolcall' = 'text',
): readonly ModelChunk[] {
  const start = { type: `${kind}_start`, contentIndex: 0, toolName: 'a' } as const
  return [
    start,
    ...pieces.map((delta) => ({ type: `${kind}_delta`, contentIndex: 0, delta }) as const),
    { type: `${kind}_end`, contentIndex: 0 },
  ]
}

function cut(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const length of lengths) {
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return [...pieces, text.slice(at)]
}

function withoutStarts(text: string): string {
  return text.replace(/[gsk]*\[secret\]/g, '[secret]')
}

function textOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => ('delta' in chunk ? chunk.delta : '')).join('')
}
