import { expect, test } from 'vitest'
import { readAttachedLine, toAttachedLine, toLineName } from './attached-line.ts'

test.each(['sales.csv', 'a, b.csv', 'x, 12 bytes', ' (1).json', 'ünï.tsv'])(
  'reads back what it wrote about %s',
  (name) => {
    expect(readAttachedLine(toAttachedLine({ name, bytes: 48_213 }))).toEqual({
      name,
      bytes: 48_213,
    })
  },
)

test('writes the agreed form', () => {
  expect(toAttachedLine({ name: 'sales.csv', bytes: 48_213 })).toBe(
    '[attached] sales.csv, 48213 bytes',
  )
})

test('names what models can see by its digest', () => {
  const file = { name: 'x, 12 bytes', bytes: 5, digest: 'a0'.repeat(32) }
  expect(toAttachedLine(file)).toBe(`[attached] x, 12 bytes, 5 bytes, sha256 ${file.digest}`)
  expect(readAttachedLine(toAttachedLine(file))).toEqual(file)
})

test('reads nothing else', () => {
  expect(readAttachedLine('see [attached] sales.csv, 1 bytes')).toBeUndefined()
  expect(readAttachedLine('[attached] sales.csv, 1 bytes\nmore')).toBeUndefined()
})

test('keeps a name on one line', () => {
  expect(toLineName('a\nb\t.csv')).toBe('a_b_.csv')
})
