import { useAgentSelector } from '@offthread/react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useModels, useSession } from '../session.ts'
import { Icon } from '../ui/icon.tsx'
import { ModelForm } from './model-form.tsx'

/** The model menu. Its fields are unmounted when it closes, so a typed key does not stay in the page. */
export function ModelDialog(): ReactNode {
  const { agent, models } = useSession()
  const { isMenuOpen } = useModels()
  const active = useAgentSelector(agent, ({ isActive }) => isActive)
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEffect(() => {
    if (dialog.current === null || dialog.current.open === isMenuOpen) return
    if (isMenuOpen) dialog.current.showModal()
    else dialog.current.close()
  }, [isMenuOpen])
  return (
    <dialog
      ref={dialog}
      className="model-dialog"
      aria-labelledby={title}
      onClose={models.closeMenu}
      onKeyDown={(event) => leaveByKey(event, models.closeMenu)}
    >
      {isMenuOpen && (
        <>
          <header className="model-dialog-header">
            <h2 id={title}>Who answers</h2>
            <button
              type="button"
              className="icon-button"
              aria-label="Close"
              onClick={models.closeMenu}
            >
              <Icon name="cross" />
            </button>
          </header>
          {active && (
            <p className="model-waits" role="status">
              An answer is being written. A change takes effect with the next question.
            </p>
          )}
          <ModelForm />
        </>
      )}
    </dialog>
  )
}

/** Escape closes the menu and does not stop the run, as it does elsewhere. */
function leaveByKey(event: KeyboardEvent<HTMLDialogElement>, leave: () => void): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return
  event.preventDefault()
  leave()
}
