import type { ComponentProps, ReactNode } from 'react'
import { createElement } from 'react'

interface ScrollBoxProps extends ComponentProps<'section'> {
  readonly as?: 'section' | 'pre'
}

/** What scrolls by itself. It takes the focus, because that is how a keyboard scrolls it. */
export function ScrollBox({ as = 'section', ...props }: ScrollBoxProps): ReactNode {
  return createElement(as, { tabIndex: 0, ...props })
}
