import type { ReactNode, RefObject } from 'react'
import { Icon } from '../ui/icon.tsx'

interface RetryButtonProps {
  readonly call: { readonly label: string; readonly retry: () => Promise<unknown> }
  /** Gets the focus: the button disappears. */
  readonly next: RefObject<HTMLButtonElement | null>
}

/** A button that runs a call once more, if it did not succeed. */
export function RetryButton({ call, next }: RetryButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="card-cancel card-retry"
      aria-label={`Retry ${call.label}`}
      aria-keyshortcuts="r"
      onClick={() => {
        next.current?.focus()
        // The retry is refused only if another tab has retried the call before, which the card shows.
        call.retry().catch(() => {})
      }}
    >
      <Icon name="again" />
      <span>Retry</span>
    </button>
  )
}
