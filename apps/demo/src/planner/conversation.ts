import { readAttachedLine } from '../files/attached-line.ts'
import type { JsonRecord } from './json.ts'
import { isRecord, parseJson, toList, toText } from './json.ts'
import type { OwnTool } from './own-tools.ts'
import { readOwnTools } from './own-tools.ts'
import type { TableInfo } from './tables/table-info.ts'
import { readTableInfo } from './tables/table-info.ts'

/** A tool call of the planner and what came of it. */
export interface Outcome {
  readonly name: string
  readonly input: JsonRecord
  readonly text: string
  /** The parsed result; undefined when the call failed or the text is no whole JSON. */
  readonly output: unknown
  readonly failed: boolean
}

/** What the planner takes from a request: plain data, read fresh for every turn. */
export interface Conversation {
  readonly question: string
  /** Names of the files dropped with this message. */
  readonly dropped: readonly string[]
  /** Names of all files dropped so far. */
  readonly files: readonly string[]
  readonly earlier: readonly string[]
  /** Since the question was asked. */
  readonly outcomes: readonly Outcome[]
  /** In the whole conversation. */
  readonly history: readonly Outcome[]
  /** The table loaded last stands last. */
  readonly tables: readonly TableInfo[]
  readonly tools: ReadonlySet<string>
  /** Those of them that the planner does not know. */
  readonly ownTools: readonly OwnTool[]
  /** How often the model has already spoken since the question. */
  readonly turns: number
}

interface Asked {
  readonly text: string
  readonly files: readonly string[]
  readonly at: number
}

export function readConversation(body: JsonRecord): Conversation {
  const messages = toList(body['messages']).filter(isRecord)
  const asked = messages.flatMap((message, at) =>
    message['role'] === 'user' ? readAsked(message, at) : [],
  )
  const latest = asked.at(-1)
  const carried = latest === undefined ? [] : carriedOver(messages, asked)
  const open = [...carried, ...(latest === undefined ? [] : [latest])]
  const results = readResults(messages)
  const history = readOutcomes(messages, results)
  const from = open[0]?.at ?? 0
  return {
    question: open.map((entry) => entry.text).join('\n'),
    dropped: open.flatMap((entry) => entry.files),
    files: [...new Set(asked.flatMap((entry) => entry.files))],
    earlier: asked.slice(0, asked.length - open.length).map((entry) => entry.text),
    outcomes: history.filter((entry) => entry.at > from).map((entry) => entry.outcome),
    history: history.map((entry) => entry.outcome),
    tables: readTables(history.map((entry) => entry.outcome)),
    turns: messages.slice(from + 1).filter((message) => message['role'] === 'assistant').length,
    tools: new Set(
      toList(body['tools']).flatMap((tool) => (isRecord(tool) ? toText(tool['name']) : [])),
    ),
    ownTools: readOwnTools(body['tools']),
  }
}

/** Tells a call that was stopped or never ran from one that failed by itself. */
export function wasStopped(outcome: Outcome): boolean {
  return outcome.failed && /^(?:Cancelled|Interrupted|Not run)/i.test(outcome.text)
}

function readAsked(message: JsonRecord, at: number): readonly Asked[] {
  const texts = partsOf(message).flatMap((part) =>
    part['type'] === 'text' ? [toText(part['text'])] : [],
  )
  const lines = texts.flatMap((text) => (texts.length > 1 ? [text] : text.split('\n')))
  const files = lines.flatMap((line) => readAttachedLine(line.trim())?.name ?? [])
  const text = lines
    .filter((line) => readAttachedLine(line.trim()) === undefined)
    .join('\n')
    .trim()
  return text === '' && files.length === 0 ? [] : [{ text, files, at }]
}

/** A message sent while tools were running adds to the open question, unless those tools were stopped. */
function carriedOver(messages: readonly JsonRecord[], asked: readonly Asked[]): readonly Asked[] {
  const [before, latest] = asked.slice(-2)
  if (before === undefined || latest === undefined) return []
  const between = messages.slice(before.at + 1, latest.at + 1)
  const answers = between.filter((message) => message['role'] === 'assistant')
  const last = answers.at(-1)
  if (last === undefined || !partsOf(last).some((part) => part['type'] === 'tool_use')) return []
  const stopped = readOutcomes(between, readResults(between)).some(({ outcome }) =>
    wasStopped(outcome),
  )
  const all = readOutcomes(between, readResults(between)).length > 0
  return stopped || !all ? [] : [before]
}

function readResults(messages: readonly JsonRecord[]): ReadonlyMap<string, JsonRecord> {
  const blocks = messages.flatMap(partsOf).filter((part) => part['type'] === 'tool_result')
  return new Map(blocks.map((block) => [toText(block['tool_use_id']), block]))
}

function readOutcomes(
  messages: readonly JsonRecord[],
  results: ReadonlyMap<string, JsonRecord>,
): readonly { readonly at: number; readonly outcome: Outcome }[] {
  return messages.flatMap((message, at) =>
    partsOf(message).flatMap((part) => {
      const result = part['type'] === 'tool_use' ? results.get(toText(part['id'])) : undefined
      if (result === undefined) return []
      const text = textOf(result['content'])
      const failed = result['is_error'] === true
      const input = isRecord(part['input']) ? part['input'] : {}
      return [
        {
          at,
          outcome: {
            name: toText(part['name']),
            input,
            text,
            failed,
            output: failed ? undefined : parseJson(text),
          },
        },
      ]
    }),
  )
}

function readTables(history: readonly Outcome[]): readonly TableInfo[] {
  const tables = new Map<string, TableInfo>()
  for (const outcome of history) {
    const info = outcome.name === 'load_table' ? readTableInfo(outcome.output) : undefined
    if (info === undefined) continue
    tables.delete(info.table)
    tables.set(info.table, info)
  }
  return [...tables.values()]
}

function partsOf(message: JsonRecord): readonly JsonRecord[] {
  const content = message['content']
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return toList(content).filter(isRecord)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return toList(content)
    .map((part) => (isRecord(part) ? toText(part['text']) : ''))
    .join('')
}
