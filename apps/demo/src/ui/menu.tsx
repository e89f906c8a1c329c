import {
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface MenuProps {
  /** The name of the button. */
  readonly label: string
  /** Buttons. */
  readonly children: ReactNode
}

/** A button that opens a list of further buttons. The browser keeps the list above everything, and closes it. */
export function Menu({ label, children }: MenuProps): ReactNode {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  // Each card has a menu, so the items are only made when it opens.
  const [isOpen, setOpen] = useState(false)
  const onKeyDown = (event: KeyboardEvent<HTMLFieldSetElement>): void => {
    const list = event.currentTarget
    if (event.key === 'Escape') {
      // Escape closes the list and must not stop the run.
      event.preventDefault()
      list.hidePopover()
      button.current?.focus()
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const items = [...list.querySelectorAll('button')]
    const at = items.findIndex((item) => item.matches(':focus'))
    items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus()
  }
  const onToggle = ({ newState, currentTarget }: ToggleEvent<HTMLFieldSetElement>): void => {
    if (newState !== 'open' || !button.current) return
    place(currentTarget, button.current.getBoundingClientRect())
    currentTarget.querySelector('button')?.focus()
  }
  return (
    <>
      <Button
        ref={button}
        className="menu-button"
        aria-label={label}
        title="More"
        popoverTarget={id}
      >
        <Icon name="dots" />
      </Button>
      <fieldset
        id={id}
        className="menu"
        popover="auto"
        aria-label={label}
        onKeyDown={onKeyDown}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
        onToggle={onToggle}
      >
        {isOpen && children}
      </fieldset>
    </>
  )
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
