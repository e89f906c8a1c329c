import type { ColumnRef, TableInfo } from './table-info.ts'

export type DatePart = 'year' | 'quarter' | 'month' | 'day' | 'weekday' | 'hour'

export interface GroupKey extends ColumnRef {
  readonly part?: DatePart
}

/** A stretch of time as texts that sort: from ≤ date < to. */
export interface Period {
  readonly from: string
  readonly to: string
}

export type Comparison = '>' | '>=' | '<' | '<=' | '='

export type Test =
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly value: number }
  | { readonly kind: 'between'; readonly low: number; readonly high: number }
  | {
      readonly kind: 'period'
      readonly period: Period
      /** Further stretches that will do as well. */
      readonly or?: readonly Period[]
      readonly side: 'in' | 'before' | 'after' | 'since' | 'until'
    }
  | { readonly kind: 'month'; readonly months: readonly number[] }
  | { readonly kind: 'weekday'; readonly days: readonly number[] }
  | { readonly kind: 'one-of'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'text'; readonly place: 'contains' | 'starts' | 'ends'; readonly text: string }
  | { readonly kind: 'empty' }

export interface Filter {
  /** More than one: true when any of them passes. */
  readonly columns: readonly ColumnRef[]
  readonly test: Test
  readonly negated: boolean
  /** Where in the question it stood: a share tells its whole from its part by that. */
  readonly at: number
}

export type MeasureName = 'count' | 'distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median'

export interface Measure {
  readonly name: MeasureName
  readonly column?: ColumnRef
  /** The sum of `column` times this one: a price and a quantity make a revenue. */
  readonly times?: ColumnRef
  /** Asked for with "how many". */
  readonly counted?: boolean
}

export type Direction = 'asc' | 'desc'

export interface Having {
  readonly measure: Measure
  readonly comparison: Comparison
  readonly value: number
}

interface Common {
  readonly table: TableInfo
  readonly filters: readonly Filter[]
  readonly groupBy: readonly GroupKey[]
  /** Words that look like a value but are in no known list of values; the data must be asked. */
  readonly literals: readonly Literal[]
}

export interface Literal {
  readonly text: string
  readonly negated: boolean
  /** A word in lower case may as well be ordinary prose. */
  readonly certain: boolean
}

export interface AggregateRequest extends Common {
  readonly kind: 'aggregate'
  readonly measures: readonly Measure[]
  readonly order?: {
    readonly direction: Direction
    readonly limit: number
    readonly single: boolean
  }
  readonly having?: Having
  /** Ask how many groups there are instead of listing them. */
  readonly countGroups: boolean
}

export interface RowsRequest extends Common {
  readonly kind: 'rows'
  readonly columns: readonly ColumnRef[]
  readonly order?: { readonly column: ColumnRef; readonly direction: Direction }
  readonly limit: number
}

export interface ShareRequest extends Common {
  readonly kind: 'share'
  /** What the share is of; `filters` is the part. */
  readonly base: readonly Filter[]
  readonly measure: Measure
}

interface DescribeRequest extends Common {
  readonly kind: 'describe'
  readonly tables: readonly TableInfo[]
}

export type TableRequest = AggregateRequest | RowsRequest | ShareRequest | DescribeRequest
