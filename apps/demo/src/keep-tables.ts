import {
  type AgentHooks,
  type Artifact,
  type AssistantContent,
  type Part,
  ToolError,
} from '@offthread/core'
import type { DemoAgent } from './agent.ts'
import type { DataStore, LoadedTable } from './tools/tables.ts'

type Source = Pick<DemoAgent, 'getArtifact'>
type Table = Omit<LoadedTable, 'image'>
type Tables = Pick<DataStore, 'addTable'>

/** Adds every table that is loaded from now on to the store, for the queries that follow. `others`: further hooks. */
export function keepTables(
  agent: Source & Pick<DemoAgent, 'configure'>,
  store: Tables,
  others: readonly AgentHooks[] = [],
): void {
  agent.configure({
    hooks: [
      {
        // In the hook, because the next call may need the table before the state is published.
        afterToolCall: (call) => {
          if (call.toolName !== 'load_table' || call.isError) return undefined
          const { structuredContent: table, artifacts } = call.result
          if (table) store.addTable(kept(table, artifacts, agent))
          return undefined
        },
      },
      ...others,
    ],
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
