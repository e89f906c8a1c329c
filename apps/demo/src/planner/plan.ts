import { parseJson } from '../text/parse-json.ts'
import { sqlQuery } from '../tools/definitions.ts'
import { answerReading, answerTool, chipsText, helpText, inCode, refusal } from './answer.ts'
import { type Conversation, type Outcome, outputOf } from './conversation.ts'
import { toSql } from './query.ts'
import { createReader, type Reader } from './question.ts'
import type { Reading } from './reading.ts'

/** A tool call to make. `json` is streamed as it is, also when it is no JSON: the tool's check says so. */
interface PlannedCall {
  readonly name: string
  readonly json: string
}

/** What the planner says next, and the calls it makes side by side. Without calls the question is answered. */
export interface Step {
  readonly text: string
  readonly calls: readonly PlannedCall[]
}

/** From everything said so far to the next step. The same conversation always gives the same step. */
export function planNext(talk: Conversation): Step {
  const { question, outcomes } = talk
  const commands = readCommands(question)
  if (commands.length > 0) return followCommands(commands, talk)
  const { calls, rest } = readDirectCalls(question, talk.files)
  const loads = rest !== '' || question === '' ? loadsFor(talk) : []
  const open = [...calls, ...loads].filter((call) => !outcomeOf(call, outcomes))
  if (open.length > 0) return callAll(open)
  const results = calls.flatMap((call) => outcomeOf(call, outcomes) ?? [])
  const isSaid = (one: Outcome) => one.name === 'load_table' && (one.failed || question === '')
  const said = [...new Set([...results, ...outcomes.filter(isSaid)])].map(answerTool)
  if (question === '') return say([...said, chipsText(talk)])
  const step = rest === '' ? say([]) : followQuestion(rest, talk)
  return step.calls.length > 0 ? step : say([...said, step.text])
}

function say(texts: readonly string[]): Step {
  return { text: texts.filter((text) => text !== '').join('\n\n'), calls: [] }
}

function callAll(calls: readonly PlannedCall[]): Step {
  const names = new Set(calls.map(({ name }) => inCode(name)))
  return { text: `Calling ${[...names].join(' and ')}.`, calls }
}

function followCommands(commands: readonly PlannedCall[], talk: Conversation): Step {
  const loads = /^\/sql\s/i.test(talk.question) ? loadsFor(talk) : []
  if (loads.length > 0) return callAll(loads)
  const results = talk.outcomes.filter(({ name }) => commands.some((one) => one.name === name))
  return results.length > 0 ? say(results.map(answerTool)) : callAll(commands)
}

function followQuestion(question: string, talk: Conversation): Step {
  if (/^(?:help|\?+)$/i.test(question)) return say([helpText(talk)])
  if (talk.tables.length === 0) return say([chipsText(talk)])
  const reader = createReader(talk.tables)
  const read = reader.read(question)
  if ('nearest' in read) return say([refusal(read.unknown, read.nearest)])
  return followReadings(read, reader, talk)
}

function followReadings(readings: readonly Reading[], reader: Reader, talk: Conversation): Step {
  const { outcomes } = talk
  const asked = readings.map((reading) => {
    const query = toCall('sql_query', { sql: toSql(reading) })
    return { reading, query, outcome: outcomeOf(query, outcomes) }
  })
  const queries = asked.flatMap(({ outcome, query }) => (outcome ? [] : [query]))
  if (queries.length > 0) return callAll(queries)
  const plots = asked.flatMap(({ reading, outcome }) => (outcome && toPlot(reading, outcome)) ?? [])
  const drawn = plots.flatMap((plot) => outcomeOf(plot, outcomes) ?? [])
  if (drawn.length < plots.length) return callAll(plots)
  const failures = drawn.filter(({ failed }) => failed).map(answerTool)
  const answers = asked.flatMap(({ reading, outcome }) => {
    const said = `I read this as: ${inCode(reader.askFor(reading) ?? '')}`
    return outcome ? [said, answerReading(reading, outcome)] : []
  })
  return say([...failures, ...answers])
}

function toPlot({ isPlot, keys: [key] }: Reading, outcome: Outcome): PlannedCall | undefined {
  const { columns = [], rows = [], rowCount = 0 } = outputOf(outcome, sqlQuery.outputSchema) ?? {}
  const shown = rows.slice(0, 100)
  const values = shown.map(([, value]) => (typeof value === 'number' ? value : null))
  if (!isPlot || values.every((value) => value === null)) return undefined
  const labels = shown.map(([label]) => label ?? '(empty)')
  const [xLabel, yLabel] = columns.map((name) => name.slice(0, 80))
  const some = shown.length < rowCount ? `, ${shown.length} of ${rowCount}` : ''
  const look = { kind: key?.part ? 'line' : 'bar', title: `${yLabel} by ${xLabel}${some}` }
  return toCall('plot', { ...look, labels, values, xLabel, yLabel })
}

/** Of files that are no table yet. One that failed is tried again when it is dropped again, or was stopped. */
function loadsFor({ files, dropped, history, outcomes }: Conversation): readonly PlannedCall[] {
  const open = files.filter((file) => {
    const isLoad = ({ name, input }: Outcome) => name === 'load_table' && input['file'] === file
    const before = history.findLast(isLoad)
    const wasStopped = before?.failed && /^(?:Cancelled|Interrupted|Not run)/i.test(before.text)
    return !outcomes.some(isLoad) && (!before || wasStopped || dropped.includes(file))
  })
  return open.map((file) => toCall('load_table', { file }))
}

function toCall(name: string, input: object): PlannedCall {
  return { name, json: JSON.stringify(input) }
}

function outcomeOf(call: PlannedCall, outcomes: readonly Outcome[]): Outcome | undefined {
  const input = JSON.stringify(parseJson(call.json))
  return outcomes.findLast((one) => one.name === call.name && JSON.stringify(one.input) === input)
}

/** `/sql SELECT …`, or `/tool_name {"argument": 1}`, one a line. */
function readCommands(question: string): readonly PlannedCall[] {
  const sql = /^\/sql\s+([\s\S]+)$/i.exec(question)?.[1]
  if (sql !== undefined) return [toCall('sql_query', { sql })]
  const commands = question.matchAll(/^[^\S\n]*\/([A-Za-z_][\w-]*)(?:[^\S\n]+(.*\S))?\s*$/gm)
  return [...commands].map(([, name = '', json = '{}']) => ({ name, json }))
}

/** The parts of a question that ask for a tool by what it does, and what is left: “estimate pi and hash the file”. */
function readDirectCalls(question: string, files: readonly string[]) {
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
