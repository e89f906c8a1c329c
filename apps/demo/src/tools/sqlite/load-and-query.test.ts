import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadFile } from './load-file.ts'
import { runQuery } from './run-query.ts'
import { startSqlite } from './start-sqlite.ts'

test('smoke', async () => {
  const sqlite = await startSqlite(undefined)
  const file = new Blob([
    readFileSync(new URL('../../../public/sample/zone1970.tab', import.meta.url)),
  ])
  const loaded = await loadFile({
    sqlite,
    file,
    table: 'zones',
    ragged: 'error',
    onRead: async () => {},
  })
  console.log(JSON.stringify(loaded), loaded.image.size)
  const result = await runQuery({
    sqlite,
    images: new Map([['zones', loaded.image]]),
    catalog: [],
    sql: 'select count(*), count(comments), max(TZ) from zones',
    onRows: async () => {},
  })
  console.log(JSON.stringify(result))
  expect(result.rowCount).toBe(1)
})
