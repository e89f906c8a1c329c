import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { focusComposer } from '../chat/focus-composer.ts'

/** Whether the run panel is open, and what opens it. */
export interface Panel {
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly close: () => void
  /** The element that holds the panel. */
  readonly frame: RefObject<HTMLElement | null>
}

/** The run panel opens and closes with Ctrl or Cmd + J, too. The key leads into the panel, and back to where one was. */
export function usePanel(): Panel {
  const [isOpen, setOpen] = useState(false)
  const frame = useRef<HTMLElement>(null)
  const before = useRef<HTMLElement>(null)
  const close = useCallback((): void => {
    if (frame.current?.contains(document.activeElement)) focusOr(before.current)
    setOpen(false)
  }, [])
  const toggle = useCallback((): void => {
    const { activeElement } = document
    if (!isOpen) before.current = activeElement instanceof HTMLElement ? activeElement : null
    if (isOpen) close()
    else setOpen(true)
  }, [isOpen, close])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isShortcut = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'j'
      if (!isShortcut || event.shiftKey || event.altKey || event.defaultPrevented) return
      event.preventDefault()
      toggle()
      if (!isOpen) requestAnimationFrame(() => focusIn(frame.current))
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isOpen, toggle])
  return { isOpen, toggle, close, frame }
}

/** Gives the focus back, or where that is gone, for instance after a replay, to the composer. */
function focusOr(element: HTMLElement | null): void {
  if (element?.isConnected) element.focus()
  else focusComposer()
}

function focusIn(frame: HTMLElement | null): void {
  frame?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus()
}
