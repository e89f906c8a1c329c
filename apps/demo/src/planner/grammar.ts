import { type Item, type Names, toItems } from './lexer.ts'
import {
  type Column,
  type Filter,
  isAmount,
  isDate,
  isNumeric,
  type Key,
  namesRows,
  type Part,
  type Reading,
  type Table,
  toReading,
  yesAndNo,
} from './reading.ts'
import { isLow, signOf, statisticOf, type Token, toWords } from './words.ts'

/** Every reading of the tokens that leaves no word over. */
export function readAll(tokens: readonly Token[], names: Names): readonly Reading[] {
  return reduceAll(tokens, names).flatMap((items) => {
    const part = wholeOf(items)
    const reading = part && toReading(names.table, part)
    return reading && isSound(reading, items) ? [reading] : []
  })
}

/** The meaning of all items together, if they make a whole question. */
function wholeOf(items: readonly Item[]): Part | undefined {
  const kinds = items.map(({ kind }) => kind).join('')
  const key = find(items, 'c')?.key
  if (/^A?[wl]*p?F*(?:[MXH]|r[Fr]*K)(?:[FKr]|AF)*$/.test(kinds))
    return merged(items, find(items, 'p') ? { isPlot: true } : {})
  if (/^A?[wl]*hr?[FKr]+$/.test(kinds)) return merged(items, { show: 'share' })
  if (/^A?[wl]+F*r(?:[Fr]|AF)*$/.test(kinds)) return merged(items, { show: 'rows' })
  if (/^A?[wl]*p?gc(?:[Fr]|AF)*$/.test(kinds)) return figure(items, 'histogram')
  if (/^A?[wl]*(?:p?oc[aAV]?c|pcVc)(?:[Fr]|AF)*$/.test(kinds)) return figure(items, 'scatter')
  // “What was ordered” asks for no dates, and “list members” for no number of those that are none.
  const isFlag = key && (yesAndNo(key.column).yes || (isDate(key.column) && !key.part))
  const isName = key && !isNumeric(key.column) && !isFlag
  return isName && /^A?[wl]+c(?:[Fr]|AF)*$/.test(kinds) ? merged(items, { keys: [key] }) : undefined
}

/** A plot of the numbers of the rows themselves. */
function figure(items: readonly Item[], show: 'histogram' | 'scatter'): Part | undefined {
  const keys = items.flatMap(({ key }) => key ?? [])
  const areNumbers = keys.every(({ column, part }) => isNumeric(column) && !part)
  return areNumbers ? merged(items, { show, keys }) : undefined
}

/** Whether a question can ask for this. */
function isSound(reading: Reading, items: readonly Item[]): boolean {
  const { show, keys, filters, measure, isPlot, top } = reading
  const nameOf = ({ column, part }: Key): string => `${column.name} ${part}`
  // Two tests of one column for equality are hardly meant.
  const tests = filters.map((one) => nameOf(one) + one.sign.replace(/^is.*/, 'is'))
  const isTwice = [tests, keys.map(nameOf)].some((all) => new Set(all).size < all.length)
  if (isTwice || keys.length > (show === 'rows' ? 0 : top ? 1 : 2)) return false
  // A share needs one part and one whole: with more groups or filters it is open which one is the whole.
  if (show === 'share') return keys.length + filters.length === 1
  if (isPlot) return keys.length === 1
  if (keys.length === 0 && items.some(({ text }) => text === 'who')) return false
  // “Mean per month”: of the values, or of the sums of the months?
  const isLoose = items.some(({ kind, text }) => kind === 'K' && !text.startsWith('by'))
  return !(isLoose && measure.as === 'mean' && keys.some(({ part }) => part))
}

/** Replaces several items in a row by one of this kind, unless the function returns none. */
type Rule = readonly [RegExp, string, (items: readonly Item[], table: Table) => Part | undefined]

/**
 * The rules, applied in this order. F is a filter, K keys, M a measure, X an extreme, H a ranking; '' means nothing.
 */
const rules: readonly Rule[] = [
  [/cc/y, 'c', datePart],
  [/(?<![sxndgoV])ce?B(?:q[aA]q|z[aA]z)|Bz[aA]z/y, 'F', filter],
  [/(?<![sxndgoV])ce?[->S]?[zqv"](?:[aA,]+[zqv"])+/y, 'F', filter],
  [/(?<![sxndgoV])ce?[->S]?[zqv"]/y, 'F', filter],
  [/>qc|-?v(?:[aA,]+v)*c|-?v(?:[aA,]+v)+/y, 'F', filter],
  [/-?v|(?<!f)S?z|cE|Wc/y, 'F', filter],
  [/e|f(?!z)|,/y, '', () => ({})],
  [/nF*r/y, 'M', (items) => merged(items, { measure: {} })],
  // “Returned orders” counts orders.
  [/nF*(?:dc|c(?!F*r))/y, 'M', different],
  [/sF*r?c/y, 'M', statistic],
  [/xF*r?c/y, 'X', statistic],
  [/tq?cb[MXr]|[wq]*(?:kc|cF*(?:X|xM|m[Mr]))/y, 'H', ranking],
  [/bc(?:Ab?c)?/y, 'K', (items) => ({ keys: items.flatMap(({ key }) => key ?? []) })],
  [/(?<=^A?[wl]*p?)cF*K/y, 'M', plainSum],
]

/** Applies the rules until none fits, for each way to take the tokens. */
export function reduceAll(tokens: readonly Token[], names: Names): readonly (readonly Item[])[] {
  const apply = (items: readonly Item[], rule: Rule) => applyRule(items, rule, names.table)
  return toItems(tokens, names).map((way) => rules.reduce(apply, way))
}

function applyRule(items: readonly Item[], rule: Rule, table: Table): readonly Item[] {
  const [pattern, kind, build] = rule
  const kinds = items.map((item) => item.kind).join('')
  const reduced: Item[] = []
  for (let at = 0; at < items.length; ) {
    pattern.lastIndex = at
    const span = items.slice(at, at + (pattern.exec(kinds)?.[0].length ?? 0))
    const part = span.length === 0 ? undefined : build(span, table)
    const text = span.map((item) => item.text).join(' ')
    const [key] = kind === 'c' ? (part?.keys ?? []) : []
    if (!part) reduced.push(...items.slice(at, at + 1))
    else if (kind !== '') reduced.push({ kind, text, ...(key ? { key } : { part }) })
    at += part ? span.length : 1
  }
  return reduced
}

function merged(items: readonly Item[], start: Part): Part {
  return items.flatMap(({ part }) => part ?? []).reduce(both, start)
}

function both(one: Part, other: Part): Part {
  const keys = [...(one.keys ?? []), ...(other.keys ?? [])]
  return { ...one, ...other, keys, filters: [...(one.filters ?? []), ...(other.filters ?? [])] }
}

export function find(items: readonly Item[], kinds: string): Item | undefined {
  return items.find(({ kind }) => kinds.includes(kind))
}

/** “month of sold_on” */
function datePart([first, second]: readonly Item[]): Part | undefined {
  const [part, whole] = [first?.key, second?.key]
  return part?.part && part.column === whole?.column && !whole.part ? { keys: [part] } : undefined
}

/** “price over 10”, “city is Rome or Paris”, “since 2024”, “month of sold_on is 2024-03”, “North region” */
function filter(items: readonly Item[]): Part | undefined {
  const given = items.filter(({ kind }) => 'zqv"'.includes(kind))
  const named = items.flatMap(({ kind, key }) => (kind === 'c' && key ? [key] : []))
  const key = given[0]?.kind === 'z' ? given[0].key : (named[0] ?? given[0]?.key)
  const sign = signOf(find(items, '>SEW-')?.text ?? 'is')
  const isOf = ({ part, column }: Key) => column === key?.column && (!part || part === key.part)
  if (!key || !named.every(isOf)) return undefined
  const values = given.flatMap((item) => valueAs(key, item) ?? [])
  const isOrdered = isNumeric(key.column) || isDate(key.column)
  if (values.length < given.length || (find(items, '>S') && !isOrdered)) return undefined
  // Over 5 or 7 is over one of them.
  if (values.length > 1 && !find(items, 'B') && !sign.startsWith('is')) return undefined
  if (find(items, 'B')) return { filters: within(key, values) }
  // Without a discount of 0, or one that is missing?
  if (find(items, 'W')?.text !== 'missing' && find(items, 'W') && !isLeftOut(key.column))
    return undefined
  const keys = find(items, 'A') ? [{ column: key.column }] : []
  return keys.length > 0 && sign !== 'is'
    ? undefined
    : { filters: [{ ...key, sign, values }], keys }
}

/** Whether only an empty field can mean that there is none. */
function isLeftOut(column: Column): boolean {
  const { empty, min = 1, max = 1 } = column
  const hasZero = isNumeric(column) && Number(min) <= 0 && Number(max) >= 0
  return empty > 0 && !hasZero && yesAndNo(column).no === undefined
}

export function within(key: Key, values: Filter['values']): readonly Filter[] {
  const signs = ['at least', 'at most'] as const
  return signs.map((sign, at) => ({ ...key, sign, values: values.slice(at, at + 1) }))
}

function valueAs({ column, part }: Key, item: Item): string | number | undefined {
  if (isNumeric(column)) return item.kind === 'q' ? Number(item.text) : undefined
  if (item.key) return item.key.column === column && item.key.part === part ? item.value : undefined
  return item.kind === '"' && !part ? item.text : undefined
}

function statistic(items: readonly Item[], table: Table): Part | undefined {
  const column = find(items, 'c')?.key?.column
  const as = statisticOf(items[0]?.text ?? '')
  const isRange = as === 'min' || as === 'max'
  if (!column || !(isAmount(column, table) || (isRange && (isNumeric(column) || isDate(column)))))
    return undefined
  return merged(items, { measure: { column, as } })
}

/** “Revenue per country”, where that can only be the sum: of what adds up, or of groups of one row each. */
function plainSum(items: readonly Item[], table: Table): Part | undefined {
  const column = find(items, 'c')?.key?.column
  const { keys = [], filters = [] } = merged(items, {})
  const isOneRow = keys.some(({ column: by, part }) => !part && namesRows(by, table))
  if (!column || !isAmount(column, table) || !(isOneRow || addsUp(column))) return undefined
  return { keys, filters, measure: { column, as: 'sum' } }
}

const sums = /^(?:revenue|sale|turnover|umsatz)$/
const ofSums = /^(?:revenue|sale|turnover|umsatz|total|gross|net|amount|in|eur|usd|gbp)$/

/** Whether a question that only names the column means the sum. For a price or a fee it may mean the average. */
function addsUp({ name }: Column): boolean {
  const words = toWords(name)
  return words.some((word) => sums.test(word)) && words.every((word) => ofSums.test(word))
}

/** “How many cities”: different ones. How many of an amount is another question. */
function different(items: readonly Item[], table: Table): Part | undefined {
  const { column, part } = find(items, 'c')?.key ?? {}
  if (!column || part) return undefined
  const isNoName = isAmount(column, table) || isDate(column) || yesAndNo(column).yes
  if (isNoName && !find(items, 'd')) return undefined
  return merged(items, { measure: namesRows(column, table) ? {} : { column, as: 'different' } })
}

/** “top 5 cities by mean of price”, “which city has the most orders”, “the city with the highest mean price” */
function ranking(items: readonly Item[]): Part | undefined {
  const { key, text = '' } = find(items, 'c') ?? {}
  const many = find(items, 't') || /s$/i.test(text) ? 5 : 1
  const count = Number(find(items, 'q')?.text ?? many)
  const end = isLow(find(items, 'tkmxX')?.text ?? '') ? 'bottom' : 'top'
  return key && { ...merged(items, { measure: {} }), keys: [key], top: { count, end } }
}
