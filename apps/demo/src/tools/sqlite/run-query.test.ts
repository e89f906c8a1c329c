import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CatalogEntry } from '../catalog.ts'
import { loadFile } from './load-file.ts'
import { type QueryResult, runQuery } from './run-query.ts'
import { startSqlite } from './start-sqlite.ts'

let sqlite: Sqlite3Static
let images: Map<string, Blob>
const catalog: readonly CatalogEntry[] = [
  { table: 'sales', columns: ['id', 'region', 'amount'] },
  { table: 'regions', columns: ['region', 'country'] },
]

beforeAll(async () => {
  sqlite = await startSqlite(undefined)
  const sales = [
    'id,region,amount',
    ...Array.from({ length: 1000 }, (_, i) => `${i},${i % 2 ? 'N' : 'S'},${i / 4}`),
  ]
  images = new Map([
    ['sales', await imageOf('sales', sales.join('\n'))],
    ['regions', await imageOf('regions', 'region,country\nN,Norway\nS,Spain\n')],
  ])
})

describe('runs', () => {
  test('joins over tables by their plain names', async () => {
    const result = await query(
      'SELECT country, count(*) AS n, sum(amount) FROM sales JOIN regions USING (region) GROUP BY country ORDER BY country',
    )
    expect(result).toEqual({
      columns: ['country', 'n', 'sum(amount)'],
      rows: [
        ['Norway', 500, 62_500],
        ['Spain', 500, 62_375],
      ],
      rowCount: 2,
      truncated: false,
    })
  })

  test.each([
    ['WITH big AS (SELECT * FROM sales WHERE amount > 249) SELECT count(*) FROM big', [[3]]],
    [
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n',
      [[15]],
    ],
    [
      "VALUES (1, NULL), (2, 'x')",
      [
        [1, null],
        [2, 'x'],
      ],
    ],
    ['  -- why\n /* so; DELETE */ ;; select 1 ; -- done', [[1]]],
    ["SELECT ';DELETE FROM sales'", [[';DELETE FROM sales']]],
    [
      "SELECT 9223372036854775807, 9e999, x'00ff', 0.1",
      [['9223372036854775807', 'Infinity', "x'00ff'", 0.1]],
    ],
    ['SELECT "region", [amount], `id` FROM SALES WHERE ID = 3', [['N', 0.75, 3]]],
    ['SELECT rank() OVER (ORDER BY amount DESC) FROM sales LIMIT 1', [[1]]],
    ["SELECT value FROM json_each('[1,2]')", [[1], [2]]],
  ])('%s', async (sql, rows) => {
    expect((await query(sql)).rows).toEqual(rows)
  })
})

describe('limits', () => {
  test('the rows, and counts all of them', async () => {
    const result = await query('SELECT id FROM sales')
    expect(result.rows).toHaveLength(200)
    expect(result).toMatchObject({ rowCount: 1000, truncated: true })
    expect(await query('SELECT id FROM sales LIMIT 200')).toMatchObject({
      rowCount: 200,
      truncated: false,
    })
  })

  test('the characters', async () => {
    const result = await query("SELECT printf('%.*c', 100, 'x') FROM sales")
    expect(JSON.stringify(result).length).toBeLessThan(8200)
    expect(result.rows.length).toBeGreaterThan(60)
    expect(result).toMatchObject({ rowCount: 1000, truncated: true })
  })

  test('one long text', async () => {
    const [row] = (await query("SELECT printf('%.*c', 5000, 'x')")).rows
    expect(row?.[0]).toBe(`${'x'.repeat(2000)}… (5,000 characters)`)
  })

  test('a row that does not fit, with an error', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => `${i} AS column_${i}`).join(', ')
    await expect(query(`SELECT ${many}`)).rejects.toThrow(
      'One row of this result (1500 columns) takes',
    )
  })
})

describe('never writes', () => {
  test.each([
    ['DELETE FROM sales', 'Only one SELECT statement is allowed; this starts with DELETE.'],
    ['  ;DELETE FROM sales', 'this starts with DELETE'],
    ['-- SELECT\nDELETE FROM sales', 'this starts with DELETE'],
    ['/* SELECT */ UPDATE sales SET id = 1', 'this starts with UPDATE'],
    ['INSERT INTO sales VALUES (1,2,3)', 'this starts with INSERT'],
    ['REPLACE INTO sales VALUES (1,2,3)', 'this starts with REPLACE'],
    ['DROP TABLE sales', 'this starts with DROP'],
    ['CREATE TABLE x (a)', 'this starts with CREATE'],
    ['CREATE TEMP TABLE x AS SELECT 1', 'this starts with CREATE'],
    ['ALTER TABLE sales ADD x', 'this starts with ALTER'],
    ['PRAGMA writable_schema = 1', 'this starts with PRAGMA'],
    ['pragma table_info(sales)', 'this starts with PRAGMA'],
    ["ATTACH 'x.db' AS x", 'this starts with ATTACH'],
    ['DETACH image_1', 'this starts with DETACH'],
    ['VACUUM', 'this starts with VACUUM'],
    ["VACUUM INTO 'x'", 'this starts with VACUUM'],
    ['BEGIN', 'this starts with BEGIN'],
    ['REINDEX', 'this starts with REINDEX'],
    ['ANALYZE', 'this starts with ANALYZE'],
    ['EXPLAIN DELETE FROM sales', 'this starts with EXPLAIN'],
    ['(SELECT 1)', 'this starts with "(SELECT 1)"'],
    ['WITH x AS (SELECT 1) DELETE FROM sales', 'this one contains DELETE'],
    ['WITH x AS (SELECT 1) DELETE FROM sales RETURNING id', 'this one contains DELETE'],
    ['WITH x AS (SELECT 1) UPDATE sales SET id = 1', 'this one contains UPDATE'],
    ['WITH x AS (SELECT 1) INSERT INTO sales SELECT 1,2,3', 'this one contains INSERT'],
    ["SELECT * FROM pragma_table_info('sales')", 'this one contains PRAGMA'],
    ['SELECT 1; DELETE FROM sales', 'a second statement follows, which starts with DELETE'],
    ['SELECT 1; SELECT 2', 'a second statement follows, which starts with SELECT'],
    ['SELECT 1; /* x */ ; -- y\n PRAGMA user_version', 'which starts with PRAGMA'],
    ['SELECT 1; garbage', 'which starts with GARBAGE'],
    ['SELECT 1\0; DELETE FROM sales', 'it holds a zero character'],
    ['', 'The SQL is empty'],
    [' -- nothing', 'The SQL is empty'],
    ['/* open', 'The SQL is empty'],
    [';;', 'The SQL is empty'],
  ])('%j', async (sql, message) => {
    await expect(query(sql)).rejects.toMatchObject({
      kind: 'invalid_args',
      message: expect.stringContaining(message),
    })
    expect((await query('SELECT count(*), sum(id) FROM sales')).rows).toEqual([[1000, 499_500]])
  })
})

describe('explains', () => {
  test.each([
    [
      'SELECT * FROM sale',
      'not_found',
      'There is no table called "sale". Tables: sales (id, region and amount); regions (region and country).',
    ],
    ['SELECT * FROM main.sales', 'not_found', 'There is no table called "sales". Tables: sales ('],
    [
      'SELECT amout FROM sales',
      'invalid_args',
      'There is no column called amout. sales has id, region and amount.',
    ],
    [
      'SELECT "Norway" FROM regions',
      'invalid_args',
      'There is no column called "Norway". A string is written in single quotes. regions has',
    ],
    ['SELECT s.x FROM sales s', 'invalid_args', 'There is no column called s.x. sales has id'],
    [
      'SELECT region FROM sales, regions',
      'invalid_args',
      'SQL error: ambiguous column name: region.',
    ],
    ['SELECT FROM sales', 'invalid_args', 'SQL error: near "FROM": syntax error.'],
    ['SELECT * FROM sales WHERE', 'invalid_args', 'SQL error: incomplete input.'],
    ['SELECT median2(id) FROM sales', 'invalid_args', 'SQL error: no such function: median2.'],
    ["SELECT json_extract('{', '$')", 'invalid_args', 'SQL error: malformed JSON.'],
    [
      'SELECT name FROM sqlite_master',
      'invalid_args',
      'The schema tables cannot be read. Tables: sales (',
    ],
    [
      'SELECT name FROM sqlite_schema',
      'invalid_args',
      'The schema tables cannot be read. Tables: sales (',
    ],
  ])('%s', async (sql, kind, message) => {
    await expect(query(sql)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(message),
    })
  })

  test('that nothing is loaded', async () => {
    const job = {
      sqlite,
      images: new Map(),
      catalog: [],
      sql: 'SELECT * FROM sales',
      onRows: async () => {},
    }
    await expect(runQuery(job)).rejects.toThrow(
      'No table is loaded. Load a file with load_table first.',
    )
  })

  test('an image that is none', async () => {
    const broken = new Map([['sales', new Blob(['x'.repeat(8192)])]])
    const job = {
      sqlite,
      images: broken,
      catalog,
      sql: 'SELECT * FROM sales',
      onRows: async () => {},
    }
    await expect(runQuery(job)).rejects.toThrow('Table "sales" cannot be opened')
  })
})

test('stops between rows when it is aborted', async () => {
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'
  const reason = new DOMException('Stopped.', 'AbortError')
  const onRows = async (count: number) => {
    if (count > 5000) throw reason
  }
  await expect(runQuery({ sqlite, images, catalog, sql, onRows })).rejects.toBe(reason)
})

test('starts on a module that was compiled before, without compiling it again', async () => {
  const path = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')
  const module = await WebAssembly.compile(readFileSync(path))
  const instantiate = vi.spyOn(WebAssembly, 'instantiate')
  onTestFinished(() => instantiate.mockRestore())

  const own = await startSqlite(module)

  expect(instantiate.mock.calls.map(([source]) => source)).toEqual([module])
  const job = {
    sqlite: own,
    images,
    catalog,
    sql: 'SELECT count(*) FROM sales',
    onRows: async () => {},
  }
  expect((await runQuery(job)).rows).toEqual([[1000]])
  expect(own.wasm.heap8u().buffer).not.toBe(sqlite.wasm.heap8u().buffer)
})

async function imageOf(table: string, text: string): Promise<Blob> {
  const job = {
    sqlite,
    table,
    file: new Blob([text]),
    ragged: 'error',
    onRead: async () => {},
  } as const
  return (await loadFile(job)).image
}

function query(sql: string): Promise<QueryResult> {
  return runQuery({ sqlite, images, catalog, sql, onRows: async () => {} })
}
