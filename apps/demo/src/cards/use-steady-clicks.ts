import { useEffect } from 'react'

/** As long as browsers ignore clicks on a question that has just appeared: people do not aim in less. */
const settleMs = 500

let cards = 0
let stop = (): void => {}

/**
 * A click that was aimed at one button of a card never reaches another one that came under the pointer meanwhile: because
 * a call came or ended, the page scrolled to its end, or a question appeared. A button that comes under a mouse that does
 * not move takes no click of it for a moment. The keyboard and touches are not held up.
 */
export function useSteadyClicks(): void {
  useEffect(() => {
    if (cards === 0) stop = watchPointer()
    cards += 1
    return () => {
      cards -= 1
      if (cards === 0) stop()
    }
  }, [])
}

/** What the mouse is over, and since when, if it came there without a movement of the mouse. */
interface Under {
  readonly button: Element | null
  readonly cameAt?: number
}

function watchPointer(): () => void {
  const end = new AbortController()
  const options = { capture: true, passive: true, signal: end.signal } as const
  let at = { x: Number.NaN, y: Number.NaN }
  let under: Under = { button: null }
  const look = ({ clientX: x, clientY: y, target, timeStamp }: PointerEvent): void => {
    const button = target instanceof Element ? target.closest('button') : null
    const hasMoved = x !== at.x || y !== at.y
    at = { x, y }
    if (hasMoved) under = { button }
    else if (button !== under.button) under = { button, cameAt: timeStamp }
  }
  document.addEventListener('pointermove', look, options)
  // A browser says this as well when the page moves under the mouse, at the latest before the button of it is pressed.
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
  return () => end.abort()
}
