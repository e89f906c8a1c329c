import type { ReactNode } from 'react'
import { createElement, Fragment } from 'react'

/** Elements for things that have no identity but their place: the cells of a row, the lines of a log. */
export function inPlace<Item>(
  items: readonly Item[],
  toElement: (item: Item, index: number) => ReactNode,
): ReactNode {
  return createElement(Fragment, null, ...items.map(toElement))
}
