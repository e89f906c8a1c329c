import { useAgentSelector } from '@offthread/react'
import type { ReactNode } from 'react'
import { useModels, useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { labelOfModel } from './models.ts'

/** Shows which model answers, and opens the model menu. */
export function ModelButton(): ReactNode {
  const { agent, models } = useSession()
  const state = useModels()
  const active = useAgentSelector(agent, ({ isActive }) => isActive)
  const { name, detail } = labelOfModel(state)
  return (
    <Button
      className="row soft model-chip"
      aria-haspopup="dialog"
      title="Choose the model"
      onClick={models.openMenu}
    >
      <span className="visually-hidden">Model: </span>
      <strong>{name}</strong>
      <span> — {state.isWaiting && active ? 'from the next question' : detail}</span>
      <Icon name="chevron" />
    </Button>
  )
}
