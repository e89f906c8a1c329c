import type { Column, Table } from './columns.ts'
import { isDate } from './columns.ts'
import type { Key, Part } from './reading.ts'
import type { Token } from './tokens.ts'
import { textOf, toStem, toWords } from './tokens.ts'
import { datePartOf, kindsOf, monthOf, numberOf } from './words.ts'

/** A piece of a question, taken in one way. */
export interface Item {
  /** As in the table of words; or c column, v value, z date, q number, r rows, " quoted, ? unknown. */
  readonly kind: string
  readonly text: string
  /** Of a column, a value or a date. */
  readonly key?: Key
  readonly value?: string
  /** What a rule has made of it. */
  readonly part?: Part
}

const longestName = 8
const mostWays = 64

/** The tokens as items, in every way in which they can be taken. The longest names come first. */
export function toItems(tokens: readonly Token[], names: Names): readonly (readonly Item[])[] {
  let ways: readonly (readonly Item[])[] = [[]]
  for (let at = 0; at < tokens.length; ) {
    let length = longestName
    while (length > 1 && itemsOf(tokens.slice(at, at + length), names).length === 0) length--
    const items = itemsOf(tokens.slice(at, at + length), names)
    ways = ways.flatMap((way) => items.map((item) => (item.kind === '' ? way : [...way, item])))
    ways = ways.slice(0, mostWays)
    at += length
  }
  return ways
}

/** All that a span can be as a whole. A single token is always something. */
function itemsOf(span: readonly Token[], { table, columns, values, rows }: Names): readonly Item[] {
  const [first, second] = span
  const text = textOf(span)
  const phrase = span.map((token) => token.text.toLowerCase()).join(' ')
  const isQuoted = span.some(({ kind }) => kind === 'quoted')
  if (!first || (isQuoted && second)) return []
  const kinds = isQuoted ? [] : kindsOf(phrase)
  const isName = first.kind !== 'mark' && span.at(-1)?.kind !== 'mark'
  const number = isQuoted ? undefined : numberOf(phrase)
  const dates = table.columns.filter(isDate)
  const part = datePartOf(phrase)
  const named = isName ? columns(text, isQuoted) : []
  const found = isName ? values(text, isQuoted) : []
  // A value that is a number or says nothing is one only after its column.
  const kindOfValue = kinds.includes('') || number !== undefined ? '"' : 'v'
  const items: readonly Item[] = [
    ...kinds.map((kind) => ({ kind, text: phrase })),
    ...(part && !isQuoted ? dates : []).map((column) => ({
      kind: 'c',
      text,
      key: { column, ...(part && { part }) },
    })),
    ...named.map((column) => ({ kind: 'c', text, key: { column } })),
    ...found.map(({ column, value }) => ({ kind: kindOfValue, text, value, key: { column } })),
    ...(isName && rows.has(toStem(text)) ? [{ kind: 'r', text }] : []),
    ...(number === undefined ? [] : [{ kind: 'q', text: String(number) }]),
    ...(isQuoted ? [] : datesIn(phrase, dates)),
  ]
  return items.length > 0 || second ? items : [{ kind: isQuoted ? '"' : '?', text }]
}

/** “2024”, “2024-03”, “march 2024”: of any column of dates. */
function datesIn(phrase: string, dates: readonly Column[]): readonly Item[] {
  const [first = '', year] = phrase.split(' ')
  const value = year && monthOf(first) ? `${year}-${monthOf(first)}` : phrase
  if (!/^(?:1[89]|20|21)\d\d(?:-\d\d){0,2}$/.test(value)) return []
  const part = value.length > 7 ? 'day' : value.length > 4 ? 'month' : 'year'
  return dates.map((column) => ({ kind: 'z', text: value, value, key: { column, part } }))
}

/** A value that a query has found. */
export interface Value {
  readonly table: string
  readonly column: string
  readonly value: string
}

export type Names = ReturnType<typeof indexNames>

/** The names that a question about this table may use. */
export function indexNames({ ...table }: Table, found: readonly Value[]) {
  const known = table.columns.flatMap((column) => {
    const own = found.filter((one) => one.table === table.table && one.column === column.name)
    const values = new Set([...(column.values ?? []), ...own.map(({ value }) => value)])
    return [...values].map((value) => ({ column, value }))
  })
  return {
    table,
    columns: finder(table.columns.map((column) => [column, column.name, ...headsOf(column.name)])),
    values: finder(known.map((one) => [one, one.value])),
    rows: new Set(['row', 'record', 'entry', toStem(table.table), ...headsOf(table.table)]),
  }
}

type Named<Entry> = readonly [entry: Entry, name: string, ...others: readonly string[]]

/** Finds entries by name: spelled just so if there is one, else in another spelling, else by another name. */
function finder<Entry>(entries: readonly Named<Entry>[]) {
  const all = entries.map(([entry, name, ...others]) => ({
    entry,
    name,
    stem: toStem(name),
    others,
  }))
  return (text: string, isQuoted: boolean): readonly Entry[] => {
    const stem = toStem(text)
    const exact = all.filter(({ name }) => name === text)
    const close = all.filter((one) => stem !== '' && one.stem === stem)
    const alike = close.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
    const byOthers = all.filter(({ others }) => others.includes(stem))
    const best = isQuoted ? exact : [alike, close, byOthers].find(({ length }) => length > 0)
    return (best ?? []).map(({ entry }) => entry)
  }
}

/** Ends of names that say of what kind or in which unit something is, not what. */
const suffix =
  /^(?:id|code|no|nr|number|key|name|eur|usd|gbp|k?g|mg|[kcm]?m|c|pct|percent|year|hour|minute)$/

/** One word for a name: `stay` or `length` of `length_of_stay`, `price` of `unit_price_eur`. */
function headsOf(name: string): readonly string[] {
  const words = toWords(name)
  const of = words.indexOf('of')
  const head = words.findLast((word) => !suffix.test(word)) ?? ''
  const heads = of > 0 ? words.filter((_, at) => Math.abs(at - of) === 1) : [head]
  return words.length > 1 ? heads.filter((word) => word.length > 1) : []
}
