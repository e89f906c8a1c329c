import type { Conversation } from '../conversation.ts'
import type { ReadQuestion } from '../question/question.ts'
import { numericColumns } from '../question/scan.ts'
import type { TableRequest } from '../tables/request.ts'
import type { TableInfo } from '../tables/table-info.ts'

/** What the planner can do, with what is known right now. */
export function helpText(conversation: Conversation, opening: string): string {
  const lines = [
    opening,
    'I am a scripted planner: fixed rules, not a language model. I can count, sum, average, find the smallest and largest, rank, group and filter the rows of your tables, and describe their columns.',
    'I can also plot a result (“plot it as bars”), run a Monte Carlo experiment (“estimate pi with 20 million samples”), hash a file, and pass SQL on as you write it. Several questions at once are fine.',
    knownText(conversation),
  ]
  if (conversation.ownTools.length > 0)
    lines.push(
      `The tools that were added I call as you write it: ${conversation.ownTools.map(({ command }) => `\`${command}\``).join(', ')}.`,
    )
  if (conversation.tools.has('dev_sleep'))
    lines.push(
      'For developers: “sleep 800 ms”, “spin forever”, “crash a worker”, “flood updates for 3 seconds”, “return 50 MB”, or any call as `/tool_name {"argument": 1}`.',
    )
  return lines.filter((line) => line !== '').join('\n\n')
}

/** Says which column a question asked for in vain; nothing when the question can be answered without it. */
export function explainUnknown(
  read: ReadQuestion,
  tables: readonly TableInfo[],
): string | undefined {
  const { request } = read
  const average =
    request.kind === 'aggregate' && request.measures.every((measure) => measure.name === 'avg')
  const blocking = read.unknown.find(
    ({ role }) =>
      role === 'ranking' ||
      (role === 'amount'
        ? read.guessed
        : role === 'group' && !average && request.groupBy.length === 0),
  )
  if (blocking?.role === 'ranking')
    return `I found no column that tells the “${blocking.word}”. ${listColumns(tables)}`
  return blocking === undefined
    ? undefined
    : `I know no column called “${blocking.word}”. ${listColumns(tables)}`
}

/** Asks for the column of an amount when none was named and none is obvious. */
export function explainLacking(request: TableRequest): string | undefined {
  const lacking =
    request.kind === 'aggregate' &&
    request.measures.some((measure) => measure.name !== 'count' && measure.column === undefined)
  if (!lacking) return undefined
  const names = numericColumns(request.table).map((column) => `\`${column.name}\``)
  return names.length === 0
    ? `\`${request.table.table}\` has no column of numbers to compute that from.`
    : `Which column do you mean? \`${request.table.table}\` has the numbers ${names.join(', ')}.`
}

function listColumns(tables: readonly TableInfo[]): string {
  return tables
    .map(
      (table) =>
        `\`${table.table}\` has ${table.columns.map((column) => `\`${column.name}\``).join(', ')}.`,
    )
    .join(' ')
}

function knownText(conversation: Conversation): string {
  if (conversation.tables.length > 0) return listColumns(conversation.tables)
  if (conversation.files.length > 0)
    return `You have dropped ${conversation.files.map((file) => `\`${file}\``).join(', ')}; ask something about it, or say “load it”.`
  return 'There is no table yet: drop a CSV, TSV or JSON file on the page first.'
}
