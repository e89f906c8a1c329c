import type { ReactNode } from 'react'
import { createElement, Fragment } from 'react'

/** Elements for items that are identified by their position, such as the cells of a row. They need no keys. */
export function inPlace<Item>(
  items: readonly Item[],
  toElement: (item: Item, index: number) => ReactNode,
): ReactNode {
  return createElement(Fragment, null, ...items.map(toElement))
}
