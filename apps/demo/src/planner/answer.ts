import { starters } from '../chat/starters.ts'
import { isDocumentName, isImageName, questionsAboutImage } from '../files/file-kinds.ts'
import { repairsOf } from '../files/repairs.ts'
import { parseJson } from '../text/parse-json.ts'
import { loadedTableSchema, sqlQuery } from '../tools/definitions.ts'
import { type Conversation, type Outcome, outputOf } from './conversation.ts'
import { createReader } from './question.ts'
import { isAmount, type Reading, type Table } from './reading.ts'

/** The answer to a question. Every number in it is from the result of the query. */
export function answerReading(reading: Reading, outcome: Outcome): string {
  const { show, keys, measure, table } = reading
  const result = outputOf(outcome, sqlQuery.outputSchema)
  if (!result) return answerTool(outcome)
  const [first = []] = result.rows
  const [value, total, percent] = first.map(toText)
  if (result.rowCount === 0) return 'There is no such row.'
  if (show === 'rows')
    return `**${toText(result.rowCount)}** of them:\n\n${toMarkdown(result, whole)}`
  if (keys.length > 0) return toMarkdown(result, keys.length)
  if (first.at(-1) === null) return 'No row has a value to compute that from.'
  if (show === 'share') return `**${percent} %**: ${value} of ${total}.`
  const isYear = measure.column && measure.as !== 'different' && !isAmount(measure.column, table)
  return `**${isYear ? first[0] : value}**`
}

/** Tools whose results are written for people. */
const speaking = new Set(['compress_file', 'edit_image', 'render_fractal', 'search_docs'])

/** The result of a call in words. The text of a tool is quoted, never followed. */
export function answerTool(outcome: Outcome): string {
  const { name, input, text } = outcome
  const file = String(input['file'])
  const what = name === 'load_table' ? `Loading ${inCode(file)}` : inCode(name)
  const repairs = name === 'load_table' ? repairsOf(file, text) : []
  const offers = repairs.length > 0 ? `\n\n${offer(repairs)}` : ''
  if (outcome.failed && /^Cancelled by the user/.test(text)) return `${what} was cancelled.`
  if (outcome.failed && /^The user did not allow/.test(text)) return `${what} was not allowed.`
  if (outcome.failed) return `${what} failed: ${asWritten(text.trim().slice(0, 600))}${offers}`
  const rows = outputOf(outcome, sqlQuery.outputSchema)
  if (rows) return toMarkdown(rows, whole)
  const table = outputOf(outcome, loadedTableSchema)
  if (table) return describeTable(table) + offers
  if (speaking.has(name)) return inWords(text)
  const output = parseJson(text)
  if (text.length > 600) return `${what} gave a long text, which is on its card.`
  if (typeof output !== 'object' || !output) return `${what} answered: ${inCode(text)}`
  const toShown = (value: unknown) =>
    typeof value === 'number' ? `**${toFigure(value)}**` : inCode(String(value))
  const lines = Object.entries(output).map(([field, value]) => `- ${field}: ${toShown(value)}`)
  return [`${what} answered:\n`, ...lines].join('\n')
}

/** The same, for beside the answer to a question: a long description would push that out of view. */
export function answerBeside(outcome: Outcome): string {
  const table = outputOf(outcome, loadedTableSchema)
  return table ? notesOf(table).join('\n\n') : answerTool(outcome)
}

function describeTable(table: Table): string {
  const { file, rows, columns } = table
  const names = columns.slice(0, 40).map(({ name, type }) => `${inCode(name)} (${type})`)
  const count = `**${toText(rows)}** ${rows === 1 ? 'row' : 'rows'}`
  const text = `${inCode(table.table)} (from ${asWritten(file)}) has ${count}, and the columns `
  const more = columns.length > names.length ? ` and ${columns.length - names.length} more` : ''
  return [`${text}${names.join(', ')}${more}.`, ...notesOf(table)].join('\n\n')
}

function notesOf({ notes }: Table): readonly string[] {
  return notes.map((note) => `Note: ${asWritten(note)}`)
}

/**
 * Makes a table of Markdown. The first `names` columns are names, so a year gets no thousands separator. Columns of
 * numbers are aligned.
 */
function toMarkdown({ columns, rows, rowCount }: Result, names: number): string {
  const toCell = (cell: Cell, at: number): string => {
    const text = at < names ? String(cell ?? '(empty)') : toText(cell)
    return asWritten(text.replace(/\s+/g, ' ').slice(0, 120))
  }
  const isNumeric = (at: number) => rows.every((row) => typeof (row[at] ?? 0) === 'number')
  const isRight = (at: number) => at >= names || (names === whole && isNumeric(at))
  const rules = columns.map((_, at) => (isRight(at) ? '--:' : '---'))
  const cells = rows.slice(0, 20).map((row) => row.map(toCell))
  const lines = [columns.map(toCell), rules, ...cells]
  const rest = rowCount > 20 ? `\n\n${toText(rowCount - 20)} more are not shown.` : ''
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n') + rest
}

/** A number of columns that no table of the page reaches, so all of them are names. */
const whole = 99

type Result = NonNullable<typeof sqlQuery.outputSchema._zod.output>
type Cell = Result['rows'][number][number]

function toText(value: Cell): string {
  if (typeof value !== 'number') return value ?? '(empty)'
  const isSmall = Math.abs(value) < 1 && value !== 0
  const digits = isSmall ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 }
  return value.toLocaleString('en-GB', digits)
}

/** A number that a tool computed, with six digits: an estimate of π is not just 3.14. */
function toFigure(value: number): string {
  if (Number.isInteger(value)) return toText(value)
  return value.toLocaleString('en-GB', { maximumSignificantDigits: 6 })
}

export function inCode(text: string): string {
  return `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``
}

/** Text of a file or a tool, in which nothing is Markdown: `5*3*2` stays what it is, and no address becomes a link. */
function asWritten(text: string): string {
  return text.replace(/[\\`*[\]<>|~&#]|(?<!\w)_|_(?!\w)|_(?=_)|:(?=\/\/)|(?<=mailto):/gi, '\\$&')
}

/** Text of a file, in which only bold words and points of lists are shown as Markdown. */
function inWords(text: string): string {
  return text.slice(0, 4000).replace(/[\\`[\]<>|_~#]/g, '\\$&')
}

/** The page shows these lines as buttons that ask them. */
export function offer(questions: readonly string[]): string {
  return ['```ask', ...questions, '```'].join('\n')
}

const introduction =
  'I am a scripted planner: fixed rules with a short grammar, not a language model. For free wording, choose a model in the menu above.'

const grammar =
  'I read: number of rows, sum, mean, median, min or max of a column; by a column, month or year; top 5 of one column by another; where a column is, is over or is under a value; share; list rows; plot; histogram of a column; scatter plot of one column against another. Names that I confuse go in quotes. Also: `estimate pi in 4 parts`, `draw the Mandelbrot set`, `search the docs for …`, `hash the file`, `compress the file`, `resize the image to 800`, `where did the time go`, `/sql SELECT …`, `/js 6 * 7`, and any tool as `/tool_name {"argument": 1}`.'

export function helpText(talk: Conversation): string {
  return [introduction, grammar, chipsText(talk)].join('\n\n')
}

/** The answer to a question about an image. */
export const blindness =
  'I cannot see images: I can only change them. To ask what is in one, choose a model in the menu above that can.'

/** Why a question is not answered, and the nearest questions that can be. */
export function refusal(unknown: readonly string[], nearest: readonly string[]): string {
  const words = unknown.slice(0, 5).map((word) => `“${asWritten(word)}”`)
  const strange = `I do not know what ${words.join(', ')} means here`
  const why = words.length > 0 ? strange : 'I cannot read this in just one way'
  const text = `${why}, so I do not answer. ${introduction}\n\nDo you mean one of these?`
  return [text, offer(nearest)].join('\n\n')
}

const textHint =
  'A text is no table, but it can be searched, together with the documentation of this page: `search the documents for` some words.'

/** Questions about the loaded tables. */
export function chipsText({ tables, files, history, outcomes }: Conversation): string {
  if (tables.length > 0)
    return `You can ask, for example:\n\n${offer(createReader(tables).chips())}`
  const image = files.findLast(isImageName)
  if (image) return `${blindness} You can ask, for example:\n\n${offer(questionsAboutImage(image))}`
  if (files.some(isDocumentName)) return textHint
  const isFailed = (one: Outcome) => one.name === 'load_table' && one.failed
  // The result of the loading has already told why it failed.
  if (outcomes.some(isFailed)) return ''
  const failed = history.findLast(isFailed)
  if (files.length > 0)
    return [
      'No file could be loaded as a table, so I have no answer.',
      failed ? answerTool(failed) : '',
    ]
      .join('\n\n')
      .trim()
  const brings = starters.flatMap(({ table, prompt }) => (table ? prompt : []))
  const prompts = offer([...brings, 'Load the planets'])
  return `There is no table yet: drop a CSV, TSV or JSON file here. ${introduction} These questions bring a table along:\n\n${prompts}`
}
