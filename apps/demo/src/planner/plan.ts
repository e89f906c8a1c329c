import { isImageName, isTableName } from '../files/file-kinds.ts'
import { parseJson } from '../text/parse-json.ts'
import { listed } from '../text/quantity.ts'
import { loadedTableSchema } from '../tools/definitions.ts'
import {
  answerBeside,
  answerReading,
  answerTool,
  blindness,
  chipsText,
  helpText,
  inCode,
  refusal,
} from './answer.ts'
import { type Conversation, type Outcome, outputOf } from './conversation.ts'
import { type PlannedCall, readDirectCalls, toCall } from './direct-calls.ts'
import { mergeParts, partsText } from './merge-parts.ts'
import { toSql } from './query.ts'
import { createReader } from './question.ts'
import { type Reading, toQuestion, toReading } from './reading.ts'
import { toPlot } from './to-plot.ts'

/** The next text of the planner, and its next calls, which run side by side. Without calls the question is answered. */
export interface Step {
  readonly text: string
  readonly calls: readonly PlannedCall[]
}

/** Returns the next step of a conversation. The same conversation always gives the same step. */
export function planNext(talk: Conversation): Step {
  const { question, outcomes } = talk
  const commands = readCommands(question)
  if (commands.length > 0) return followCommands(commands, talk)
  // A name of the table may sound like something to do.
  const { calls, rest } = createReader(talk.tables).reads(question)
    ? { calls: [], rest: question }
    : readDirectCalls(question, talk.files)
  const loads = rest === '' && question !== '' ? [] : loadsFor(talk)
  const isAsked = ({ json }: PlannedCall) =>
    calls.some((call) => call.name === 'load_table' && call.json.startsWith(json.slice(0, -1)))
  const wanted = [...calls, ...loads.filter((load) => !isAsked(load))]
  const open = wanted.filter((call) => !outcomeOf(call, outcomes))
  if (open.length > 0) return callAll(open)
  const results = calls.flatMap((call) => outcomeOf(call, outcomes) ?? [])
  const isSaid = (one: Outcome) => one.name === 'load_table' && (one.failed || question === '')
  // Several calls of one tool may give the same sentence, which is said once.
  const answer = (one: Outcome) => (rest === '' ? answerTool(one) : answerBeside(one))
  const said = [...new Set([...mergeParts(results), ...outcomes.filter(isSaid)].map(answer))]
  const [shown] = results.filter(({ input }) => input['ragged'] === 'show')
  const ragged = shown && outputOf(shown, loadedTableSchema)
  if (ragged) return followReadings([toReading(ragged, { show: 'rows' })], talk)
  const isLoading = rest === '' && calls.every(({ name }) => name === 'load_table')
  if (isLoading) return answerWaiting(said, talk) ?? say([...said, chipsText(talk)])
  const step = rest === '' ? say([partsText(results)]) : followQuestion(rest, talk)
  return step.calls.length > 0 ? step : say([...said, step.text])
}

/** Answers an earlier question, once the file that it needed is loaded. */
function answerWaiting(said: readonly string[], talk: Conversation): Step | undefined {
  const { before, files, history, outcomes } = talk
  const question = before.findLast((one) => readDirectCalls(one, files).rest !== '')
  const failed = history.at(-outcomes.length - 1)
  const isLoaded = outcomes.some(
    ({ name, input, failed: again }) =>
      name === 'load_table' && input['file'] === failed?.input['file'] && !again,
  )
  if (question === undefined || !isLoaded || !failed?.failed) return undefined
  const step = followQuestion(question, talk)
  return step.calls.length > 0 ? step : say([...said, step.text])
}

function say(texts: readonly string[]): Step {
  return { text: texts.filter((text) => text !== '').join('\n\n'), calls: [] }
}

function callAll(calls: readonly PlannedCall[]): Step {
  const names = new Set(calls.map(({ name }) => inCode(name)))
  return { text: `Calling ${listed([...names])}.`, calls }
}

function followCommands(commands: readonly PlannedCall[], talk: Conversation): Step {
  const loads = /^\/sql\s/i.test(talk.question) ? loadsFor(talk) : []
  if (loads.length > 0) return callAll(loads)
  const results = talk.outcomes.filter(({ name }) => commands.some((one) => one.name === name))
  return results.length > 0 ? say(mergeParts(results).map(answerTool)) : callAll(commands)
}

function followQuestion(question: string, talk: Conversation): Step {
  if (/^(?:help|\?+)$/i.test(question)) return say([helpText(talk)])
  if (talk.tables.length === 0) return say([chipsText(talk)])
  const reader = createReader(talk.tables)
  const read = reader.read(question)
  if ('nearest' in read) {
    const isOfImage = talk.dropped.some(isImageName)
    return say([isOfImage ? blindness : '', refusal(read.unknown, read.nearest)])
  }
  return followReadings(read, talk)
}

function followReadings(readings: readonly Reading[], talk: Conversation): Step {
  const { outcomes, tables } = talk
  const { askFor } = createReader(tables)
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
    if (!outcome) return []
    const said = `I read this as: ${inCode(askFor(reading) ?? toQuestion(reading, true, ''))}`
    const plot = toPlot(reading, outcome)
    // A table below would push the plot out of view, and the query has the rows.
    const isDrawn = plot && outcomeOf(plot, outcomes)?.failed === false
    return isDrawn ? [said] : [said, answerReading(reading, outcome)]
  })
  return say([...failures, ...answers])
}

/**
 * Calls that load files which are no tables yet. After a failure a file is loaded again if it was dropped again, or if
 * the call was stopped.
 */
function loadsFor({ files, dropped, history, outcomes }: Conversation): readonly PlannedCall[] {
  const open = files.filter(isTableName).filter((file) => {
    const isLoad = ({ name, input }: Outcome) => name === 'load_table' && input['file'] === file
    const before = history.findLast(isLoad)
    const wasStopped = before?.failed && /^(?:Cancelled|Interrupted|Not run)/i.test(before.text)
    return !outcomes.some(isLoad) && (!before || wasStopped || dropped.includes(file))
  })
  return open.map((file) => toCall('load_table', { file }))
}

function outcomeOf(call: PlannedCall, outcomes: readonly Outcome[]): Outcome | undefined {
  const input = JSON.stringify(parseJson(call.json))
  return outcomes.findLast((one) => one.name === call.name && JSON.stringify(one.input) === input)
}

/** `/sql SELECT …`, `/js 6 * 7`, or `/tool_name {"argument": 1}`, one a line. */
function readCommands(question: string): readonly PlannedCall[] {
  const [, command, code] = /^\/(sql|js)\s+([\s\S]+)$/i.exec(question) ?? []
  if (code)
    return [command === 'js' ? toCall('run_js', { code }) : toCall('sql_query', { sql: code })]
  const commands = question.matchAll(/^[^\S\n]*\/([A-Za-z_][\w-]*)(?:[^\S\n]+(.*\S))?\s*$/gm)
  return [...commands].map(([, name = '', json = '{}']) => ({ name, json }))
}
