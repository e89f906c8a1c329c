import type { Outcome } from './conversation.ts'
import { parseJson } from './conversation.ts'

/** A tool call to make. `json` is streamed as it is, also when it is no JSON: the tool's check says so. */
export interface PlannedCall {
  readonly name: string
  readonly json: string
}

export function toCall(name: string, input: object): PlannedCall {
  return { name, json: JSON.stringify(input) }
}

/** What came of this very call. */
export function outcomeOf(call: PlannedCall, outcomes: readonly Outcome[]): Outcome | undefined {
  const input = JSON.stringify(parseJson(call.json))
  const same = outcomes.filter((outcome) => JSON.stringify(outcome.input) === input)
  return same.findLast(({ name }) => name === call.name)
}

/** `/sql SELECT …`, or `/tool_name {"argument": 1}`, one a line. */
export function readCommands(question: string): readonly PlannedCall[] {
  const sql = /^\/sql\s+([\s\S]+)$/i.exec(question)?.[1]
  if (sql !== undefined) return [toCall('sql_query', { sql })]
  const commands = question.matchAll(/^[^\S\n]*\/([A-Za-z_][\w-]*)(?:[^\S\n]+(.*\S))?\s*$/gm)
  return [...commands].map(([, name = '', json = '{}']) => ({ name, json }))
}

/** The parts of a question that ask for a tool by what it does, and what is left: “estimate pi and hash the file”. */
export function readDirectCalls(question: string, files: readonly string[]) {
  const parts = question.split(/(\s*(?:,? and |[,;\n])\s*)/i)
  const found = parts.map((part) => readPart(part.trim().replace(/[.!?]$/, ''), files))
  // With each part goes what joins it to the next.
  const rest = parts.filter((_, at) => found[at - (at % 2)]?.length === 0).join('')
  return { calls: found.flat(), rest: rest.replace(/(?:,? and|[,;])\s*$/i, '').trim() }
}

function readPart(part: string, files: readonly string[]): readonly PlannedCall[] {
  const ofPi = /^estimate (?:pi|π)(?: with (\d+)( million)? samples)?$/i
  const [pi, digits, million] = ofPi.exec(part) ?? []
  const trials = Number(digits) * (million ? 1e6 : 1)
  if (pi) return [toCall('monte_carlo', { experiment: 'pi', ...(digits && { trials }) })]
  const [, verb = '', what = ''] = /^(hash|load) (?:the )?(.+)$/i.exec(part) ?? []
  const isAll = /^(?:(?:both|all|all the) )?files?$/i.test(what)
  const tool = /hash/i.test(verb) ? 'hash_file' : 'load_table'
  return files.filter((file) => isAll || file === what).map((file) => toCall(tool, { file }))
}
