import { within } from './grammar.ts'
import type { Item, Names } from './lexer.ts'
import type { Column, Filter, Key, Part, Table } from './reading.ts'
import { isAmount, isDate, isNumeric, namesRows } from './reading.ts'
import { toStem, toWords } from './tokens.ts'
import { isLow, monthOf, signOf, statisticOf } from './words.ts'

/** Questions that the columns of a table make possible, the most telling first. */
export function chipsFor(table: Table): readonly Part[] {
  const [number, other = number] = table.columns.filter((one) => isAmount(one, table))
  const texts = table.columns.filter((one) => one.distinct > 1 && !isNumeric(one) && !isDate(one))
  const [name, second = name] = texts.sort((one, next) => one.distinct - next.distinct)
  const axis = table.columns.find(isDate) ?? name
  const chips: Part[] = [{}]
  if (name) chips.unshift({ show: 'share', keys: [{ column: name }] })
  if (other) chips.unshift({ measure: { column: other, as: 'median' } })
  if (axis) chips.unshift({ keys: [toKey(axis)], plot: isDate(axis) ? 'line' : 'bar' })
  if (second) chips.unshift({ keys: [{ column: second }], top: { count: 5, end: 'top' } })
  if (number && name)
    chips.unshift({ measure: { column: number, as: 'mean' }, keys: [{ column: name }] })
  return chips
}

function toKey(column: Column): Key {
  return isDate(column) ? { column, part: 'month' } : { column }
}

type Guess = readonly [part: Part, score: number]

/** Questions made of what was read of one that leaves words over, each with how near it is. */
export function guessFrom(items: readonly Item[], { table, rows }: Names): readonly Guess[] {
  const find = (kinds: string) => items.find(({ kind }) => kinds.includes(kind))
  const parts = items.flatMap(({ part }) => part ?? [])
  const open = items.filter(({ kind, part }) => !part || kind === 'K')
  const words = open.flatMap(({ text }) => text.split(/\s+/).map(toStem))
  const said = words.filter((word) => !rows.has(word))
  const word = find('sx')?.text ?? said.find((one) => /..est$/.test(one))
  const statistics = word ? [statisticOf(word)] : (['sum', 'mean'] as const)
  const read = parts.flatMap((part) => part.filters ?? [])
  const sign = find('-') ? 'is not' : 'is'
  const filters = read.map((one): Filter => (one.sign === 'is' ? { ...one, sign } : one))
  const measures: Guess[] = [[{}, find('nr') ? 3 : 1]]
  const groups: Guess[] = [[{}, 0]]
  const limits: Guess[] = []
  for (const { measure, keys = [] } of parts) {
    if (measure) measures.push([{ measure }, measure.column ? 7 : 5])
    if (keys.length > 0) groups.push([{ keys }, 5])
  }
  for (const column of table.columns) {
    const score = weightOf(column, said)
    const limit = isAmount(column, table) ? limitOn(column, items) : strangeOn(column, items)
    if (limit.length > 0) limits.push([{ filters: [...filters, ...limit] }, score + 0.25])
    if (isDate(column) && find('m') && score > 0)
      measures.push([{ measure: { column, as: 'max' } }, score + 2])
    // A ranking asks for some column, even if it is not known for which.
    const least = find('t') ? 0.5 : find('m') && namesRows(column, table) ? 1.5 : -9
    if (!isAmount(column, table)) groups.push([{ keys: [toKey(column)] }, score || least])
    else
      for (const as of statistics)
        measures.push([{ measure: { column, as } }, as === 'mean' ? score - 0.5 : score])
  }
  limits.push([{ filters }, 0])
  const all = combine(combine(measures, groups), limits).filter(([part]) => isSensible(part, table))
  return all.flatMap(([part, score]) => {
    const shapes = shapesOf(part, find)
    return shapes.map(
      (shape, at): Guess => [{ ...part, ...shape }, score - at / 4 - items.length / 10],
    )
  })
}

function combine(some: readonly Guess[], others: readonly Guess[]): readonly Guess[] {
  return some.flatMap(([part, score]) =>
    others.map(([more, bonus]): Guess => [{ ...part, ...more }, score + bonus]),
  )
}

/** Groups of one row each are worth a look at their values only, and what is fixed is no group. */
function isSensible({ measure, keys = [], filters = [] }: Part, table: Table): boolean {
  const fixed = filters.filter(({ sign, values }) => sign === 'is' && values.length === 1)
  return keys.every(({ column, part }) => {
    const isSingle = !part && namesRows(column, table) && (isNumeric(column) || !measure?.column)
    const isUsed = [measure, ...fixed].some((one) => one?.column === column)
    return !isSingle && !isUsed && !isAmount(column, table)
  })
}

/** A strange name may be a value of a column whose values are not listed. */
function strangeOn(column: Column, items: readonly Item[]): readonly Filter[] {
  const isName = ({ kind, text }: Item) =>
    kind === '?' && /^\p{Lu}/u.test(text) && !monthOf(toStem(text))
  const names = items
    .slice(1)
    .filter(isName)
    .map(({ text }) => text)
  const isOpen = column.type === 'text' && !column.values && !isDate(column) && names.length > 0
  return isOpen ? [{ column, sign: 'is', values: [names.join(' ')] }] : []
}

/** “more than 25”, “between 10 and 20”, of which it is not known which column is meant. */
function limitOn(column: Column, items: readonly Item[]): readonly Filter[] {
  const values = items.flatMap(({ kind, text }) => (kind === 'q' ? [Number(text)] : []))
  const word = items.find(({ kind }) => kind === '>' || kind === 'B')
  if (word?.kind === 'B' && values.length === 2) return within(column, values)
  const isOver = word?.kind === '>' && values.length === 1
  return isOver ? [{ column, sign: signOf(word.text), values }] : []
}

type Find = (kinds: string) => Item | undefined

function shapesOf({ keys = [], measure, filters = [] }: Part, find: Find): readonly Part[] {
  const [key] = keys
  const ranked = find('txmkXH')
  const end = isLow(ranked?.text ?? '') ? 'bottom' : 'top'
  const count = Number(find('q')?.text ?? (find('w') ? 1 : 5))
  const isPart = !measure?.column && keys.length + filters.length === 1
  if (find('h') && isPart) return [{ show: 'share' }]
  if (key && find('p')) return [{ plot: key.part ? 'line' : 'bar' }]
  if (key && ranked) return [{ top: { count, end } }, {}]
  return key?.part ? [{}, { keys: [toKey(key.column)] }] : [{}]
}

/** How surely these words speak of a column. */
function weightOf(column: Column, said: readonly string[]): number {
  const names = toWords(column.name)
  if (said.includes(toStem(column.name))) return 4
  const isPart = names.some((name) => name.length > 2 && said.includes(name))
  if (isPart || (isDate(column) && said.some(monthOf))) return 3
  const isClose = (name: string, word: string) =>
    word.length > 2 && (word.startsWith(name.slice(0, 4)) || name.startsWith(word))
  const long = names.filter((name) => name.length > 2)
  return long.some((name) => said.some((one) => isClose(name, one))) ? 2 : 0
}
