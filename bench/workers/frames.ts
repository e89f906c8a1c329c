/** Measures the frames of the page until it is ended. */
export interface FrameWatch {
  /** How many came so far. */
  readonly count: () => number
  /** The longest time between two, ms. */
  readonly longest: () => number
  readonly end: () => void
}

export function watchFrames(): FrameWatch {
  let count = 0
  let longest = 0
  let last = performance.now()
  let next = requestAnimationFrame(tick)

  function tick(): void {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    count += 1
    next = requestAnimationFrame(tick)
  }

  return { count: () => count, longest: () => longest, end: () => cancelAnimationFrame(next) }
}

/** A card for each call, which shows the call's last update. */
export function createCards(count: number): readonly HTMLElement[] {
  return Array.from({ length: count }, () => document.body.appendChild(document.createElement('p')))
}
