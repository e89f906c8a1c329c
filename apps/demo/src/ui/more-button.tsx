import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { Button } from './button.tsx'
import { useFocusAfter } from './use-focus-after.ts'

interface MoreButtonProps extends ComponentPropsWithoutRef<'button'> {
  /** Puts the focus elsewhere when the button goes. Default: to what stands before it. */
  readonly onGone?: () => void
}

/** A button that shows more of what stands beside it, until all of it is shown: then it goes, and its focus must not. */
export function MoreButton({ onGone = focusBefore, ...props }: MoreButtonProps): ReactNode {
  const button = useFocusAfter<HTMLButtonElement>(onGone)
  return <Button ref={button} {...props} />
}

/** The next Tab leads to what is new. */
function focusBefore(): void {
  const gone = document.activeElement
  const all = [...document.querySelectorAll<HTMLElement>(focusable)]
  all.findLast((each) => {
    if (!gone || !isBefore(each, gone)) return false
    // What is hidden or disabled does not take it.
    each.focus({ preventScroll: true })
    return document.activeElement === each
  })
}

const focusable = 'a[href], button, input, select, textarea, [tabindex="0"]'

function isBefore(one: Element, other: Element): boolean {
  return (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}
