import { counted } from '../../text/quantity.ts'
import {
  type Cell,
  type ColumnType,
  type FieldType,
  isNumber,
  typeOfText,
  withPoint,
} from './cell-type.ts'
import type { RowReader } from './row-reader.ts'

export interface TypedColumn {
  readonly name: string
  readonly type: ColumnType
  /** Its numbers are written with a decimal comma. */
  readonly hasCommas?: true
}

interface Counts extends Record<FieldType, number> {
  firstText: string
  firstComma: string
}

/** Finds the types of columns from all of their values. */
export function createTypeCounter({ columns: names, typeOf }: RowReader) {
  const counts: Counts[] = []
  let total = 0
  return {
    add: (rows: readonly (readonly Cell[])[]): void => {
      const { length } = names()
      while (counts.length < length) counts.push({ ...none })
      total += rows.length
      for (const row of rows) {
        row.forEach((cell, column) => {
          const count = counts[column]
          if (cell === null || !count) return
          const type = typeOf(cell)
          if (type === 'text' && count.text === 0) count.firstText = String(cell).slice(0, 40)
          if (type === 'decimal_comma') count.firstComma ||= String(cell).trim().slice(0, 40)
          count[type]++
        })
      }
    },
    rows: () => total,
    columns: (): readonly TypedColumn[] =>
      names().map((name, column) => ({ name, ...widest(counts[column]) })),
    /** Whether columns of these types can store all added rows. */
    fit: (columns: readonly TypedColumn[]) =>
      counts.every((count, column) => {
        const taken = columns[column]
        return taken !== undefined && canStore(taken, count)
      }),
    /** Notes about columns that are text because of a few fields only. */
    notes: () => names().flatMap((name, column) => noteOn(name, counts[column])),
  }
}

const none: Counts = {
  ...{ integer: 0, real: 0, date: 0, text: 0, decimal_comma: 0, unclear_comma: 0 },
  ...{ firstText: '', firstComma: '' },
}

function canStore({ type, hasCommas }: Omit<TypedColumn, 'name'>, counts: Counts): boolean {
  const { integer, real, date, text, decimal_comma: clear, unclear_comma: unclear } = counts
  const numbers = integer + (hasCommas ? clear + unclear : real)
  const all = integer + real + date + text + clear + unclear
  const stored = { integer, real: numbers, date, text: all }
  return stored[type] === all
}

function widest(counts: Counts = none): Omit<TypedColumn, 'name'> {
  const { integer, real, date, decimal_comma: clear, unclear_comma: unclear } = counts
  // Commas are decimal signs only if some number is clear and none has a point: else they may separate thousands.
  const hasCommas = clear > 0 && real === 0
  const text = counts.text + (hasCommas ? 0 : clear + unclear)
  if (text > 0 || (date > 0 && integer + real + clear > 0)) return { type: 'text' }
  if (date > 0) return { type: 'date' }
  if (hasCommas) return { type: 'real', hasCommas }
  if (real > 0) return { type: 'real' }
  // A column without values has no type, and text stores anything.
  return { type: integer > 0 ? 'integer' : 'text' }
}

const fewTexts = 0.05

/** A number with thousands separators, a currency or a percent sign. */
function isDecorated(text: string): boolean {
  const plain = text
    .replace(/^\s*[$€£¥]?\s*|\s*[%$€£¥]?\s*$/g, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
  return plain !== text && isNumber(typeOfText(plain))
}

function noteOn(name: string, counts: Counts = none): readonly string[] {
  const { integer, real, date, text, decimal_comma: clear, unclear_comma: unclear } = counts
  if (widest(counts).hasCommas) {
    const read = withPoint(counts.firstComma)
    return [`Column "${name}" has decimal commas: ${counts.firstComma} is read as ${read}.`]
  }
  const commas = clear + unclear
  // Without the few texts they would be numbers.
  const areNumbers = clear > 0 && real === 0
  const texts = text + (areNumbers ? 0 : commas)
  const numbers = integer + real + (areNumbers ? commas : 0)
  const most = Math.max(numbers, date)
  if (texts > most * fewTexts && isDecorated(counts.firstText)) {
    const all = `its numbers have more than digits: ${JSON.stringify(counts.firstText)}, for example`
    return [`Column "${name}" is text, because ${all}. Without that they can be computed with.`]
  }
  if (texts === 0 || texts > most * fewTexts) return []
  const all = (texts + numbers + date).toLocaleString('en')
  const what = most === numbers ? 'cannot be stored as a number' : 'is no date'
  const are = texts === 1 ? what : what.replace('is no date', 'are no dates')
  const first = counts.firstText || counts.firstComma
  const example = first === '' ? '' : `: ${JSON.stringify(first)}, for example`
  return [
    `Column "${name}" is text, because ${counted(texts, 'value')} of ${all} ${are}${example}.`,
  ]
}
