import type { ReactNode, RefObject } from 'react'
import { Icon } from '../ui/icon.tsx'

interface RetryButtonProps {
  readonly call: { readonly label: string; readonly retry: () => Promise<unknown> }
  /** Gets the focus: the button disappears. */
  readonly next: RefObject<HTMLButtonElement | null>
}

/** Runs a call once more that did not succeed. */
export function RetryButton({ call, next }: RetryButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="card-cancel card-retry"
      aria-label={`Retry ${call.label}`}
      aria-keyshortcuts="r"
      onClick={() => {
        next.current?.focus()
        // Refused is only what another tab has retried before: the card shows it.
        call.retry().catch(() => {})
      }}
    >
      <Icon name="again" />
      <span>Retry</span>
    </button>
  )
}
