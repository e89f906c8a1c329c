import { sqlQuery } from '../tools/definitions.ts'
import { answerReading, answerTool, chipsText, helpText, inCode, refusal } from './answer.ts'
import type { Conversation, Outcome } from './conversation.ts'
import { outputOf } from './conversation.ts'
import type { PlannedCall } from './direct-calls.ts'
import { outcomeOf, readCommands, readDirectCalls, toCall } from './direct-calls.ts'
import { toSql } from './query.ts'
import type { Reader } from './question.ts'
import { createReader } from './question.ts'
import type { Reading } from './reading.ts'

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
  return 'nearest' in read
    ? say([refusal(read, talk)])
    : followReadings(read, reader, talk.outcomes)
}

type Read = readonly Reading[]

function followReadings(readings: Read, { askFor }: Reader, outcomes: readonly Outcome[]): Step {
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
  const answers = asked.map(({ reading, outcome }) => {
    const said = `I read this as: ${inCode(askFor(reading) ?? '')}`
    return outcome ? `${said}\n\n${answerReading(reading, outcome)}` : said
  })
  return say([...failures, ...answers])
}

const mostPoints = 100

function toPlot({ plot }: Reading, outcome: Outcome): PlannedCall | undefined {
  const { columns = [], rows = [], rowCount = 0 } = outputOf(outcome, sqlQuery.outputSchema) ?? {}
  const shown = rows.slice(0, mostPoints)
  const values = shown.map(([, value]) => (typeof value === 'number' ? value : null))
  if (!plot || values.every((value) => value === null)) return undefined
  const labels = shown.map(([label]) => label ?? '(empty)')
  const [xLabel, yLabel] = columns.map((name) => name.slice(0, 80))
  const some = shown.length < rowCount ? `, ${shown.length} of ${rowCount}` : ''
  const title = `${yLabel} by ${xLabel}${some}`
  return toCall('plot', { kind: plot, title, labels, values, xLabel, yLabel })
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
