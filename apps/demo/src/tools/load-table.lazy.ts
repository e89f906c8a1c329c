import { type Execute, ToolError, toolResult } from '@offthread/core/worker'
import { counted } from '../text/quantity.ts'
import type { loadTable } from './definitions.ts'
import { isMadeTable } from './made-tables/names.ts'
import { loadFile } from './sqlite/load-file.ts'
import { startSqlite } from './sqlite/start-sqlite.ts'
import { fitForModel } from './table/fit-for-model.ts'
import { toTableName } from './table/names.ts'

const execute: Execute<typeof loadTable> = async (input, context) => {
  const { file } = context.resources
  const named = toTableName(input.table ?? input.file)
  const table = input.ragged === 'show' ? `${named}_ragged` : named
  const { image, rows, columns, notes } = await load(input, table, context)
  const output = {
    table,
    file: input.file,
    rows,
    bytes: file instanceof Blob ? file.size : image.size,
    columns: [...columns],
    notes: [...notes],
  }
  return toolResult({
    output,
    content: JSON.stringify(fitForModel(output)),
    artifacts: [{ name: `${table}.sqlite3`, mediaType: 'application/vnd.sqlite3', data: image }],
  })
}

export default execute

type Context = Parameters<typeof execute>[1]

async function load(
  input: Parameters<typeof execute>[0],
  table: string,
  { resources, onProgress, yield: next }: Context,
) {
  const { file, wasm } = resources
  const name = input.file
  const mayYield = throttled(next)
  if (file instanceof Blob) {
    return loadFile({
      ...{ sqlite: await startSqlite(wasm), file, name, table },
      ragged: input.ragged,
      delimiter: input.delimiter,
      onRead: async ({ read, total, rows }) => {
        const message = read > file.size ? 'second reading, for the types' : counted(rows, 'row')
        onProgress({ value: read, total, unit: 'bytes', message })
        await mayYield()
      },
    })
  }
  if (!isMadeTable(name)) throw new ToolError('not_found', `There is no file "${name}".`)
  const { makeTable } = await import('./made-tables/make-table.ts')
  return makeTable({
    ...{ sqlite: await startSqlite(wasm), name, table },
    onRows: async (value, total) => {
      onProgress({ value, total, unit: 'rows' })
      await mayYield()
    },
  })
}

/** Throttles `next` to one call in 50 ms, which is often enough to notice an abort. */
function throttled(next: () => Promise<void>): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < 50) return
    await next()
    last = performance.now()
  }
}
