import { counted } from '../../text/quantity.ts'
import {
  type Cell,
  type ColumnType,
  type Commas,
  type FieldType,
  isNumber,
  plainNumber,
  typeOfText,
} from './cell-type.ts'
import type { RowReader } from './row-reader.ts'

export interface TypedColumn {
  readonly name: string
  readonly type: ColumnType
  /** Its numbers are written with commas. */
  readonly commas?: Commas
}

interface Counts extends Record<FieldType, number> {
  /** The first field of a type. */
  readonly first: { [Type in FieldType]?: string }
}

/** Finds the types of columns from all of their values. */
export function createTypeCounter({ columns: names, typeOf }: RowReader) {
  const counts: Counts[] = []
  let total = 0
  return {
    add: (rows: readonly (readonly Cell[])[]): void => {
      const { length } = names()
      while (counts.length < length) counts.push({ ...none, first: {} })
      total += rows.length
      for (const row of rows) {
        row.forEach((cell, column) => {
          const count = counts[column]
          if (cell === null || !count) return
          const type = typeOf(cell)
          if (count[type] === 0) count.first[type] = String(cell).slice(0, 40)
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
  ...{ integer: 0, real: 0, date: 0, text: 0 },
  ...{ decimal_comma: 0, thousands: 0, thousands_real: 0, unclear_comma: 0 },
  first: {},
}

function canStore({ type, commas }: Omit<TypedColumn, 'name'>, counts: Counts): boolean {
  const { date } = counts
  const all = allOf(counts)
  const numbers = numbersWith(commas, counts)
  const integer = numbers - counts.real - (commas === 'thousands' ? counts.thousands_real : 0)
  const real = commas === 'decimal' ? integer : numbers
  return { integer, real, date, text: all }[type] === all
}

function allOf(counts: Counts): number {
  return numbersWith('thousands', counts) + counts.decimal_comma + counts.date + counts.text
}

/** How many fields are numbers, if this is what their commas are. */
function numbersWith(commas: Commas | undefined, counts: Counts): number {
  const { integer, real, decimal_comma: decimal, unclear_comma: unclear } = counts
  const plain = integer + real
  if (commas === 'decimal') return plain + decimal + unclear
  return commas ? plain + counts.thousands + counts.thousands_real + unclear : plain
}

/** What the commas are: only if some number is clear, and none speaks against it. */
function commasIn(counts: Counts): Commas | undefined {
  const hasThousands = counts.thousands + counts.thousands_real > 0
  if (counts.decimal_comma > 0) return counts.real === 0 && !hasThousands ? 'decimal' : undefined
  return hasThousands ? 'thousands' : undefined
}

function widest(counts: Counts = none): Omit<TypedColumn, 'name'> {
  const { integer, real, date } = counts
  const commas = commasIn(counts)
  const numbers = numbersWith(commas, counts)
  const all = allOf(counts)
  if (all > Math.max(numbers, date)) return { type: 'text' }
  if (date > 0) return { type: 'date' }
  const hasPoints = real + counts.thousands_real > 0 || commas === 'decimal'
  if (commas) return { type: hasPoints ? 'real' : 'integer', commas }
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
  const { first, date } = counts
  const commas = commasIn(counts)
  if (widest(counts).commas && commas) return [commasNote(name, commas, counts)]
  // Without the few texts they would be numbers.
  const numbers = numbersWith(commas, counts)
  const most = Math.max(numbers, date)
  const all = allOf(counts)
  const texts = all - numbers - date
  const example = first.text ?? first.unclear_comma ?? first.decimal_comma
  if (texts > most * fewTexts && example !== undefined && isDecorated(example)) {
    const facts = `its numbers have more than digits: ${JSON.stringify(example)}, for example`
    return [`Column "${name}" is text, because ${facts}. Without that they can be computed with.`]
  }
  if (texts === 0 || texts > most * fewTexts) return []
  const what = most === numbers ? 'cannot be stored as a number' : 'is no date'
  const are = texts === 1 ? what : what.replace('is no date', 'are no dates')
  const shown = example === undefined ? '' : `: ${JSON.stringify(example)}, for example`
  return [
    `Column "${name}" is text, because ${counted(texts, 'value')} of ${all.toLocaleString('en')} ${are}${shown}.`,
  ]
}

function commasNote(name: string, commas: Commas, { first }: Counts): string {
  const [what, number = ''] =
    commas === 'decimal'
      ? ['decimal commas', first.decimal_comma]
      : ['commas between thousands', first.thousands_real ?? first.thousands]
  return `Column "${name}" has ${what}: ${number.trim()} is read as ${plainNumber(number.trim(), commas)}.`
}
