import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useState,
} from 'react'
import { jsx } from '../jsx/jsx-runtime.ts'
import { storedText, storeText } from '../stored-text.ts'

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
  const [width, setWidth] = useState(() => Number(storedText(storageKey)) || usual)
  const change = (next: number): void => {
    const allowed = Math.round(Math.min(Math.max(least, next), most, innerWidth * 0.6))
    setWidth(allowed)
    storeText(storageKey, String(allowed))
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
