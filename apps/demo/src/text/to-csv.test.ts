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
