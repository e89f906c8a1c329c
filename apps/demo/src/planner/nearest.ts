import { find, within } from './grammar.ts'
import type { Item, Names } from './lexer.ts'
import { isInTime } from './periods.ts'
import {
  type Column,
  type Filter,
  isAmount,
  isDate,
  isNumeric,
  type Key,
  namesRows,
  type Part,
  type Sign,
  type Table,
  yesAndNo,
} from './reading.ts'
import { isLow, monthOf, signOf, statisticOf, toStem, toWords } from './words.ts'

/** Questions that the columns of a table make possible, the most telling first. */
export function chipsFor(table: Table): readonly Part[] {
  const [number, other] = table.columns.filter((one) => isAmount(one, table))
  const texts = table.columns.filter((one) => one.distinct > 1 && !isNumeric(one) && !isDate(one))
  const [name, second = name] = texts.sort((one, next) => one.distinct - next.distinct)
  const axis = table.columns.find((column) => isDate(column) || isInTime({ column })) ?? name
  const chips: Part[] = [{}]
  if (name) chips.unshift({ show: 'share', keys: [{ column: name }] })
  if (number) chips.unshift({ show: 'histogram', keys: [{ column: number }] })
  if (number && other)
    chips.unshift({ show: 'scatter', keys: [{ column: number }, { column: other }] })
  if (axis) chips.unshift({ keys: [toKey(axis)], isPlot: true })
  if (second) chips.unshift({ keys: [{ column: second }], top: { count: 5, end: 'top' } })
  if (number && name)
    chips.unshift({ measure: { column: number, as: 'mean' }, keys: [{ column: name }] })
  return chips
}

function toKey(column: Column): Key {
  return isDate(column) ? { column, part: 'month' } : { column }
}

/** Guesses are combinations of columns: with more columns than this they would take too long. */
const mostColumns = 30

type Guess = readonly [part: Part, score: number]

/** Guesses at a question with unknown words, each with a number that says how near it is. */
export function guessFrom(items: readonly Item[], { table, rows }: Names): readonly Guess[] {
  const parts = items.flatMap(({ part }) => part ?? [])
  const open = items.filter(({ kind, part }) => !part || kind === 'K')
  const words = open.flatMap(({ text }) => text.split(/\s+/).map(toStem))
  const said = words.filter((word) => !rows.has(word))
  const word = find(items, 'sx')?.text ?? said.find((one) => /..est$/.test(one))
  const statistics = word ? [statisticOf(word)] : (['sum', 'mean'] as const)
  const read = parts.flatMap((part) => part.filters ?? [])
  // “In IT, not remote”
  const isNot = items.some(({ kind }, at) => kind === '-' && items[at + 1]?.kind !== 'c')
  const sign = isNot ? 'is not' : 'is'
  const filters = read.map((one): Filter => (one.sign === 'is' ? { ...one, sign } : one))
  const measures: Guess[] = [[{}, find(items, 'nr') ? 3 : 1]]
  const groups: Guess[] = [[{}, 0]]
  const base = -items.length / 10
  const limits: Guess[] = []
  for (const { measure, keys = [] } of parts) {
    if (measure) measures.push([{ measure }, measure.column ? 7 : 5])
    if (keys.length > 0) groups.push([{ keys }, 5])
  }
  for (const { key } of open) if (key?.part) groups.push([{ keys: [key] }, 4])
  const weights = table.columns.map((column) => ({ column, score: weightOf(column, said) }))
  const heaviest = weights.toSorted((one, other) => other.score - one.score).slice(0, mostColumns)
  for (const { column, score } of weights.filter((one) => heaviest.includes(one))) {
    const limit =
      score > 2 ? [...limitOn(column, items), ...haveOrNot(column, items)] : limitOn(column, items)
    if (limit.length > 0) limits.push([{ filters: [...filters, ...limit] }, base + score + 0.25])
    const isLast = isDate(column) && find(items, 'm') && score > 0
    if (isLast) measures.push([{ measure: { column, as: 'max' } }, score + 2])
    // A ranking needs a column, even if none was named.
    const isMost = find(items, 'mx') ?? (find(items, 'w') && find(items, 'X'))
    const least = find(items, 't') ? 0.5 : isMost && namesRows(column, table) ? 1.5 : -9
    // “Orders” may be rows, not what is in `ordered_on`.
    const group = score > 2 || find(items, 'bKHtmXp') ? score : Math.min(score, 0.5) - 0.6
    const isFor = isAmount(column, table)
    if (!isFor) groups.push([{ keys: [toKey(column)] }, score ? group : least])
    for (const [at, as] of statistics.entries())
      measures.push([{ measure: { column, as } }, isFor ? score - at / 2 : -99])
  }
  limits.push([{ filters }, base])
  const all = combine(combine(measures, groups), limits).filter(([part]) => isSensible(part, table))
  return all.flatMap(([part, score]) =>
    shapesOf(part, items).map((shape, at): Guess => [{ ...part, ...shape }, score - at / 4]),
  )
}

function combine(some: readonly Guess[], others: readonly Guess[]): readonly Guess[] {
  return some.flatMap(([part, score]) =>
    others.map(([more, bonus]): Guess => [{ ...part, ...more }, score + bonus]),
  )
}

/** Whether a guess makes sense: groups of one row each need a plain value, and a column with a filter is no group. */
function isSensible({ measure, keys = [], filters = [] }: Part, table: Table): boolean {
  const fixed = filters.filter(({ sign, values }) => sign === 'is' && values.length === 1)
  const used = [measure, ...fixed].map((one) => one?.column)
  return keys.every(({ column, part }) => {
    const isSingle = !part && namesRows(column, table) && (isNumeric(column) || !measure?.column)
    return !isSingle && !used.includes(column) && !isAmount(column, table)
  })
}

/** “over 25”, “between 10 and 20”, or a strange name. Which column is meant is not known. */
function limitOn(column: Column, items: readonly Item[]): readonly Filter[] {
  const textsOf = (kind: string) => items.flatMap((item) => (item.kind === kind ? [item.text] : []))
  const [sign] = textsOf('>')
  const numbers = textsOf('q').map(Number)
  const isName = (text: string) => /^\p{Lu}/u.test(text) && !monthOf(toStem(text))
  const name = textsOf('?').filter(isName).join(' ')
  const isOpen = !column.values && !isDate(column) && name !== '' && name !== items[0]?.text
  if (!isNumeric(column)) return isOpen ? [{ column, sign: 'is', values: [name] }] : []
  const [year] = numbers
  if (year && isInTime({ column }) && numbers.length === 1 && year > 1500 && year < 2200)
    return [{ column, sign: signOf(find(items, '>S')?.text ?? 'is'), values: [year] }]
  if (textsOf('B').length > 0 && numbers.length === 2) return within({ column }, numbers)
  const said = signOf(sign ?? 'is')
  const meant = find(items, '-') ? (opposites[said] ?? said) : said
  return sign && numbers.length === 1 ? [{ column, sign: meant, values: numbers }] : []
}

const opposites: Partial<Readonly<Record<Sign, Sign>>> = {
  ...{ over: 'at most', 'at least': 'under', under: 'at least', 'at most': 'over' },
}

/** “returned”, “without newsletter”, “no discount” */
function haveOrNot(column: Column, items: readonly Item[]): readonly Filter[] {
  const isNot = find(items, '-W') !== undefined
  const { yes, no } = yesAndNo(column)
  const value = isNumeric(column) && find(items, 'W') ? 0 : isNot ? no : yes
  return value === undefined ? [] : [{ column, sign: 'is', values: [value] }]
}

function shapesOf(part: Part, items: readonly Item[]): readonly Part[] {
  const { keys = [], measure, filters = [] } = part
  const [key] = keys
  if (find(items, 'g') && measure?.column)
    return [{ show: 'histogram', keys: [{ column: measure.column }], measure: {} }]
  const ranked = find(items, 'txmkXH')
  const end = isLow(ranked?.text ?? '') ? 'bottom' : 'top'
  const count = Number(find(items, 'q')?.text ?? (find(items, 'wx') ? 1 : 5))
  const isPart = !measure?.column && keys.length + filters.length === 1
  if (find(items, 'h') && isPart) return [{ show: 'share' }]
  if (find(items, 'l') && !key && !measure?.column) return [{ show: 'rows' }, {}]
  if (key && find(items, 'p')) return [{ isPlot: true }]
  if (key && ranked) return [{ top: { count, end } }, {}]
  return key?.part ? [{}, { keys: [toKey(key.column)] }] : [{}]
}

/** How likely it is that these words mean a column. */
function weightOf(column: Column, said: readonly string[]): number {
  const isLong = (word: string) => word.length > 2
  const names = toWords(column.name).filter(isLong)
  if (said.includes(toStem(column.name))) return 4
  const isPart = names.some((name) => said.includes(name))
  if (isPart || (isDate(column) && said.some(monthOf))) return 3
  const isClose = (name: string) => (word: string) =>
    word.startsWith(name.slice(0, 4)) || name.startsWith(word)
  return names.some((name) => said.filter(isLong).some(isClose(name))) ? 2 : 0
}
