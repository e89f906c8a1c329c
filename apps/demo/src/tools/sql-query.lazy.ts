import type { Execute } from '@offthread/core/worker'
import { counted } from '../text/quantity.ts'
import { readCatalog } from './catalog.ts'
import type { sqlQuery } from './definitions.ts'
import { runQuery } from './sqlite/run-query.ts'
import { startSqlite } from './sqlite/start-sqlite.ts'

const prefix = 'table:'

const execute: Execute<typeof sqlQuery> = async ({ sql }, context) => {
  const { resources } = context
  const images = Object.entries(resources).flatMap(([name, resource]) =>
    name.startsWith(prefix) && resource instanceof Blob
      ? [[name.slice(prefix.length), resource] as const]
      : [],
  )
  return runQuery({
    sqlite: await startSqlite(resources['wasm']),
    images: new Map(images),
    ...(resources['log'] instanceof Blob && { log: resources['log'] }),
    catalog: await readCatalog(resources['catalog']),
    sql,
    onRows: async (count) => {
      context.onProgress({ value: count, unit: 'rows', message: counted(count, 'row') })
      await context.yield()
    },
  })
}

export default execute
