import { expect, test } from 'vitest'
import { sniff } from './sniff.ts'

const whole = true

test.each([
  ['a.json', '{bad', '"b" stands in line 1, column 2, where a quoted name is expected'],
  ['a.JSONL', '\n {\n  ß: 1}', '"ß" stands in line 3, column 3, where a quoted name is expected'],
  ['a.ndjson', 'id,name\n1,Ann\n', '"i" stands in line 1, column 1, where an object is expected'],
  ['a.json ', '[id]', '"i" stands in line 1, column 2, where an object is expected'],
])('says that %j with %j is not JSON, and where', (name, text, where) => {
  expect(() => sniff({ text: text, whole }, { name })).toThrow(
    `The file is named as JSON, but it is not JSON: ${where}.`,
  )
})

test('leaves JSON that is no table to the reader of JSON', () => {
  const name = 'a.json'
  expect(sniff({ text: '[true]', whole }, { name })).toMatchObject({ kind: 'json', shape: 'array' })
  expect(sniff({ text: '42', whole }, { name })).toMatchObject({ kind: 'json', shape: 'lines' })
})

test('believes the content of a file that is named otherwise, or not at all', () => {
  expect(sniff({ text: '{bad\n1\n', whole }, { name: 'json.csv' })).toMatchObject({
    kind: 'delimited',
    columns: ['{bad'],
  })
  expect(sniff({ text: '{"a":1}\n', whole }, { name: 'a.csv' })).toMatchObject({ kind: 'json' })
  expect(sniff({ text: '{"a":1}\n', whole })).toMatchObject({ kind: 'json' })
})

test.each(['[id],[name]\n1,2', '{id},x', 'a,b', '"a","b"', '#[{\na,b\n'])(
  '%j is not JSON',
  (text) => {
    expect(sniff({ text, whole })).toMatchObject({ kind: 'delimited' })
  },
)

test.each([
  ['a,b\n1,2\n', ','],
  ['a;b\n1,5;2,5\n', ';'],
  ['a\tb\n1,5\t2;5\n', '\t'],
  ['a;b;c\n"1;2";3,4;5,6\n', ';'],
  ['name\nAnn\n', ','],
  ['a;b', ';'],
  ['a|b|c\n1|2,5|3\n', '|'],
  ['name;price;sum\nAnn;1,50;2,50\nBob;3,00;4,00\nCy;1,00\n', ';'],
  ['a,b;c\n1,2;3\n4,5;6\n', ','],
])('sniffs the delimiter of %j', (text, delimiter) => {
  expect(sniff({ text, whole })).toMatchObject({ delimiter })
})

test('takes the delimiter that it is given', () => {
  const text = 'a,b;c\n1,2;3\n'
  expect(sniff({ text, whole }, { delimiter: 'semicolon' })).toMatchObject({
    delimiter: ';',
    columns: ['a,b', 'c'],
    doubt: expect.stringContaining('separated by semicolons; its header also has commas.'),
  })
})

test.each([
  ['a,b\n1,2\n', '\n'],
  ['a,b\r\n1,2\r\n', '\n'],
  ['a,b\r1,2\r', '\r'],
])('sniffs the line end of %j', (text, newline) => {
  expect(sniff({ text, whole })).toMatchObject({ newline, columns: ['a', 'b'] })
})
