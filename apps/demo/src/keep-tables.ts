import {
  type AgentEvent,
  type Artifact,
  type AssistantContent,
  type Part,
  ToolError,
} from '@offthread/core'
import type { DemoAgent } from './agent.ts'
import { loadedTableSchema } from './tools/definitions.ts'
import type { DataStore, LoadedTable } from './tools/tables.ts'

type Source = Pick<DemoAgent, 'getArtifact'>
type Table = Omit<LoadedTable, 'image'>
type Tables = Pick<DataStore, 'addTable'>

/**
 * Adds every table that is loaded from now on to the store, for the queries that follow: also one that another tab has
 * loaded, which may be closed before the next query.
 */
export function keepTables(agent: Source & Pick<DemoAgent, 'subscribe'>, store: Tables): void {
  agent.subscribe((event: AgentEvent) => {
    if (event.type !== 'tool_execution_end' || event.toolName !== 'load_table') return
    const { outcome, result } = event
    const table = loadedTableSchema.safeParse(result.structuredContent)
    if (outcome === 'succeeded' && table.success)
      store.addTable(kept(table.data, result.artifacts, agent))
  })
}

/** Adds the tables that were loaded in a stored session. */
export async function restoreTables(agent: DemoAgent, store: Tables): Promise<void> {
  await agent.ready
  const { messages, toolCalls } = agent.getState()
  const parts = messages.flatMap<Part | AssistantContent>(({ content }) => content)
  for (const part of parts) {
    const call = part.type === 'toolCall' ? toolCalls.get(part.toolCallId) : undefined
    if (call?.toolName !== 'load_table' || call.status !== 'succeeded' || !call.output) continue
    store.addTable(kept(call.output, call.result?.artifacts, agent))
  }
}

function kept(
  table: Table,
  artifacts: readonly Artifact[] | undefined,
  { getArtifact }: Source,
): LoadedTable {
  const image = async (): Promise<Blob> => {
    const found = await getArtifact(artifacts?.[0]?.artifactId ?? '')
    if (found) return found
    throw new ToolError('not_found', `The table ${table.table} is not kept. Load its file again.`)
  }
  return { ...table, image }
}
