import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { loadFile } from '../tools/sqlite/load-file.ts'
import { runQuery } from '../tools/sqlite/run-query.ts'
import { startSqlite } from '../tools/sqlite/start-sqlite.ts'
import { toTableName } from '../tools/table/table-name.ts'
import { createPlannerFetch } from './planner-fetch.ts'

interface SaidCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

interface Turn {
  readonly text: string
  readonly calls: readonly SaidCall[]
}

interface Said {
  /** The closing text of the answer. */
  readonly text: string
  readonly turns: readonly Turn[]
}

type ToolAnswer = { readonly text: string; readonly failed: boolean }
type FakeTool = (input: unknown) => unknown

export interface TalkOptions {
  readonly tools?: readonly string[]
  /** Stand-ins for tools; a thrown error becomes a failed result. */
  readonly fakes?: Readonly<Record<string, FakeTool>>
  /** What the first call of a tool (or of a tool on a file: `load_table a.csv`) fails with; later ones run. */
  readonly failFirst?: Readonly<Record<string, string>>
}

export interface Talk {
  readonly ask: (text: string, dropped?: readonly string[]) => Promise<Said>
}

const usualTools: readonly string[] = [
  'load_table',
  'sql_query',
  'monte_carlo',
  'hash_file',
  'plot',
]

/** A conversation as on the page: the SDK asks the planner, its calls run on the real table tools. */
export function startTalk(
  files: Readonly<Record<string, string>>,
  options: TalkOptions = {},
): Talk {
  const client = new BaseAnthropic({
    apiKey: 'none',
    baseURL: 'http://planner.test',
    fetch: createPlannerFetch({ delayMs: 0, chunkSize: 40 }),
    maxRetries: 0,
  })
  const tools = failingFirst(createTools(files, options.fakes ?? {}), options.failFirst ?? {})
  const messages: unknown[] = []
  const ask = async (text: string, dropped: readonly string[] = []): Promise<Said> => {
    const attached = dropped.map((file) => ({
      type: 'text',
      text: `[attached] ${file}, ${(files[file] ?? '').length} bytes`,
    }))
    messages.push({
      role: 'user',
      content: [...(text === '' ? [] : [{ type: 'text', text }]), ...attached],
    })
    const turns: Turn[] = []
    while (turns.length < 5) {
      const body = {
        model: 'scripted-planner',
        max_tokens: 1000,
        stream: true,
        messages,
        tools: (options.tools ?? usualTools).map((name) => ({ name })),
      }
      const turn = await readTurn(client, body)
      turns.push(turn)
      messages.push({
        role: 'assistant',
        content: [
          { type: 'text', text: turn.text },
          ...turn.calls.map((call) => ({ type: 'tool_use', ...call })),
        ],
      })
      if (turn.calls.length === 0) return { text: turn.text, turns }
      const results = await Promise.all(
        turn.calls.map(async (call) => ({ call, answer: await tools(call) })),
      )
      messages.push({
        role: 'user',
        content: results.map(({ call, answer }) => ({
          type: 'tool_result',
          tool_use_id: call.id,
          content: answer.text,
          ...(answer.failed ? { is_error: true } : {}),
        })),
      })
    }
    throw new Error(`No answer within five turns: ${JSON.stringify(turns)}`)
  }
  return { ask }
}

function failingFirst(
  run: (call: SaidCall) => Promise<ToolAnswer>,
  reasons: Readonly<Record<string, string>>,
): (call: SaidCall) => Promise<ToolAnswer> {
  const open = new Map(Object.entries(reasons))
  return async (call) => {
    const file = /"file":"([^"]*)"/.exec(JSON.stringify(call.input))?.[1] ?? ''
    const key = [call.name, `${call.name} ${file}`].find((entry) => open.has(entry)) ?? ''
    const text = open.get(key)
    open.delete(key)
    return text === undefined ? run(call) : { text, failed: true }
  }
}

async function readTurn(client: BaseAnthropic, body: object): Promise<Turn> {
  const stream = await client.post<AsyncIterable<StreamedEvent>>('/v1/messages', {
    body,
    stream: true,
  })
  let text = ''
  const blocks = new Map<number, { id: string; name: string; json: string }>()
  for await (const event of stream) {
    if (event.type === 'content_block_start' && event.content_block?.type === 'tool_use')
      blocks.set(event.index, {
        id: event.content_block.id,
        name: event.content_block.name,
        json: '',
      })
    if (event.type !== 'content_block_delta') continue
    text += event.delta?.text ?? ''
    const block = blocks.get(event.index)
    if (block !== undefined) block.json += event.delta?.partial_json ?? ''
  }
  return {
    text,
    calls: [...blocks.values()].map(({ id, name, json }) => ({
      id,
      name,
      input: JSON.parse(json),
    })),
  }
}

interface StreamedEvent {
  readonly type: string
  readonly index: number
  readonly content_block?: { readonly type: string; readonly id: string; readonly name: string }
  readonly delta?: { readonly text?: string; readonly partial_json?: string }
}

let sqlite: Promise<Sqlite3Static> | undefined

function createTools(
  files: Readonly<Record<string, string>>,
  fakes: Readonly<Record<string, FakeTool>>,
): (call: SaidCall) => Promise<ToolAnswer> {
  const images = new Map<string, Blob>()
  const catalog = new Map<string, readonly string[]>()
  const run = async ({ name, input }: SaidCall): Promise<unknown> => {
    const fake = fakes[name]
    if (fake !== undefined) return fake(input)
    const text = (key: string): string =>
      String(Object.entries(input ?? {}).find(([entry]) => entry === key)?.[1] ?? '')
    sqlite ??= startSqlite(undefined)
    if (name === 'sql_query') {
      return runQuery({
        sqlite: await sqlite,
        images,
        catalog: [...catalog].map(([table, columns]) => ({ table, columns })),
        sql: text('sql'),
        onRows: async () => {},
      })
    }
    if (name !== 'load_table') throw new Error(`There is no tool "${name}".`)
    const file = text('file')
    const bytes = files[file]
    if (bytes === undefined) throw new Error(`There is no file "${file}".`)
    const table = toTableName(file)
    const { image, rows, columns, notes } = await loadFile({
      sqlite: await sqlite,
      file: new Blob([bytes]),
      table,
      ragged: text('ragged') === 'pad' ? 'pad' : 'error',
      onRead: async () => {},
    })
    images.set(table, image)
    catalog.set(
      table,
      columns.map((column) => column.name),
    )
    return { table, file, rows, bytes: bytes.length, columns, notes }
  }
  return async (call) => {
    try {
      return { text: JSON.stringify(await run(call)).slice(0, 10_000), failed: false }
    } catch (error) {
      return { text: error instanceof Error ? error.message : String(error), failed: true }
    }
  }
}
