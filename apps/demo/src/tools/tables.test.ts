import { describe, expect, test } from 'vitest'
import { catalogOf, readCatalog } from './catalog.ts'
import { createDataStore, findFile, type LoadedTable, tablesFor } from './tables.ts'

describe('the data store', () => {
  test('holds files and tables, and leaves a state that was read as it was', () => {
    const store = createDataStore()
    const before = store.getState()

    store.addFile('a.csv', new Blob(['a']))
    store.addFile('b.csv', new Blob(['b']))
    store.addFile('a.csv', new Blob(['newer']))
    store.addTable(tableOf('t'))

    expect(before.files.size).toBe(0)
    expect(store.getState().files.get('a.csv')?.size).toBe(5)
    expect([...store.getState().files.keys()]).toEqual(['b.csv', 'a.csv'])
    expect([...store.getState().tables.keys()]).toEqual(['t'])
  })

  test('replaces a table of the same name, as SQL compares names', () => {
    const store = createDataStore()
    store.addTable(tableOf('Sales'))
    store.addTable(tableOf('sales', 7))
    expect([...store.getState().tables.values()].map(({ table, rows }) => [table, rows])).toEqual([
      ['sales', 7],
    ])
  })
})

test('the error for a missing file lists the files', () => {
  const store = createDataStore()
  expect(() => findFile(store.getState(), 'x')).toThrow(
    'There is no file called "x": no file was dropped yet.',
  )
  store.addFile('a b.csv', new Blob())
  store.addFile('c.csv', new Blob())
  expect(() => findFile(store.getState(), 'x')).toThrow(
    'There is no file called "x". Files: a b.csv and c.csv.',
  )
  expect(findFile(store.getState(), 'c.csv')).toBeInstanceOf(Blob)
})

describe('a query gets', () => {
  test('all tables if there are at most three', () => {
    expect(named(3, 'SELECT 1')).toEqual(['t1', 't2', 't3'])
  })

  test('of more, those it names', () => {
    expect(named(5, 'SELECT * FROM T4 JOIN "t2"')).toEqual(['t2', 't4'])
    expect(named(5, 'SELECT 1')).toEqual([])
  })

  test('at most nine', () => {
    const sql = Array.from({ length: 9 }, (_, i) => `t${i + 1}`).join()
    expect(named(9, sql)).toHaveLength(9)
    expect(() => named(20, `${sql},t11,t12`)).toThrow('A query can use 9 tables')
  })

  function named(count: number, sql: string) {
    const store = createDataStore()
    for (let i = 1; i <= count; i++) store.addTable(tableOf(`t${i}`))
    return tablesFor(store.getState(), sql).map(({ table }) => table)
  }
})

test('the catalog survives the way into a worker', async () => {
  const store = createDataStore()
  store.addTable(tableOf('t'))
  expect(await readCatalog(catalogOf(store.getState()))).toEqual([
    { table: 't', columns: ['a', 'b c'] },
  ])
  expect(await readCatalog(undefined)).toEqual([])
})

function tableOf(table: string, rows = 1): LoadedTable {
  const columns = [
    { name: 'a', type: 'text' },
    { name: 'b c', type: 'integer' },
  ]
  return { table, file: `${table}.csv`, rows, columns, image: () => new Blob() }
}
