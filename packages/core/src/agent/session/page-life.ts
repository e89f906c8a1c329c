/** What an agent does when its page goes away or comes back. */
export interface PageLife {
  /**
   * The page goes away, and cannot wait for anything. `isKept`: the browser may keep it, with all that it holds, for when its
   * user goes back.
   */
  readonly onHide: (isKept: boolean) => void
  /** The page was kept, and comes back: what it held may have been taken from it. */
  readonly onReturn: () => void
}

/** Returns a function that ends the watch. Does nothing where there is no page. */
export function watchPageLife({ onHide, onReturn }: PageLife): () => void {
  if (typeof addEventListener === 'undefined') return () => {}
  const onGone = ({ persisted }: PageTransitionEvent) => onHide(persisted)
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) onReturn()
  }
  addEventListener('pagehide', onGone)
  addEventListener('pageshow', onShow)
  return () => {
    removeEventListener('pagehide', onGone)
    removeEventListener('pageshow', onShow)
  }
}
