import type { Resources, Tool } from '@offthread/core'
import { isDocumentName } from '../files/file-kinds.ts'
import { catalogOf } from './catalog.ts'
import { compressFile, hashFile, loadTable, sqlQuery } from './definitions.ts'
import { asksForLog } from './event-log.ts'
import { editImage } from './images/edit-image-definition.ts'
import { isMadeTable } from './made-tables/names.ts'
import { runJs } from './run-js/run-js-definition.ts'
import { searchDocs } from './search-docs/search-docs-definition.ts'
import { type DataState, type DataStore, findFile, tablesFor } from './tables.ts'
import { quickjsModule, sqliteModule } from './wasm-modules.ts'

/** Where compiled WebAssembly comes from. */
interface Modules {
  readonly sqlite: () => Promise<WebAssembly.Module>
  readonly quickjs: () => Promise<WebAssembly.Module>
}

const fetched: Modules = { sqlite: sqliteModule, quickjs: quickjsModule }

/** The tools that need files, tables or WebAssembly, with those of this store. Workers load only the definitions. */
export function dataTools(
  { getState, arrived }: Pick<DataStore, 'getState' | 'arrived'>,
  { sqlite, quickjs }: Modules = fetched,
) {
  const withFile = async ({ file }: { readonly file: string }) => {
    await arrived()
    return { file: findFile(getState(), file) }
  }
  return {
    loadTable: withResources(loadTable, async (input) => {
      await arrived()
      const isMade = isMadeTable(input.file) && !getState().files.has(input.file)
      return { ...(!isMade && (await withFile(input))), wasm: await sqlite() }
    }),
    sqlQuery: withResources(sqlQuery, async ({ sql }) => {
      const state = getState()
      const images = await Promise.all(
        tablesFor(state, sql).map(
          async ({ table, image }) => [`table:${table}`, await image()] as const,
        ),
      )
      return {
        ...Object.fromEntries(images),
        ...(asksForLog(state, sql) && { log: await state.readLog() }),
        catalog: catalogOf(state),
        wasm: await sqlite(),
      }
    }),
    hashFile: withResources(hashFile, withFile),
    compressFile: withResources(compressFile, withFile),
    editImage: withResources(editImage, withFile),
    runJs: withResources(runJs, async () => ({ wasm: await quickjs() })),
    searchDocs: withResources(searchDocs, async () => {
      await arrived()
      return { ...documentsIn(getState()), wasm: await sqlite() }
    }),
  }
}

const largestDocument = 20_000_000

/** The dropped files that are texts for people. */
function documentsIn({ files }: DataState): Resources {
  const texts = [...files].filter(
    ([name, { size }]) => isDocumentName(name) && size <= largestDocument,
  )
  return Object.fromEntries(texts.map(([name, file]) => [`file:${name}`, file]))
}

function withResources<T extends Tool>(tool: T, resources: NonNullable<T['resources']>): T {
  return { ...tool, resources }
}
