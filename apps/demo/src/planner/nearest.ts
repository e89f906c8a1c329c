import type { Column, Table } from './columns.ts'
import { isAmount, isDate, isNumeric } from './columns.ts'
import type { Item } from './lexer.ts'
import type { Key, Measure, Part, Reading } from './reading.ts'
import { toReading } from './reading.ts'
import { toStem, toWords } from './tokens.ts'
import { isLow, statisticOf } from './words.ts'

/** Questions that the columns of a table make possible, the most telling first. */
export function chipsFor(table: Table): readonly Reading[] {
  const [number, other = number] = table.columns.filter(isAmount)
  const names = table.columns.filter(
    (column) => column.distinct > 1 && !isNumeric(column) && !isDate(column),
  )
  const [category, second = category] = names.sort((one, next) => one.distinct - next.distinct)
  const column = table.columns.find(isDate) ?? category
  const parts: readonly (Part | undefined)[] = [
    number && category && { measure: { column: number, as: 'mean' }, keys: [{ column: category }] },
    second && { keys: [{ column: second }], top: { count: 5, end: 'top' } },
    column && { keys: [toKey(column)], plot: isDate(column) ? 'line' : 'bar' },
    other && { measure: { column: other, as: 'median' } },
    category && { show: 'share', keys: [{ column: category }] },
    {},
  ]
  return parts.flatMap((part) => (part ? [toReading(table, part)] : []))
}

function toKey(column: Column): Key {
  return isDate(column) ? { column, part: 'month' } : { column }
}

/** Questions made of what was read of one that leaves words over, each with how near it is. */
export function guessFrom(items: readonly Item[], table: Table) {
  const open = items.filter(({ kind, part }) => !part || kind === 'K')
  const said = new Set(open.flatMap(({ text }) => text.split(/\s+/).map(toStem)))
  const weights = table.columns.map((column) => ({ column, weight: weightOf(column, said) }))
  const parts = items.flatMap(({ part }) => part ?? [])
  const filters = parts.flatMap((part) => part.filters ?? [])
  const word = items.find(({ kind }) => kind === 's' || kind === 'x')
  const statistics = word ? [statisticOf(word.text)] : (['sum', 'mean'] as const)
  const measures: readonly { readonly measure: Measure; readonly score: number }[] = [
    ...parts.flatMap(({ measure }) =>
      measure ? [{ measure, score: measure.column ? 7 : 5 }] : [],
    ),
    ...weights.flatMap(({ column, weight }) =>
      statistics.map((as, at) => ({
        measure: { column, as },
        score: isAmount(column) ? weight - at / 2 : -9,
      })),
    ),
    { measure: {}, score: word ? 0 : 1 },
  ]
  const keys: readonly { readonly keys: readonly Key[]; readonly more: number }[] = [
    ...parts.flatMap((part) => (part.keys?.length ? [{ keys: part.keys, more: 5 }] : [])),
    ...weights.map(({ column, weight }) => ({ keys: [toKey(column)], more: weight || -9 })),
    { keys: [], more: 0 },
  ]
  const named = keys.filter((one) => !one.keys.some(({ column }) => isAmount(column)))
  return measures.flatMap(({ measure, score }) =>
    named.map(({ keys: own, more }) => ({
      reading: toReading(table, { measure, keys: own, filters, ...shapeIn(items, own, measure) }),
      score: score + more + filters.length * 3,
    })),
  )
}

function shapeIn(items: readonly Item[], [key]: readonly Key[], { column }: Measure): Part {
  const find = (kinds: string) => items.find(({ kind }) => kinds.includes(kind))
  const ranked = find('txmkXH')
  const end = isLow(ranked?.text ?? '') ? 'bottom' : 'top'
  if (find('h') && !column) return { show: 'share' }
  if (key && find('p')) return { plot: key.part ? 'line' : 'bar' }
  return key && ranked ? { top: { count: find('w') ? 1 : 5, end } } : {}
}

/** How surely what was not read speaks of a column. */
function weightOf({ name }: Column, said: ReadonlySet<string>): number {
  const names = toWords(name)
  if (said.has(toStem(name))) return 4
  if (names.some((word) => word.length > 2 && said.has(word))) return 3
  const starts = new Set([...said].map((word) => word.slice(0, 4)))
  return names.some((word) => word.length > 3 && starts.has(word.slice(0, 4))) ? 2 : 0
}
