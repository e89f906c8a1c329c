import { useAgentSelector } from '@offthread/react'
import type { ReactNode } from 'react'
import type { DemoAgent } from '../agent.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useFocusAfter } from '../ui/use-focus-after.ts'

interface StopButtonProps {
  readonly agent: DemoAgent
  /** Puts the focus elsewhere: the button disappears with the run. */
  readonly onGone: () => void
}

/** A button to stop the run, for places from which the composer with its own is not visible. */
export function StopButton({ agent, onGone }: StopButtonProps): ReactNode {
  const isActive = useAgentSelector(agent, (state) => state.isActive)
  return isActive && <ActiveButton agent={agent} onGone={onGone} />
}

function ActiveButton({ agent, onGone }: StopButtonProps): ReactNode {
  const isStopping = useAgentSelector(agent, ({ status }) => status === 'stopping')
  const button = useFocusAfter<HTMLButtonElement>(onGone)
  return (
    <Button
      ref={button}
      className="stop-button"
      // `disabled` would drop the focus.
      aria-disabled={isStopping}
      onClick={() => agent.abort()}
    >
      <Icon name="square" />
      <span>Stop</span>
    </Button>
  )
}
