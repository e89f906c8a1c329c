import { expect, test } from 'vitest'
import { bytesOf } from '../tools.fixtures.ts'
import { sniff } from './sniff.ts'

const whole = true

test.each([
  ['a.json', '{bad', '"b" stands in line 1, column 2, where a quoted name is expected'],
  ['a.JSONL', '\n {\n  ß: 1}', '"ß" stands in line 3, column 3, where a quoted name is expected'],
  ['a.ndjson', 'id,name\n1,Ann\n', '"i" stands in line 1, column 1, where an object is expected'],
  ['a.json ', '[id]', '"i" stands in line 1, column 2, where an object is expected'],
])('says that %j with %j is not JSON, and where', (name, text, where) => {
  expect(() => sniff(bytesOf(text), { whole, name })).toThrow(
    `The file is named as JSON, but it is not JSON: ${where}.`,
  )
})

test('leaves JSON that is no table to the reader of JSON', () => {
  const options = { whole, name: 'a.json' }
  expect(sniff(bytesOf('[true]'), options)).toMatchObject({ kind: 'json', shape: 'array' })
  expect(() => sniff(bytesOf('42'), options)).toThrow('"4" stands where row 1 is expected')
})

test('believes the content of a file that is named otherwise, or not at all', () => {
  expect(sniff(bytesOf('{bad\n1\n'), { whole, name: 'json.csv' })).toMatchObject({
    kind: 'delimited',
    columns: ['{bad'],
  })
  expect(sniff(bytesOf('{"a":1}\n'), { whole, name: 'a.csv' })).toMatchObject({ kind: 'json' })
  expect(sniff(bytesOf('{"a":1}\n'), { whole })).toMatchObject({ kind: 'json' })
})
