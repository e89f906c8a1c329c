import type { ReactNode } from 'react'
import { ScrollBox } from './scroll-box.tsx'

interface TableScrollProps {
  readonly label: string
  /** Not higher than a part of the page. */
  readonly tall?: boolean
  readonly children: ReactNode
}

/** A table that scrolls by itself, so that the page never has to scroll sideways. */
export function TableScroll({ label, tall = false, children }: TableScrollProps): ReactNode {
  return (
    <ScrollBox className="table-scroll" data-tall={tall} aria-label={label}>
      <table>{children}</table>
    </ScrollBox>
  )
}
