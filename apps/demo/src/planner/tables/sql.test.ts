import { expect, test } from 'vitest'
import type { AggregateRequest, Filter } from './request.ts'
import { toSql } from './sql.ts'
import { likePattern, quoteName, quoteValue } from './sql-text.ts'
import type { TableInfo } from './table-info.ts'
import { readTableInfo } from './table-info.ts'

const table: TableInfo = readTableInfo({
  table: 'odd "table"',
  file: 'x.csv',
  rows: 2,
  columns: [{ name: 'it\'s "it"', type: 'text', empty: 0, distinct: 2, examples: ['a'] }],
  notes: [],
}) ?? { table: '', file: '', rows: 0, columns: [], notes: [] }

test('quotes names and values', () => {
  expect(quoteName('a"b')).toBe('"a""b"')
  expect(quoteValue("O'Brien")).toBe("'O''Brien'")
  expect(likePattern('50%', 'contains')).toBe("LIKE '%50\\%%' ESCAPE '\\'")
})

test('lets no value out of its quotes', () => {
  expect(toSql(countWhere({ kind: 'one-of', values: ["x'; DROP TABLE t; --"] }))).toBe(
    `SELECT COUNT(*) AS "count" FROM "odd ""table""" WHERE "it's ""it""" = 'x''; DROP TABLE t; --'`,
  )
})

test('counts missing values among those that are not something', () => {
  expect(toSql(countWhere({ kind: 'one-of', values: ['a'] }, true))).toContain("IS NOT 'a'")
})

test('joins several stretches of time by OR', () => {
  const period = { from: '2021-01-01', to: '2022-01-01' }
  expect(toSql(countWhere({ kind: 'period', side: 'in', period, or: [period] }))).toMatch(
    /WHERE \(\(.* AND .*\) OR \(.* AND .*\)\)$/,
  )
})

function countWhere(where: Filter['test'], negated = false): AggregateRequest {
  const columns = table.columns.map((column) => ({ table, column }))
  return {
    kind: 'aggregate',
    table,
    filters: [{ columns, test: where, negated, at: 0 }],
    groupBy: [],
    literals: [],
    measures: [{ name: 'count' }],
    countGroups: false,
  }
}
