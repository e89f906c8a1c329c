import type { ReactNode } from 'react'
import { Fragment, jsxs } from '../jsx/jsx-runtime.ts'

/** Elements for items that are identified by their position, such as the cells of a row. They need no keys. */
export function inPlace<Item>(
  items: readonly Item[],
  toElement: (item: Item, index: number) => ReactNode,
): ReactNode {
  return jsxs(Fragment, { children: items.map(toElement) })
}
