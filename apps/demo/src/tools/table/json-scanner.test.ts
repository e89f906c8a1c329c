import { expect, test } from 'vitest'
import { bytesOf } from '../tools.fixtures.ts'
import { textOf } from './batch.ts'
import { createJsonScanner } from './json-scanner.ts'
import type { JsonShape } from './json-shape.ts'
import { looksLikeJson, sniffJsonShape } from './json-shape.ts'

const rows = [
  { a: 1, b: 'x' },
  { a: -2.5, b: 'brackets ]}[{ in text, "quotes" \\ and \\" too' },
  { a: null, b: 'ä漢🙂', c: { deep: [{ a: 1 }, []] } },
  {},
]

test.each<[JsonShape, string]>([
  ['array', JSON.stringify(rows)],
  ['array', JSON.stringify(rows, null, 2)],
  ['array', ' [ ]\n'],
  ['lines', rows.map((row) => JSON.stringify(row)).join('\n')],
  ['lines', `${rows.map((row) => JSON.stringify(row)).join('\r\n')}\r\n`],
  ['lines', rows.map((row) => JSON.stringify(row)).join('')],
  [
    'wrapper',
    JSON.stringify({
      count: 4,
      meta: { of: 'x', list: [1, 2] },
      tags: ['a{', 'b'],
      data: rows,
      end: true,
    }),
  ],
  ['wrapper', JSON.stringify({ data: rows }, null, 2)],
])('finds the objects of %s, cut anywhere: %s', (shape, text) => {
  const bytes = bytesOf(text)
  const expected = text.includes('a') ? rows : []
  expect(looksLikeJson(bytes)).toBe(true)
  expect(sniffJsonShape(bytes, true)).toBe(shape)
  for (let cut = 0; cut <= bytes.length; cut++) {
    const scanner = createJsonScanner(shape)
    const found = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((piece) =>
      scanner.push(piece),
    )
    scanner.end()
    expect(found.map(parse)).toEqual(expected)
  }
})

test('gives one byte at a time the same', () => {
  const scanner = createJsonScanner('array')
  const bytes = bytesOf(JSON.stringify(rows))
  const found = Array.from(bytes, (byte) => scanner.push(Uint8Array.of(byte))).flat()
  expect(found.map(parse)).toEqual(rows)
})

test.each<[JsonShape, string, string]>([
  ['array', '[{"a":1}, 5]', '"5" stands where row 2 is expected'],
  ['array', '[[1,2],[3,4]]', '"[" stands where row 1 is expected'],
  ['array', '["a"]', 'stands where row 1 is expected'],
  ['array', '[{"a":1}] x', '"x" stands where row 2 is expected'],
  ['array', '[{"a":1}', 'ends too early, after 1 whole rows'],
  ['array', '[{"a":"b', 'ends too early, after 0 whole rows'],
  ['lines', '{"a":1},{"a":2}', '"," stands where row 2 is expected'],
  ['lines', '{"a":1}}', '"}" stands where row 2 is expected'],
  ['wrapper', '{"a":[{"x":1}],"b":[{"x":2}]}', 'more than one array of objects'],
])('rejects in %s: %s', (shape, text, message) => {
  const read = () => {
    const scanner = createJsonScanner(shape)
    scanner.push(bytesOf(text))
    scanner.end()
  }
  expect(read).toThrow(message)
})

test.each(['[id],[name]\n1,2', '{id},x', 'a,b', '"a","b"', '#[{'])('%j is not JSON', (text) => {
  expect(looksLikeJson(bytesOf(text))).toBe(false)
})

test('takes an object that does not end in the beginning of a large file as a wrapper', () => {
  expect(sniffJsonShape(bytesOf('{"data": [{"a": 1}, {"a"'), false)).toBe('wrapper')
  expect(() => sniffJsonShape(bytesOf('{"data": [{"a": 1}, {"a"'), true)).toThrow(
    'middle of its first',
  )
})

test('takes an object that ends with the beginning of a large file as its first row', () => {
  expect(sniffJsonShape(bytesOf('{"tags": [{"a": 1}]}\n'), false)).toBe('lines')
})

test('takes one object without a list as one row', () => {
  expect(sniffJsonShape(bytesOf('{"a": 1, "b": [1, 2]}'), true)).toBe('lines')
})

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(textOf(bytes, 0, bytes.length))
}
