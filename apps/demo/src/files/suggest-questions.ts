import { createReader } from '../planner/question.ts'
import type { Column } from '../planner/reading.ts'
import { isNumber, plainNumber } from '../tools/table/cell-type.ts'
import { createRowReader } from '../tools/table/create-row-reader.ts'
import { toTableName } from '../tools/table/names.ts'
import { readHead } from '../tools/table/read-text.ts'
import { sniff } from '../tools/table/sniff.ts'
import { createTypeCounter, type TypedColumn } from '../tools/table/type-counter.ts'
import { isDocumentName, isImageName, isPdfName, questionsAboutImage } from './file-kinds.ts'

/** Few, because they are read on the page's own thread. */
const headBytes = 65_536

/** Questions that can be asked about a file, from its first 64 KB. Rejects if it cannot be read. */
export async function suggestQuestions(name: string, file: Blob): Promise<readonly string[]> {
  if (isImageName(name)) return questionsAboutImage(name)
  if (isDocumentName(name) || isPdfName(name)) return []
  const head = await readHead(file, headBytes)
  const format = sniff(head, { name, ragged: 'skip' })
  const reader = createRowReader(format)
  const rows = reader.push(head.text.slice(format.start), head.whole)
  const types = createTypeCounter(reader)
  types.add(rows)
  const columns = types.columns().map((column, at) =>
    profile(
      column,
      rows.map((row) => row[at] ?? null),
    ),
  )
  const table = { table: toTableName(name), file: name, rows: rows.length, bytes: file.size }
  return createReader([{ ...table, columns, notes: [] }])
    .chips()
    .slice(0, 4)
}

const mostValues = 30

/** The facts about a column that questions are made of. */
function profile(
  { name, type, commas }: TypedColumn,
  cells: readonly (string | number | null)[],
): Column {
  const given = cells.filter((cell) => cell !== null)
  const different = [...new Set(given)]
  const isList = type === 'text' && different.length <= mostValues
  return {
    name,
    type,
    empty: cells.length - given.length,
    distinct: different.length,
    ...(isList && { values: different.map(String) }),
    examples: different.slice(0, 3),
    ...(isNumber(type) &&
      rangeOf(different.map((one) => Number(commas ? plainNumber(String(one), commas) : one)))),
  }
}

function rangeOf(numbers: readonly number[]) {
  const low = (least: number, one: number) => Math.min(least, one)
  const high = (most: number, one: number) => Math.max(most, one)
  return {
    min: numbers.reduce(low, Number.POSITIVE_INFINITY),
    max: numbers.reduce(high, Number.NEGATIVE_INFINITY),
  }
}
