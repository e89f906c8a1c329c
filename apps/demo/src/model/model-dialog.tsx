import { useAgentSelector } from '@offthread/react'
import type { ReactNode } from 'react'
import { useModels, useSession } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ModelForm } from './model-form.tsx'

/** The model menu. Its fields are unmounted when it closes, so a typed key does not stay in the page. */
export function ModelDialog(): ReactNode {
  const { agent, models } = useSession()
  const { isMenuOpen } = useModels()
  const active = useAgentSelector(agent, ({ isActive }) => isActive)
  return (
    <Dialog title="Who answers" isOpen={isMenuOpen} onClose={models.closeMenu}>
      {active && (
        <p className="model-waits" role="status">
          An answer is being written. A change takes effect with the next question.
        </p>
      )}
      <ModelForm />
    </Dialog>
  )
}
