import type { ReactNode } from 'react'

interface TableScrollProps {
  readonly label: string
  /** Not higher than a part of the page. */
  readonly tall?: boolean
  readonly children: ReactNode
}

/** A table that scrolls by itself, so that the page never has to scroll sideways. */
export function TableScroll({ label, tall = false, children }: TableScrollProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table-scroll" data-tall={tall} aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </section>
  )
}
