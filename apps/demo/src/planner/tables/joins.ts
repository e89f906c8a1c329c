import { wordsOf } from '../question/words.ts'
import type { ColumnInfo, TableInfo } from './table-info.ts'
import { isCode, isCodeList } from './table-info.ts'

export interface Join {
  readonly left: ColumnInfo
  readonly right: ColumnInfo
  /** `left` holds several codes with commas between them. */
  readonly list: boolean
  /** Which side holds the list, when there is one. */
  readonly listSide: 'left' | 'right'
}

/** How two tables belong together: a shared key, `x_id` and the table x, or a list of codes and their explanation. */
export function findJoin(left: TableInfo, right: TableInfo): Join | undefined {
  if (left === right) return undefined
  return codeJoin(left, right) ?? keyJoin(left, right)
}

export function joinableTo(table: TableInfo, tables: readonly TableInfo[]): readonly TableInfo[] {
  return tables.filter(
    (other) => other.table !== table.table && findJoin(table, other) !== undefined,
  )
}

function codeJoin(left: TableInfo, right: TableInfo): Join | undefined {
  const leftList = left.columns.find(isCodeList)
  const rightCode = right.columns.find((column) => isCode(right, column))
  if (leftList !== undefined && rightCode !== undefined)
    return { left: leftList, right: rightCode, list: true, listSide: 'left' }
  const rightList = right.columns.find(isCodeList)
  const leftCode = left.columns.find((column) => isCode(left, column))
  if (rightList !== undefined && leftCode !== undefined)
    return { left: leftCode, right: rightList, list: true, listSide: 'right' }
  return undefined
}

function keyJoin(left: TableInfo, right: TableInfo): Join | undefined {
  for (const column of left.columns) {
    const other = right.columns.find(
      (candidate) => candidate.name.toLowerCase() === column.name.toLowerCase(),
    )
    const key = /(?:^|[_\s-])(?:id|code|key|no|nr)$|[a-z](?:Id|ID|Code|Key)$/.test(column.name)
    // Sharing a bare `id` means nothing: each table counts its own rows with it.
    if (other !== undefined && key && isKeyOf(other, right) !== isKeyOf(column, left))
      return { left: column, right: other, list: false, listSide: 'left' }
    const named = right.columns.find((candidate) => pointsTo(column, right, candidate))
    if (named !== undefined) return { left: column, right: named, list: false, listSide: 'left' }
  }
  for (const column of right.columns) {
    const named = left.columns.find((candidate) => pointsTo(column, left, candidate))
    if (named !== undefined) return { left: named, right: column, list: false, listSide: 'left' }
  }
  return undefined
}

/** `customer_id` points to the column `id` of `customers`. */
function pointsTo(column: ColumnInfo, table: TableInfo, target: ColumnInfo): boolean {
  const words = wordsOf(column.name)
  const last = words.at(-1) ?? ''
  if (!/^(?:id|code|key|no|nr)$/.test(last) || wordsOf(target.name).join(' ') !== last) return false
  const owner = words.slice(0, -1)
  return owner.length > 0 && owner.every((word) => wordsOf(table.table).includes(word))
}

function isKeyOf(column: ColumnInfo, table: TableInfo): boolean {
  return column.distinct >= table.rows
}
