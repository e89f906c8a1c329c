import { formatNumber } from './answer/wording.ts'
import type { Conversation } from './conversation.ts'
import { failedLoads, fileOf } from './load-plan.ts'
import { questionWords } from './question/vocabulary.ts'
import { tokenise, wordsOf } from './question/words.ts'
import type { TableInfo } from './tables/table-info.ts'

/** Which tables a question names outright. */
export type TableScope =
  | { readonly kind: 'any' }
  /** The question is asked once for each of them. */
  | {
      readonly kind: 'each'
      readonly tables: readonly TableInfo[]
      readonly clauseFor: (table: TableInfo) => string
      readonly leftOut: readonly string[]
    }
  /** Nothing to ask a table: the question is about no table that is there, or about which ones are. */
  | { readonly kind: 'said'; readonly text: string }

const everyTable =
  /(?:\b(in|of|from|for|across|over|by) )?(?:\b(?:each|every|both|per)(?: of)?(?: (?:the|my|these|those))?|(?<=\b(?:in|of|from|for|across|over|by) )all(?: of)?(?: (?:the|my|these|those))?)(?: loaded)? (?:tables?|files?|data ?sets?)\b/i

/** "in each table", "across all files": more than one table is asked for without naming any. */
export function asksEveryTable(clause: string): boolean {
  return everyTable.test(clause)
}

const tableQuestion =
  /^(?:how many|which|what|list|show|name)(?: me)?(?: all)?(?: of)?(?: the| my)? tables(?: (?:are|do|did|have))?(?: (?:there|loaded|known|i|we|you))*(?: (?:have|know|load|loaded))?\W*$/i

function tablesText(tables: readonly TableInfo[]): string {
  const names = tables.map(
    ({ table, rows }) => `\`${table}\` (${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'})`,
  )
  return `**${tables.length}** ${tables.length === 1 ? 'table' : 'tables'}: ${names.join(', ')}.`
}

export function readScope(clause: string, conversation: Conversation): TableScope {
  const { tables } = conversation
  if (tableQuestion.test(clause)) return { kind: 'said', text: tablesText(tables) }
  const every = everyTable.exec(clause)
  if (every !== null && tables.length > 1)
    return each(
      tables,
      { clause, phrase: every[0], opening: every[1] ?? '' },
      lostFiles(conversation),
    )
  const list = readList(clause, conversation)
  const named = list?.names.flatMap((name) => tables.filter((table) => isCalled(table, name))) ?? []
  const strange = list?.names.filter((name) => !isKnown(name, tables)) ?? []
  if (list !== undefined && named.length > 0 && list.names.length > 1) {
    const chosen = [...new Set(named)]
    if (chosen.length > 1 || strange.length > 0) return each(chosen, list, strange)
  }
  if (named.length === 0 && strange[0] !== undefined)
    return { kind: 'said', text: missingText(strange[0], conversation) }
  return allLoadsFailed(conversation) && !tables.some((table) => isNamedIn(clause, table))
    ? {
        kind: 'said',
        text: 'None of the files you sent with this question could be loaded, so I have no answer. To ask about an older table, name it.',
      }
    : { kind: 'any' }
}

interface NameList {
  readonly clause: string
  readonly phrase: string
  readonly opening: string
}

function each(
  tables: readonly TableInfo[],
  { clause, phrase, opening }: NameList,
  leftOut: readonly string[],
): TableScope {
  const clauseFor = ({ table }: TableInfo) => clause.replace(phrase, () => `${opening} ${table}`)
  return { kind: 'each', tables, clauseFor, leftOut }
}

/** The names in "rows in a and b", "total of sales, stock". Words of other kinds are told apart later. */
function readList(
  clause: string,
  conversation: Conversation,
): (NameList & { readonly names: readonly string[] }) | undefined {
  const filler = '(?:(?:the|both|tables?|files?) )*'
  const name = '[\\p{L}_][\\p{L}\\p{N}_.-]*'
  const joint = '(?: ?, ?(?:and )?| (?:and|or|&|vs|versus) )(?:(?:in|of|from) )?'
  const pattern = new RegExp(
    `\\b(in|of|from|for|across|between|table|file) ${filler}(${name}(?:${joint}${filler}${name})*)(?![\\p{L}\\p{N}])`,
    'giu',
  )
  const split = new RegExp(`${joint}${filler}`, 'iu')
  for (const match of clause.matchAll(pattern)) {
    const [phrase, opening = '', listed = ''] = match
    const names = listed.split(split)
    const before = clause.slice(0, match.index)
    const surely =
      /\b(?:rows?|records?|entries|lines)(?: (?:are|do|does|is)(?: there| you have)?)? ?$/i.test(
        before,
      ) || /^(?:table|file)$/i.test(opening)
    const meant = names.filter(
      (entry) =>
        conversation.tables.some((table) => isCalled(table, entry)) ||
        unloaded(entry, conversation) !== undefined ||
        (surely && looksLikeTable(entry, phrase)),
    )
    if (
      meant.length > 0 &&
      (meant.length === names.length || meant.length > 1 || names.length === 1)
    )
      return {
        clause,
        phrase,
        opening: /^(?:table|file)$/i.test(opening) ? 'in' : opening,
        names: meant,
      }
  }
  return undefined
}

/** A word that stands for a table although none is called so: a file's name, or a bare letter. */
function looksLikeTable(name: string, phrase: string): boolean {
  if (/\.(?:csv|tsv|tab|txt|json|ndjson|jsonl)$/i.test(name)) return true
  const explicit = /\b(?:table|file) /i.test(phrase)
  return (
    (explicit || name.length === 1) && (name.length === 1 || !questionWords.has(name.toLowerCase()))
  )
}

function isKnown(name: string, tables: readonly TableInfo[]): boolean {
  const text = name.toLowerCase()
  return tables.some(
    (table) =>
      isCalled(table, name) ||
      table.columns.some(
        (column) =>
          column.name.toLowerCase() === text ||
          (column.values ?? []).some((value) => value.toLowerCase() === text),
      ),
  )
}

function isCalled({ table, file }: TableInfo, name: string): boolean {
  const text = name.toLowerCase()
  return [table, file, baseOf(file)].some((entry) => entry.toLowerCase() === text)
}

function isNamedIn(clause: string, { table, file }: TableInfo): boolean {
  if (clause.toLowerCase().includes(file.toLowerCase())) return true
  const said = new Set(tokenise(clause).map((token) => token.stem))
  return wordsOf(table).some((word) => word.length > 2 && !/^\d+$/.test(word) && said.has(word))
}

function unloaded(name: string, conversation: Conversation): string | undefined {
  const loaded = new Set(conversation.tables.map((table) => table.file))
  const text = name.toLowerCase()
  return conversation.files.find(
    (file) =>
      !loaded.has(file) && [file, baseOf(file)].some((entry) => entry.toLowerCase() === text),
  )
}

function lostFiles(conversation: Conversation): readonly string[] {
  const loaded = new Set(conversation.tables.map((table) => table.file))
  return conversation.files.filter((file) => !loaded.has(file))
}

function missingText(name: string, conversation: Conversation): string {
  const file = unloaded(name, conversation)
  const tables = conversation.tables.map((table) => `\`${table.table}\``).join(', ')
  const reason =
    file === undefined ? `There is no table “${name}”` : `\`${file}\` could not be loaded`
  return `${reason}, so I have no answer. The tables I know: ${tables}.`
}

function allLoadsFailed(conversation: Conversation): boolean {
  const failed = new Set(failedLoads(conversation).map(fileOf))
  return conversation.dropped.length > 0 && conversation.dropped.every((file) => failed.has(file))
}

function baseOf(file: string): string {
  return file.replace(/(?!^)\.[a-z0-9]{1,8}$/i, '')
}
