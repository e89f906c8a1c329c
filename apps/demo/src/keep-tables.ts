import type { DemoAgent } from './agent.ts'
import type { DataStore } from './tools/tables.ts'

/** Adds every table that is loaded to the store, for the queries that follow. */
export function keepTables(
  { configure, getArtifact }: Pick<DemoAgent, 'configure' | 'getArtifact'>,
  { addTable }: Pick<DataStore, 'addTable'>,
): void {
  configure({
    hooks: {
      // In the hook, because the next call may need the table before the state is published.
      afterToolCall: (call) => {
        if (call.toolName !== 'load_table' || call.isError) return undefined
        const { structuredContent: table, artifacts } = call.result
        const image = getArtifact(artifacts?.[0]?.artifactId ?? '')
        if (table && image) addTable({ ...table, image: () => image })
        return undefined
      },
    },
  })
}
