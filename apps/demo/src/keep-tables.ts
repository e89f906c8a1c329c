import type { Agent, AgentEvent } from '@offthread/core'
import { loadedTableSchema, loadTable } from './tools/definitions.ts'
import type { DataStore, LoadedTable } from './tools/tables.ts'

/** Makes every table that is loaded known to the queries that follow. Returns the way to stop that. */
export function keepTables(
  agent: Pick<Agent, 'subscribe' | 'getArtifact'>,
  store: Pick<DataStore, 'addTable'>,
): () => void {
  // In the event itself: the next call may ask for the table before anything is published.
  return agent.subscribe((event) => {
    const table = loadedBy(event, agent)
    if (table) store.addTable(table)
  })
}

function loadedBy(
  event: AgentEvent,
  { getArtifact }: Pick<Agent, 'getArtifact'>,
): LoadedTable | undefined {
  if (event.type !== 'tool_execution_end' || event.toolName !== loadTable.name) return undefined
  if (event.isError) return undefined
  const { data } = loadedTableSchema.safeParse(event.result.structuredContent)
  const image = getArtifact(event.result.artifacts?.[0]?.artifactId ?? '')
  return data && image && { ...data, image: () => image }
}
