import { cutEnd } from '../internal/cut-text.ts'
import { isList, isObject } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import { yieldToPage } from '../internal/yield-to-page.ts'
import { defineTool, type Tool } from '../tools/definition.ts'
import type { ToolSchema } from '../tools/tool-schema.ts'
import { allPages, type Pages } from './all-pages.ts'
import type { Connection } from './connection.ts'
import { outOfRules } from './mcp-server-error.ts'
import { serverSchema } from './server-schema.ts'
import { createToolNames } from './tool-names.ts'

/** What a server says of a tool: only a hint, unless you trust the server. */
export interface McpToolHints {
  /** The tool changes nothing. Default `false`. */
  readonly readOnly: boolean
  /** The tool may delete or overwrite. Default `true`, unless it changes nothing. */
  readonly destructive: boolean
  /** A second call with the same arguments changes nothing more. Default `false`. */
  readonly idempotent: boolean
  /** The tool reaches things beyond the server: the web, other people. Default `true`. */
  readonly openWorld: boolean
}

/** A tool of a server: what the decision whether its calls need approval is based on. */
export interface McpTool {
  /** The name at the server. */
  readonly name: string
  /** The name for people. */
  readonly title: string
  /** The effects of the tool, as the server states them. */
  readonly hints: McpToolHints
}

export interface ListOptions {
  /** The prefix of a name that is taken. */
  readonly prefix?: string
  /** Names that other tools of the agent have. */
  readonly taken?: readonly string[]
  /** The names that tools had before and keep, by their names at the server; new ones are added. */
  readonly names?: Map<string, string>
  /** Default: by the hints. */
  readonly needsApproval?: boolean | ((tool: McpTool) => boolean)
  readonly timeoutMs?: number | null
}

/** A tool that an agent can be given, and its name at the server. */
export interface ListedTool {
  readonly tool: Tool
  readonly remoteName: string
  /** The server answers a call with a task, whose result is asked for later. */
  readonly isTask: boolean
}

export interface ToolList {
  readonly tools: readonly ListedTool[]
  /** A sentence for each entry that could not be used as it is. */
  readonly problems: readonly string[]
}

/** Characters of what a model reads of one tool. */
const maxDescription = 10_000
/** Characters of what is said of one tool that cannot be used. */
const maxProblem = 500

/** The whole list as the server wrote it. Rejects with a `McpServerError`. */
export function fetchTools({
  ask,
  inTime,
}: Pick<Connection, 'ask' | 'inTime'>): Promise<Pages<unknown>> {
  return inTime((signal) =>
    allPages<unknown>(async (params) => {
      const { tools, nextCursor } = await ask({ method: 'tools/list', params }, { signal })
      if (!isList(tools)) throw outOfRules('its list of tools is none')
      return { items: tools, next: typeof nextCursor === 'string' ? nextCursor : undefined }
    }),
  )
}

/**
 * Makes tools of a list. An entry that is no tool is left out and named among the problems, and the others stay. The
 * page has its turn in between, as a list may be long.
 */
export async function readTools(
  entries: readonly unknown[],
  options: ListOptions,
): Promise<ToolList> {
  const { prefix = 'mcp', taken = [], names = new Map<string, string>() } = options
  const naming = createToolNames({ prefix, taken, names })
  const tools: ListedTool[] = []
  const problems: string[] = []
  const listed = new Set<string>()
  for (const [at, entry] of entries.entries()) {
    await yieldToPage()
    const remoteName = isObject(entry) ? entry['name'] : undefined
    if (!isObject(entry) || typeof remoteName !== 'string' || remoteName === '') {
      problems.push(`Entry ${at + 1} of the list of tools has no name. It was left out.`)
      continue
    }
    if (listed.has(remoteName)) {
      problems.push(`The tool ${quoted(remoteName)} is in the list twice. The second was left out.`)
      continue
    }
    try {
      const name = naming.nameOf(remoteName)
      const { tool, problem } = readTool(entry, { ...options, remoteName, name })
      if (problem !== undefined)
        problems.push(`The outputs of ${quoted(remoteName)} are not checked. ${problem}`)
      naming.keep(remoteName, name)
      listed.add(remoteName)
      tools.push({ tool, remoteName, isTask: isTask(entry) })
    } catch (error) {
      problems.push(`The tool ${quoted(remoteName)} was left out. ${saidOf(error)}`)
    }
  }
  return { tools, problems }
}

function isTask({ execution }: Entry): boolean {
  return isObject(execution) && execution['taskSupport'] === 'required'
}

type Entry = { readonly [key: string]: unknown }

interface Naming extends ListOptions {
  readonly remoteName: string
  readonly name: string
}

/** Makes a tool of an entry. `problem`: what is wrong with the schema of its outputs. */
function readTool(
  { title, description, inputSchema, outputSchema, annotations }: Entry,
  { remoteName, name, needsApproval = needsApprovalBy, timeoutMs = null }: Naming,
): { readonly tool: Tool; readonly problem?: string } {
  const given = isObject(annotations) ? annotations : {}
  const hints = readHints(given)
  const labels = [title, given['title'], remoteName]
  const label = cutEnd(String(labels.find((one) => typeof one === 'string' && one !== '')), 200)
  const output = outputSchema === undefined ? {} : trySchema(outputSchema)
  const options = {
    name,
    label,
    description: cutEnd(typeof description === 'string' ? description : label, maxDescription),
    inputSchema: serverSchema(inputSchema),
    place: 'page',
    // Whatever else a function says is no permission to run the calls unasked.
    needsApproval:
      typeof needsApproval === 'boolean'
        ? needsApproval
        : needsApproval({ name: remoteName, title: label, hints }) !== false,
    effects: hints.readOnly ? 'reads' : 'writes',
    idempotent: hints.idempotent,
    timeoutMs,
  } as const
  const { schema, problem } = output
  if (schema) return { tool: defineTool({ ...options, outputSchema: schema }) }
  return { tool: defineTool(options), ...(problem !== undefined && { problem }) }
}

function needsApprovalBy({ hints: { destructive, openWorld } }: McpTool): boolean {
  return destructive || openWorld
}

function readHints(given: Entry): McpToolHints {
  const flag = (name: string, otherwise: boolean): boolean => {
    const value = given[name]
    return typeof value === 'boolean' ? value : otherwise
  }
  const readOnly = flag('readOnlyHint', false)
  return {
    readOnly,
    // A tool that changes nothing cannot be destructive.
    destructive: !readOnly && flag('destructiveHint', true),
    idempotent: flag('idempotentHint', false),
    openWorld: flag('openWorldHint', true),
  }
}

function trySchema(schema: unknown): { readonly schema?: ToolSchema; readonly problem?: string } {
  try {
    return { schema: serverSchema(schema) }
  } catch (error) {
    return { problem: saidOf(error) }
  }
}

/** The message of an error, cut, because it may quote the schema. */
function saidOf(error: unknown): string {
  return cutEnd(messageOf(error), maxProblem)
}

function quoted(name: string): string {
  return JSON.stringify(cutEnd(name, 100))
}
