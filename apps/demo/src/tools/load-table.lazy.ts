import { type Execute, ToolError, toolResult } from '@offthread/core/worker'
import { counted } from '../text/quantity.ts'
import type { loadTable } from './definitions.ts'
import { loadFile } from './sqlite/load-file.ts'
import { startSqlite } from './sqlite/start-sqlite.ts'
import { fitForModel } from './table/fit-for-model.ts'
import { toTableName } from './table/names.ts'

const execute: Execute<typeof loadTable> = async (input, context) => {
  const { file, wasm } = context.resources
  if (!(file instanceof Blob)) throw new ToolError('not_found', `There is no file "${input.file}".`)
  const named = toTableName(input.table ?? input.file)
  const table = input.ragged === 'show' ? `${named}_ragged` : named
  const mayYield = throttled(context.yield)
  const loaded = await loadFile({
    sqlite: await startSqlite(wasm),
    file,
    name: input.file,
    table,
    ragged: input.ragged,
    delimiter: input.delimiter,
    onRead: async ({ read, total, rows }) => {
      const message = read > file.size ? 'second reading, for the types' : counted(rows, 'row')
      context.onProgress({ value: read, total, unit: 'bytes', message })
      await mayYield()
    },
  })
  const { image, rows, columns, notes } = loaded
  const output = {
    table,
    file: input.file,
    rows,
    bytes: file.size,
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

/** Throttles `next` to one call in 50 ms, which is often enough to notice an abort. */
function throttled(next: () => Promise<void>): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < 50) return
    await next()
    last = performance.now()
  }
}
