import { useEffect } from 'react'

/** As long as browsers ignore clicks on a question that has just appeared: people do not aim in less. */
const settleMs = 500

let cards = 0
let watch: PointerWatch | undefined

/**
 * A click that was aimed at one button of a card never reaches another one that came under the pointer meanwhile: because
 * a call came or ended, the page scrolled to its end, or a question appeared. A button that comes under a mouse that does
 * not move takes no click of it for a moment. The keyboard and touches are not held up.
 */
export function useSteadyClicks(): void {
  useEffect(() => {
    cards += 1
    watch ??= watchPointer()
    return () => {
      cards -= 1
      if (cards > 0) return
      watch?.stop()
      watch = undefined
    }
  }, [])
  // WebKit sends no event when a page changes under the mouse, and a page changes so where a card does.
  useEffect(() => watch?.lookAgain())
}

interface PointerWatch {
  /** Looks in the next frame what is under the mouse. */
  readonly lookAgain: () => void
  readonly stop: () => void
}

/** What the mouse is over, and since when, if another button than the one it was moved to came there. */
interface Under {
  readonly button: Element | null
  /** Where the last movement of the mouse ended. */
  readonly aimedAt: Element | null
  readonly cameAt?: number
}

function watchPointer(): PointerWatch {
  const end = new AbortController()
  const options = { capture: true, passive: true, signal: end.signal } as const
  let at: { readonly x: number; readonly y: number } | undefined
  let under: Under = { button: null, aimedAt: null }
  let frame = 0
  const note = (target: unknown, cameAt: number | undefined): void => {
    const button = target instanceof Element ? target.closest('button') : null
    const { aimedAt } = under
    if (cameAt === undefined) under = { button, aimedAt: button }
    // A button that only moved away and back is still the one that was aimed at.
    else if (button === aimedAt) under = { button, aimedAt }
    else if (button !== under.button) under = { button, aimedAt, cameAt }
  }
  const look = ({ clientX: x, clientY: y, target, timeStamp }: PointerEvent): void => {
    const hasMoved = x !== at?.x || y !== at.y
    at = { x, y }
    note(target, hasMoved ? undefined : timeStamp)
  }
  document.addEventListener('pointermove', look, options)
  // Most browsers say this as well when the page moves under the mouse.
  document.addEventListener('pointerover', look, options)
  document.addEventListener(
    'click',
    (event) => {
      const { button, cameAt } = under
      const isOfMouse = event instanceof PointerEvent && event.pointerType === 'mouse'
      if (!isOfMouse || cameAt === undefined || event.timeStamp - cameAt > settleMs) return
      if (!button?.matches('.card button, .group-header button')) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true, signal: end.signal },
  )
  return {
    lookAgain: () => {
      // jsdom has no layout, and so nothing under a mouse.
      if (!at || !('elementFromPoint' in document)) return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        if (at) note(document.elementFromPoint(at.x, at.y), performance.now())
      })
    },
    stop: () => {
      cancelAnimationFrame(frame)
      end.abort()
    },
  }
}
