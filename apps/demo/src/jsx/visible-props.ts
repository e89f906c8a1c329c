import { visibleText } from '@offthread/react'

const shown = ['children', 'title', 'alt', 'aria-label', 'aria-valuetext', 'placeholder']
const mostChars = 20_000

/**
 * The properties of an element, with its texts made visible. What can be longer than a page can lay out at once is shown
 * by `LongText`; anything else is cut.
 */
export function visibleProps(type: unknown, props: object): object {
  const isComponent = typeof type !== 'string' && typeof type !== 'symbol'
  return isComponent ? props : Object.fromEntries(Object.entries(props).map(visibleEntry))
}

function visibleEntry([name, value]: [string, unknown]): [string, unknown] {
  return [name, shown.includes(name) ? visibleContent(value) : value]
}

function visibleContent(content: unknown): unknown {
  if (typeof content === 'string') return shortened(content)
  return Array.isArray(content) ? content.map(visibleContent) : content
}

function shortened(text: string): string {
  const start = visibleText(text.slice(0, mostChars))
  // Marks take more room than what they stand for.
  const left = Math.max(text.length, start.length) - mostChars
  return left > 0
    ? `${start.slice(0, mostChars)}… ${left.toLocaleString('en')} more characters`
    : start
}
