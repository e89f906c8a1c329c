import { counted } from '../../text/quantity.ts'
import type { Cell, ColumnType } from './cell-type.ts'
import type { RowReader } from './row-reader.ts'

export interface TypedColumn {
  readonly name: string
  readonly type: ColumnType
}

interface Counts extends Record<ColumnType, number> {
  firstText: string
}

/** Finds the types of columns from all of their values. */
export function createTypeCounter({ columns: names, typeOf }: RowReader) {
  const counts: Counts[] = []
  let total = 0
  return {
    add: (rows: readonly (readonly Cell[])[]): void => {
      while (counts.length < names().length) {
        counts.push({ integer: 0, real: 0, date: 0, text: 0, firstText: '' })
      }
      total += rows.length
      for (const row of rows) {
        row.forEach((cell, column) => {
          const count = counts[column]
          if (cell === null || !count) return
          const type = typeOf(cell)
          if (type === 'text' && count.text === 0) count.firstText = String(cell).slice(0, 40)
          count[type]++
        })
      }
    },
    rows: () => total,
    columns: (): readonly TypedColumn[] =>
      names().map((name, column) => ({ name, type: widest(counts[column]) })),
    /** Whether columns of these types can store all added rows. */
    fit: (columns: readonly TypedColumn[]) =>
      counts.every((count, column) => {
        const [type, needed] = [columns[column]?.type, widest(count)]
        const isEmpty = count.integer + count.real + count.date + count.text === 0
        const isWider = type === 'text' || (type === 'real' && needed === 'integer')
        return type !== undefined && (isEmpty || type === needed || isWider)
      }),
    /** Notes about columns that are text because of a few fields only. */
    notes: () => names().flatMap((name, column) => noteOn(name, counts[column])),
  }
}

function widest(counts: Counts | undefined): ColumnType {
  const { integer = 0, real = 0, date = 0, text = 0 } = counts ?? {}
  if (text > 0 || (date > 0 && integer + real > 0)) return 'text'
  if (date > 0) return 'date'
  if (real > 0) return 'real'
  // A column without values has no type, and text stores anything.
  return integer > 0 ? 'integer' : 'text'
}

const fewTexts = 0.05

function noteOn(name: string, counts: Counts | undefined): readonly string[] {
  if (!counts?.text) return []
  const numbers = counts.integer + counts.real
  const most = Math.max(numbers, counts.date)
  if (counts.text > most * fewTexts) return []
  const all = (counts.text + numbers + counts.date).toLocaleString('en')
  const what = most === numbers ? 'cannot be stored as a number' : 'is no date'
  const are = counts.text === 1 ? what : what.replace('is no date', 'are no dates')
  return [
    `Column "${name}" is text, because ${counted(counts.text, 'value')} of ${all} ${are}: ${JSON.stringify(counts.firstText)}, for example.`,
  ]
}
