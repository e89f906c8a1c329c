import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteLength, cutEnd, cutMiddle, formatBytes } from './cut.ts'

test('leaves a text alone that fits', () => {
  expect(cutMiddle('€€€', 9)).toBe('€€€')
  expect(cutMiddle('x'.repeat(100), 100)).toBe('x'.repeat(100))
})

test('keeps 70 % of the head and 30 % of the tail around a marker', () => {
  const text = `${'a'.repeat(5000)}${'b'.repeat(5000)}`

  const cut = cutMiddle(text, 1000)

  const [, head = '', , tail = ''] = /^(a+)(\n… 9\.0 KB cut …\n)(b+)$/.exec(cut) ?? []
  expect(byteLength(cut)).toBeGreaterThan(990)
  expect(byteLength(cut)).toBeLessThanOrEqual(1000)
  expect(head.length / (head.length + tail.length)).toBeCloseTo(0.7, 2)
})

test('never gives more than the limit, nor half a character, whatever the text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 })

  fc.assert(
    fc.property(text, fc.integer({ min: 40, max: 300 }), (whole, limit) => {
      const cut = cutMiddle(whole, limit)
      expect(byteLength(cut)).toBeLessThanOrEqual(Math.max(limit, 0))
      expect(hasHalfPair(cut)).toBe(false)
      // What a decoder puts in the place of half a character.
      if (!whole.includes('\ufffd')) expect(cut).not.toContain('\ufffd')
      if (byteLength(whole) <= limit) expect(cut).toBe(whole)
      else expect(cut).toMatch(/\n… \d+ bytes cut …\n/)
    }),
  )
})

test('has no room for anything when the limit is smaller than the marker', () => {
  expect(cutMiddle('x'.repeat(100), 10)).toBe('')
})

test('cuts the end of a line, and no character in two', () => {
  expect(cutEnd('short', 5)).toBe('short')
  expect(cutEnd('longer', 5)).toBe('long…')
  expect(cutEnd('abc😀d', 5)).toBe('abc…')
})

test.for([
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [49_000_000, '49.0 MB'],
] as const)('writes %i bytes for people', ([bytes, text]) => {
  expect(formatBytes(bytes)).toBe(text)
})

function hasHalfPair(text: string): boolean {
  return /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
}
