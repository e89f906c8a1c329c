import {
  type Column,
  isAmount,
  isDate,
  type Key,
  namesRows,
  type Part,
  type Table,
} from './reading.ts'
import {
  datePartOf,
  kindsOf,
  kindsOfCode,
  monthOf,
  numbersOf,
  type Token,
  toStem,
  toWords,
} from './words.ts'

/** A piece of a question, in one of the meanings that it may have. */
export interface Item {
  /** A letter of the table of words, or: c column, v value, z date, q number, r rows, " quoted, ? unknown. */
  readonly kind: string
  readonly text: string
  readonly key?: Key
  readonly value?: string
  readonly part?: Part
}

const longestName = 8
const mostWays = 300

/** The tokens as items, in every way in which they can be taken. The longest names come first. */
export function toItems(tokens: readonly Token[], names: Names): readonly (readonly Item[])[] {
  let ways: readonly (readonly Item[])[] = [[]]
  for (let at = 0; at < tokens.length; ) {
    let length = longestName
    while (length > 1 && itemsOf(tokens.slice(at, at + length), names).length === 0) length--
    const items = itemsOf(tokens.slice(at, at + length), names)
    ways = ways.flatMap((way) => {
      const fits = items.filter((item) => isOneDate(way, item))
      return fits.map((item) => (item.kind === '' ? way : [...way, item]))
    })
    // With too many ways the right one might be missed.
    if (ways.length > mostWays) return []
    at += length
  }
  return ways
}

/** “month of sold_on”, “sold_on before 2024”: the column that is named is meant, not any other of dates. */
function isOneDate(way: readonly Item[], { kind, key }: Item): boolean {
  const before = way.findLast((item) => !'e>S'.includes(item.kind))?.key
  if (!before || !key || !(kind === 'z' || before.part)) return true
  return before.column === key.column || !isDate(before.column) || !isDate(key.column)
}

/** All meanings of a span of tokens as a whole. A single token always has at least one. */
function itemsOf(span: readonly Token[], { table, columns, values, rows }: Names): readonly Item[] {
  const [first, second] = span
  const pieces = span.map((token) => token.text + token.gap)
  const text = pieces.join('').trim()
  const phrase = span.map((token) => token.text.toLowerCase()).join(' ')
  const isQuoted = span.some(({ kind }) => kind === 'quoted')
  if (!first || (isQuoted && second)) return []
  const toKinds = first.kind === 'code' && !second ? kindsOfCode : kindsOf
  const kinds = isQuoted ? [] : toKinds(phrase)
  const isName = first.kind !== 'mark' && span.at(-1)?.kind !== 'mark'
  const hasCommas = table.notes.some((note) => note.includes('has decimal commas'))
  const numbers = isQuoted ? [] : numbersOf(phrase, hasCommas)
  const dates = table.columns.filter(isDate)
  const part = datePartOf(phrase)
  const named = isName ? columns(text, isQuoted, kinds.length === 0) : []
  const parts = part && !isQuoted ? dates.map((column) => ({ column, part })) : []
  const keys = [...parts, ...named.map((column) => ({ column }))]
  const found = isName ? values(text, isQuoted) : []
  // A table that is called like a column of it: “sales by region” asks for more than a number of rows.
  const isColumn = columns(text, isQuoted).some(
    (column) => isAmount(column, table) || !namesRows(column, table),
  )
  const isSpelled = isQuoted && named.length > 0
  const isRows = isName && rows.has(toStem(text)) && !isColumn && !isSpelled
  // A value that is a number counts as a value only after its column.
  const kindOfValue = numbers.length > 0 ? '"' : 'v'
  const items: readonly Item[] = [
    ...kinds.map((kind) => ({ kind, text: phrase })),
    ...keys.map((key) => ({ kind: 'c', text, key })),
    ...found.map(({ column, value }) => ({ kind: kindOfValue, text, value, key: { column } })),
    ...(isRows ? [{ kind: 'r', text }] : []),
    ...numbers.map((number) => ({ kind: 'q', text: String(number) })),
    ...(isQuoted ? [] : datesIn(phrase, dates)),
  ]
  return items.length > 0 || second ? items : [{ kind: isQuoted ? '"' : '?', text }]
}

/** Reads “2024”, “2024-03” or “march 2024” as a condition on each column of dates. */
function datesIn(phrase: string, dates: readonly Column[]): readonly Item[] {
  const [first = '', year] = phrase.split(' ')
  const value = year && monthOf(first) ? `${year}-${monthOf(first)}` : phrase
  if (!/^(?:1[89]|20|21)\d\d(?:-\d\d){0,2}$/.test(value)) return []
  const part = value.length > 7 ? 'day' : value.length > 4 ? 'month' : 'year'
  return dates.map((column) => ({ kind: 'z', text: value, value, key: { column, part } }))
}

export type Names = ReturnType<typeof indexNames>

/** The names that a question about this table may use. */
export function indexNames(table: Table) {
  const known = table.columns.flatMap((column) =>
    (column.values ?? []).map((value) => ({ column, value })),
  )
  return {
    table,
    columns: finder(table.columns, ({ name }) => name),
    values: finder(known, ({ value }) => value),
    rows: new Set(['row', 'record', 'entry', toStem(table.table), ...shortNamesOf(table.table)]),
  }
}

/** Finds entries by name, however it is spelled, or else by a short name. In quotes it is spelled just so. */
function finder<Entry>(entries: readonly Entry[], nameOf: (entry: Entry) => string) {
  const stems = new Map(entries.map((entry) => [entry, toStem(nameOf(entry))]))
  return (text: string, isQuoted: boolean, isShort = false): readonly Entry[] => {
    const stem = toStem(text)
    if (isQuoted) return entries.filter((entry) => nameOf(entry) === text)
    const close = entries.filter((entry) => stem !== '' && stems.get(entry) === stem)
    if (close.length > 0) return close
    return isShort ? entries.filter((entry) => shortNamesOf(nameOf(entry)).includes(stem)) : []
  }
}

/** Ends of names that only say a kind or a unit, such as `minutes` in `wait_minutes`. */
const suffix =
  /^(?:id|code|no|nr|number|key|name|on|at|eur|usd|gbp|k?g|mg|[kcm]?m|c|pct|percent|hour|minute)$/

/** `wait` of `wait_minutes`, `insured value` and `value` of `Insured Value (GBP)`. */
function shortNamesOf(name: string): readonly string[] {
  const words = toWords(name.replace(/(?<=.)[([].*/, ''))
  const main = words.slice(0, words.findLastIndex((word) => !suffix.test(word)) + 1)
  const all = [main.join(''), ...main.slice(-1), ...words.filter((word) => datePartOf(word))]
  return all.filter((short) => short.length > 1 && short !== toStem(name))
}
