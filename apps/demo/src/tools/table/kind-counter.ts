import { counted } from '../wording.ts'
import type { Batch } from './batch.ts'
import { textOf } from './batch.ts'
import type { ColumnType } from './field-kind.ts'
import { fieldKind, kindOf } from './field-kind.ts'

export interface TypedColumn {
  readonly name: string
  readonly type: ColumnType
}

/** Finds the types of columns by everything that is in them. */
export interface KindCounter {
  readonly add: (batch: Batch) => void
  readonly columns: () => readonly TypedColumn[]
  /** Tells of columns that are text only because of a few fields. */
  readonly notes: () => readonly string[]
}

interface Kinds {
  /** Fields of each kind, by the number of the kind. */
  readonly counts: Float64Array
  firstText: string | undefined
}

export function createKindCounter(): KindCounter {
  const kinds: Kinds[] = []
  let names: readonly string[] = []
  const columns = () => names.map((name, column) => ({ name, type: widest(kinds[column]?.counts) }))
  return {
    add: (batch) => {
      names = batch.columns
      while (kinds.length < names.length) {
        kinds.push({ counts: new Float64Array(4), firstText: undefined })
      }
      for (const [column, kind] of kinds.entries()) countColumn(kind, batch, column)
    },
    columns,
    notes: () => names.flatMap((name, column) => noteOn(name, kinds[column])),
  }
}

function countColumn(kinds: Kinds, batch: Batch, column: number): void {
  const { bytes, starts, ends, textual, rows } = batch
  const width = batch.columns.length
  for (let field = column; field < rows * width; field += width) {
    const from = starts[field] ?? 0
    const to = ends[field] ?? 0
    const kind = textual?.[field] === 1 && to > from ? fieldKind.text : kindOf(bytes, from, to)
    kinds.counts[kind] = (kinds.counts[kind] ?? 0) + 1
    if (kind === fieldKind.text) kinds.firstText ??= textOf(bytes, from, Math.min(to, from + 40))
  }
}

function widest(counts: Float64Array | undefined): ColumnType {
  if (counts?.[fieldKind.text]) return 'text'
  if (counts?.[fieldKind.real]) return 'real'
  // A column without any value may hold anything.
  return counts?.[fieldKind.integer] ? 'integer' : 'text'
}

const fewTexts = 0.05

function noteOn(name: string, kinds: Kinds | undefined): readonly string[] {
  const texts = kinds?.counts[fieldKind.text] ?? 0
  const numbers = (kinds?.counts[fieldKind.integer] ?? 0) + (kinds?.counts[fieldKind.real] ?? 0)
  if (texts === 0 || texts > numbers * fewTexts) return []
  return [
    `Column "${name}" is text, because ${counted(texts, 'value')} of ${(texts + numbers).toLocaleString('en')} cannot be stored as a number: ${JSON.stringify(kinds?.firstText)}, for example.`,
  ]
}
