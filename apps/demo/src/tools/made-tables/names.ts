const names = ['synthetic orders', 'planets'] as const

export type MadeTable = (typeof names)[number]

/** The tables that need no file: the page makes them itself. Each by the name that takes the place of a file's. */
export const madeTables: readonly string[] = names

export function isMadeTable(name: string): name is MadeTable {
  return madeTables.includes(name)
}
