import type { Clock } from '../internal/clock.ts'
import { isList } from '../internal/json.ts'
import type { Tool } from '../tools/definition.ts'
import type { ToolHost } from '../tools/host.ts'
import { inPage } from '../tools/page/page-host.ts'
import type { ToolContext } from '../tools/worker/context.ts'
import type { Pages } from './all-pages.ts'
import type { CallLogs } from './call-logs.ts'
import { callTool } from './call-tool.ts'
import type { Connection } from './connection.ts'
import type { Usage } from './count-use.ts'
import { createLibrary } from './library.ts'
import type { McpOptions, McpTools } from './options.ts'
import { fetchTools, type ListedTool, readTools } from './tool-list.ts'

/** What all hosts of one connection share. */
export interface HostParts {
  readonly connection: Connection
  readonly clock: Clock
  readonly options: McpOptions
  readonly logs: CallLogs
  readonly usage: Usage
  /** The names of tools, by those that the server has for them. */
  readonly names: Map<string, string>
}

/** The host of a list of tools, as the server wrote it. */
export async function hostOf(
  { items, written }: Pages<unknown>,
  parts: HostParts,
): Promise<McpTools> {
  const { connection, usage, options, names } = parts
  const about = connection.about()
  const { name = 'mcp', version = '' } = about?.getServerVersion() ?? {}
  const { needsApproval, beside = [], timeoutMs = 60_000, prefix } = options
  const others: readonly ToolHost[] = isHost(beside) ? [beside] : beside
  const { tools, problems } = await readTools(items, {
    prefix: prefix ?? lastOf(name),
    names,
    taken: others.flatMap((host) => host.tools.map((tool) => tool.name)),
    ...(needsApproval !== undefined && { needsApproval }),
    timeoutMs,
  })
  const place = placeOf(tools, parts)
  const host: McpTools = {
    ...createLibrary(connection),
    tools: place.tools,
    open: (tool, asked) => usage.counted(place.open(tool, asked)),
    check: async () => checkListed(tools, (await fetchTools(connection)).items),
    release: usage.release,
    server: { name, version },
    instructions: about?.getInstructions(),
    problems,
    refresh: async () => {
      const now = await fetchTools(connection)
      return now.written === written ? host : hostOf(now, parts)
    },
    close: connection.close,
  }
  return host
}

/** Tools on the page: all that their code does is to wait for the server. */
function placeOf(
  tools: readonly ListedTool[],
  { connection, clock, logs }: HostParts,
): Pick<ToolHost, 'tools' | 'open'> {
  // A server may have only resources.
  if (tools.length === 0) return { tools: [], open: unlisted }
  return inPage(
    tools.map((listed) => ({
      tool: listed.tool,
      code: (input: unknown, context: ToolContext) =>
        logs.during(context.log, () =>
          callTool(input, context, { called: listed, connection, clock }),
        ),
    })),
    { clock },
  )
}

function unlisted({ name }: Tool): never {
  throw new TypeError(`The MCP server has no tool "${name}".`)
}

async function checkListed(
  tools: readonly ListedTool[],
  entries: readonly unknown[],
): Promise<void> {
  const now = new Set((await readTools(entries, {})).tools.map(({ remoteName }) => remoteName))
  const gone = tools.filter(({ remoteName }) => !now.has(remoteName))
  if (gone.length === 0) return
  const names = gone.map(({ tool }) => tool.name).join(', ')
  throw new Error(`The MCP server has these tools no more: ${names}. Call refresh.`)
}

/** What a name like `vendor/server` or `com.vendor.server` ends in. */
function lastOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1)
}

function isHost(beside: ToolHost | readonly ToolHost[]): beside is ToolHost {
  return !isList(beside)
}
