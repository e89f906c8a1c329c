import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutEnd } from '../../internal/cut-text.ts'
import { byteLength, cutMiddle, formatBytes } from './cut-bytes.ts'

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
  // Characters of one, two, three and four bytes.
  const text = fc
    .array(fc.constantFrom('a', 'é', '€', '😀'), { maxLength: 1000, size: 'max' })
    .map((characters) => characters.join(''))

  fc.assert(
    fc.property(text, fc.integer({ min: 40, max: 1200 }), (whole, limit) => {
      const cut = cutMiddle(whole, limit)
      expect(byteLength(cut)).toBeLessThanOrEqual(limit)
      expect(cut).toMatch(/^[aé€😀]*(\n… [\d.]+ (bytes|KB) cut …\n[aé€😀]*)?$/u)
      expect(cut === whole).toBe(byteLength(whole) <= limit)
    }),
    { numRuns: 500 },
  )
})

test('keeps to the limit where the word for the bytes becomes longer by cutting', () => {
  expect(byteLength(cutMiddle('x'.repeat(1000), 999))).toBeLessThanOrEqual(999)
  expect(byteLength(cutMiddle('x'.repeat(1010), 100))).toBeLessThanOrEqual(100)
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
