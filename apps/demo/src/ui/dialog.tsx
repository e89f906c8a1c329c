import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog. The focus goes to the chosen element in it, if there is one. The content is unmounted when the dialog
 * closes, and the browser gives the focus back.
 */
export function Dialog({ title, isOpen, onClose, children }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    if (dialog.current === null || dialog.current.open === isOpen) return
    if (isOpen) {
      dialog.current.showModal()
      dialog.current.querySelector<HTMLInputElement>('input:checked')?.focus()
    } else dialog.current.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      onClose={onClose}
      onKeyDown={(event) => leaveByKey(event, onClose)}
    >
      {isOpen && (
        <>
          <div className="ends dialog-header">
            <h2 id={heading}>{title}</h2>
            <Button className="icon-button" aria-label="Close" onClick={onClose}>
              <Icon name="cross" />
            </Button>
          </div>
          {children}
        </>
      )}
    </dialog>
  )
}

/** Escape closes the dialog and does not stop the run, as it does elsewhere. */
function leaveByKey(event: KeyboardEvent<HTMLDialogElement>, leave: () => void): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  event.preventDefault()
  leave()
}
