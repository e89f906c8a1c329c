import { textOf } from './batch.ts'
import { createDistinctCounter, hashOf } from './distinct-counter.ts'
import type { ColumnType } from './field-kind.ts'

/** What the model and people get to know about a column. */
export interface ColumnProfile {
  readonly name: string
  readonly type: ColumnType
  /** Rows without a value. */
  readonly empty: number
  /** Different values: exact up to 10,000, then 10,000. */
  readonly distinct: number
  /** All values of a text column that has few. */
  readonly values?: string[]
  readonly examples: (string | number)[]
  readonly min?: number
  readonly max?: number
}

export interface ColumnStats {
  readonly addEmpty: () => void
  readonly addNumber: (value: number) => void
  readonly addText: (bytes: Uint8Array, from: number, to: number) => void
  readonly profile: (name: string, type: ColumnType) => ColumnProfile
}

const distinctLimit = 10_000
const mostValues = 30
const mostExamples = 3
const longestExample = 60

export function createColumnStats(): ColumnStats {
  const distinct = createDistinctCounter(distinctLimit)
  const numbers: number[] = []
  const texts: string[] = []
  let empty = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  return {
    addEmpty: () => {
      empty++
    },
    addNumber: (value) => {
      if (value < min) min = value
      if (value > max) max = value
      if (distinct.add(value) && numbers.length < mostExamples) numbers.push(value)
    },
    addText: (bytes, from, to) => {
      if (distinct.add(hashOf(bytes, from, to)) && texts.length <= mostValues) {
        texts.push(textOf(bytes, from, to))
      }
    },
    profile: (name, type) => ({
      name,
      type,
      empty,
      distinct: distinct.count(),
      ...(type === 'text' && isShortList(texts) && { values: [...texts].sort() }),
      examples: type === 'text' ? texts.slice(0, mostExamples).map(shorten) : numbers,
      ...(type !== 'text' && { min, max }),
    }),
  }
}

/** Few values, and short ones: they are sent to the model. */
function isShortList(values: readonly string[]): boolean {
  return values.length <= mostValues && values.every((value) => value.length <= longestExample)
}

function shorten(text: string): string {
  return text.length > longestExample ? `${text.slice(0, longestExample)}…` : text
}
