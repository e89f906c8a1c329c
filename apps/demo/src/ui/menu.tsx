import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Icon } from './icon.tsx'

interface MenuProps {
  /** The name of the button. */
  readonly label: string
  /** Buttons. */
  readonly children: ReactNode
}

/** A button that opens a list of further buttons. The browser keeps the list above everything, and closes it. */
export function Menu({ label, children }: MenuProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLFieldSetElement>(null)
  // Each card has a menu, so the items are only made when it opens.
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!button.current || !list.current) return
    return connect(button.current, list.current, setOpen)
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLFieldSetElement>): void => {
    if (event.key === 'Escape') {
      // Escape closes the list and must not stop the run.
      event.preventDefault()
      event.currentTarget.hidePopover()
      button.current?.focus()
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const items = [...event.currentTarget.querySelectorAll('button')]
    const at = items.findIndex((item) => item.matches(':focus'))
    items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus()
  }
  return (
    <>
      <button ref={button} type="button" className="menu-button" aria-label={label} title="More">
        <Icon name="dots" />
      </button>
      <fieldset ref={list} className="menu" popover="auto" aria-label={label} onKeyDown={onKeyDown}>
        {isOpen && children}
      </fieldset>
    </>
  )
}

/** Without the attributes and handlers of React, as React 18 has none for a popover. */
function connect(
  button: HTMLButtonElement,
  list: HTMLElement,
  setOpen: (isOpen: boolean) => void,
): () => void {
  const listening = new AbortController()
  const { signal } = listening
  button.popoverTargetElement = list
  const onBeforeToggle = ({ newState }: ToggleEvent): void => {
    // The items are there when the list is shown, and have a size.
    if (newState === 'open') flushSync(() => setOpen(true))
  }
  const onToggle = ({ newState }: ToggleEvent): void => {
    if (newState !== 'open') {
      // Not before: the browser moves the focus from an item to the button.
      setOpen(false)
      return
    }
    place(list, button.getBoundingClientRect())
    list.querySelector('button')?.focus()
  }
  list.addEventListener('beforetoggle', onBeforeToggle, { signal })
  list.addEventListener('toggle', onToggle, { signal })
  return () => listening.abort()
}

/** Closes the menu of an item after its action, and puts the focus on the button of the menu. */
export function closeMenu(item: Element): void {
  item.closest<HTMLElement>('.menu')?.hidePopover()
}

const gapPx = 4

/** Below the button with its right edge, or above it where there is no room. */
function place(list: HTMLElement, { top, bottom, right }: DOMRect): void {
  const isBelow = bottom + gapPx + list.offsetHeight <= innerHeight
  list.style.top = `${isBelow ? bottom + gapPx : Math.max(0, top - gapPx - list.offsetHeight)}px`
  list.style.left = `${Math.max(gapPx, right - list.offsetWidth)}px`
}
