import type { HTMLAttributes } from 'react'

// Only the rows in view are mounted. None of them takes the focus, which would be lost when it is unmounted: the
// element around them has it, and `aria-activedescendant` names the chosen row.

export function gridRole(
  label: string,
  count: number,
  attributes: HTMLAttributes<HTMLElement>,
): HTMLAttributes<HTMLElement> {
  return { role: 'grid', tabIndex: 0, 'aria-label': label, 'aria-rowcount': count, ...attributes }
}

export function rowRole(index: number): HTMLAttributes<HTMLElement> {
  return { role: 'row', 'aria-rowindex': index + 1 }
}

export function cellRole(label: string, isSelected: boolean): HTMLAttributes<HTMLElement> {
  return { role: 'gridcell', 'aria-label': label, 'aria-selected': isSelected }
}

/** Attributes of an element that scrolls: it takes the focus, so that the keyboard can scroll it. */
export function scrollRegion(label: string): HTMLAttributes<HTMLElement> {
  return { role: 'region', tabIndex: 0, 'aria-label': label }
}

interface OptionPlace {
  readonly isSelected: boolean
  readonly index: number
  readonly count: number
}

export function optionRole({ isSelected, index, count }: OptionPlace): HTMLAttributes<HTMLElement> {
  return {
    role: 'option',
    ...{ 'aria-selected': isSelected, 'aria-posinset': index + 1, 'aria-setsize': count },
  }
}
