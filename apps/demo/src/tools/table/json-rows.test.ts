import { expect, test } from 'vitest'
import { createJsonRows, type JsonShape, sniffJsonShape } from './json-rows.ts'

const rows = [
  { a: 1, b: 'x' },
  { a: -2.5, b: 'brackets ]}[{ in text, "quotes" \\ and \\" too' },
  { a: null, b: 'ä漢🙂', c: { deep: [{ a: 1 }, []] } },
  {},
]
const cells = [
  [1, 'x'],
  [-2.5, 'brackets ]}[{ in text, "quotes" \\ and \\" too'],
  [null, 'ä漢🙂', '{"deep":[{"a":1},[]]}'],
  [null, null, null],
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
  const expected = text.includes('a') ? cells : []
  expect(sniffJsonShape(text, true)).toBe(shape)
  for (let cut = 0; cut <= text.length; cut++) {
    expect(read(shape, [text.slice(0, cut), text.slice(cut)])).toEqual(expected)
  }
})

test('gives one character at a time the same', () => {
  expect(read('array', JSON.stringify(rows).split(''))).toEqual(cells)
})

test.each<[JsonShape, string, string]>([
  ['array', '[{"a":1}, 5]', 'list of objects: "5" stands where row 2 is expected'],
  ['array', '[[1,2],[3,4]]', 'list of objects: "[1,2]" stands where row 1 is expected'],
  ['array', '["a"]', 'stands where row 1 is expected'],
  ['array', '[{"a":1}] x', 'Row 2 is not valid JSON: "x" is not expected there.'],
  ['array', '[{"a":1}', 'ends too early, after 1 whole rows'],
  ['array', '[{"a":"b', 'ends too early, after 0 whole rows'],
  ['lines', '{"a":1},{"a":2}', 'Row 2 is not valid JSON: "," is not expected there.'],
  ['lines', '{"a":1}}', 'Row 2 is not valid JSON'],
  ['lines', '42', 'list of objects: "42" stands where row 1 is expected'],
  ['wrapper', '{"a":[{"x":1}],"b":[{"x":2}]}', 'more than one array of objects'],
])('rejects in %s: %s', (shape, text, message) => {
  expect(() => read(shape, [text])).toThrow(message)
})

test('rejects a row that is larger than 16 MB before it ends', () => {
  const piece = 'x'.repeat(1_048_576)
  const pieces = ['[{"a":1},{"a":"', ...Array.from({ length: 17 }, () => piece)]
  expect(() => read('array', pieces)).toThrow('Row 2 of the JSON is larger than 16 MB.')
})

test('takes an object that does not end in the beginning of a large file as a wrapper', () => {
  expect(sniffJsonShape('{"data": [{"a": 1}, {"a"', false)).toBe('wrapper')
  expect(() => sniffJsonShape('{"data": [{"a": 1}, {"a"', true)).toThrow(
    'The JSON cannot be read: ',
  )
})

test('takes an object that ends with the beginning of a large file as its first row', () => {
  expect(sniffJsonShape('{"tags": [{"a": 1}]}\n', false)).toBe('lines')
})

test('takes one object without a list as one row', () => {
  expect(sniffJsonShape('{"a": 1, "b": [1, 2]}', true)).toBe('lines')
})

test('says why a first object cannot be read', () => {
  expect(() => sniffJsonShape('{"a": nope}', true)).toThrow(
    'The JSON cannot be read: "o" is not expected there.',
  )
})

function read(shape: JsonShape, pieces: readonly string[]) {
  const reader = createJsonRows(shape)
  const found = pieces.flatMap((piece) => reader.push(piece, false))
  return [...found, ...reader.push('', true)]
}
