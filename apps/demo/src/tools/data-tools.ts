import type { Tool } from '@offthread/core'
import { catalogOf } from './catalog.ts'
import { hashFile, loadTable, sqlQuery } from './definitions.ts'
import { sqliteModule } from './sqlite-module.ts'
import { type DataStore, findFile, tablesFor } from './tables.ts'

/** The tools that need files and tables, with those of this store. Workers know only the definitions. */
export function dataTools({ getState }: Pick<DataStore, 'getState'>) {
  return {
    loadTable: withResources(loadTable, async ({ file }) => ({
      file: findFile(getState(), file),
      wasm: await sqliteModule(),
    })),
    sqlQuery: withResources(sqlQuery, async ({ sql }) => {
      const state = getState()
      const images = await Promise.all(
        tablesFor(state, sql).map(
          async ({ table, image }) => [`table:${table}`, await image()] as const,
        ),
      )
      return {
        ...Object.fromEntries(images),
        catalog: catalogOf(state),
        wasm: await sqliteModule(),
      }
    }),
    hashFile: withResources(hashFile, ({ file }) => ({ file: findFile(getState(), file) })),
  }
}

function withResources<T extends Tool>(tool: T, resources: NonNullable<T['resources']>): T {
  return { ...tool, resources }
}
