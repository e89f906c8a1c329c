/** What an agent does when its page goes away or comes back. */
export interface PageLife {
  /** The page goes away, and cannot wait for anything. */
  readonly onHide?: () => void
  /** The page was kept, and comes back: what it held may have been taken from it. */
  readonly onReturn: () => void
}

/** Returns a function that ends the watch. Does nothing where there is no page. */
export function watchPageLife({ onHide = () => {}, onReturn }: PageLife): () => void {
  if (typeof addEventListener === 'undefined') return () => {}
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) onReturn()
  }
  addEventListener('pagehide', onHide)
  addEventListener('pageshow', onShow)
  return () => {
    removeEventListener('pagehide', onHide)
    removeEventListener('pageshow', onShow)
  }
}
