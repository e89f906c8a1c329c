import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useState,
} from 'react'
import { jsx } from '../jsx/jsx-runtime.ts'

const least = 320
const most = 900
const usual = 448
const stepPx = 32
const storageKey = 'offthread-panel-width'

/** The edge of the panel: drag it, or move it with ← and →, to make the panel wider. The width is kept. */
export function PanelResizer({
  frame,
}: {
  readonly frame: RefObject<HTMLElement | null>
}): ReactNode {
  const [width, setWidth] = useState(storedWidth)
  const change = (next: number): void => {
    const allowed = Math.round(Math.min(Math.max(least, next), most, innerWidth * 0.6))
    setWidth(allowed)
    storeWidth(allowed)
  }
  useEffect(() => {
    frame.current?.style.setProperty('--panel-width', `${width}px`)
  }, [frame, width])
  const isMirrored = (): boolean => document.dir === 'rtl'
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent<Element>): void => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    change(isMirrored() ? clientX : innerWidth - clientX)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: stepPx, ArrowRight: -stepPx }[event.key]
    if (by === undefined) return
    event.preventDefault()
    change(width + (isMirrored() ? -by : by))
  }
  return jsx('div', {
    className: 'panel-resizer',
    role: 'separator',
    tabIndex: 0,
    'aria-label': 'Width of the run panel',
    'aria-orientation': 'vertical',
    'aria-valuemin': least,
    'aria-valuemax': most,
    'aria-valuenow': width,
    onPointerDown: ({ currentTarget, pointerId }: PointerEvent<Element>) =>
      currentTarget.setPointerCapture(pointerId),
    onPointerMove,
    onKeyDown,
  })
}

function storedWidth(): number {
  try {
    return Number(localStorage.getItem(storageKey)) || usual
  } catch {
    return usual
  }
}

function storeWidth(width: number): void {
  try {
    localStorage.setItem(storageKey, String(width))
  } catch {
    // Where the page may not store anything, the panel has the usual width next time.
  }
}
