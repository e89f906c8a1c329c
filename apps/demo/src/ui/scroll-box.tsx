import type { ComponentProps, ReactNode } from 'react'
import { jsx } from '../jsx/jsx-runtime.ts'

interface ScrollBoxProps extends ComponentProps<'section'> {
  readonly as?: 'section' | 'pre'
}

/** A box that scrolls by itself. It can take the focus, so that the keyboard can scroll it. */
export function ScrollBox({ as = 'section', ...props }: ScrollBoxProps): ReactNode {
  return jsx(as, { tabIndex: 0, ...props })
}

interface TableScrollProps {
  readonly label: string
  /** Limits its height to a part of the page. */
  readonly tall?: boolean
  readonly children: ReactNode
}

/** A table that scrolls by itself, so that the page does not scroll sideways. */
export function TableScroll({ label, tall = false, children }: TableScrollProps): ReactNode {
  return (
    <ScrollBox className="table-scroll" data-tall={tall} aria-label={label}>
      <table>{children}</table>
    </ScrollBox>
  )
}
