import { type RefObject, useEffect, useRef, useState } from 'react'
import { focusComposer } from '../chat/focus-composer.ts'
import type { Session } from '../session.ts'

export const panelId = 'run-panel'

/** Whether the run panel is open, and what opens it. */
export interface Panel {
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly close: () => void
  /** Opens it, if it is not, and puts the focus on a part of it, else on its tab. */
  readonly enter: (part: string) => void
  /** The element that holds the panel. */
  readonly frame: RefObject<HTMLElement | null>
}

const tab = '[role="tab"][aria-selected="true"]'

/** The run panel. It opens for a call that is to be shown. When it closes, the focus goes back to where it was. */
export function usePanel({ shownCall }: Pick<Session, 'shownCall'>): Panel {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLElement>(null)
  const before = useRef<HTMLElement>(null)
  const close = (): void => {
    if (frame.current?.contains(document.activeElement)) focusOr(before.current)
    setOpen(false)
  }
  const open = (): void => {
    const { activeElement } = document
    before.current = activeElement instanceof HTMLElement ? activeElement : null
    setOpen(true)
  }
  const enter = (part: string): void => {
    if (!isOpen) open()
    requestAnimationFrame(() => {
      const { current } = frame
      const found = current?.querySelector<HTMLElement>(part)
      const target = found ?? current?.querySelector<HTMLElement>(tab)
      target?.focus()
    })
  }
  // After each render, because what it calls is made by each.
  useEffect(() =>
    shownCall.subscribe(({ target }, before) => {
      if (target && target !== before.target) enter('[role="grid"]')
    }),
  )
  return { isOpen, toggle: isOpen ? close : open, close, enter, frame }
}

/** Gives the focus back to an element, or to the composer if the element is gone, for instance after a replay. */
function focusOr(element: HTMLElement | null): void {
  if (element?.isConnected) element.focus()
  else focusComposer()
}
