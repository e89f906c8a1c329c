import type { AgentState } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../session.ts'
import { useFocusAfter } from '../ui/use-focus-after.ts'
import { focusComposer } from './focus-composer.ts'

/** Whether failed requests are repeated by themselves. It is there while one is, and where none is because of it. */
export function RetryNote(): ReactNode {
  const { agent, autoRetry } = useSession()
  const isOn = useStore(autoRetry, ({ chosen }) => chosen === 'on')
  const isShown = useAgentSelector(agent, isOn ? waits : waitsForPerson)
  if (!isShown) return null
  return (
    <p className="soft notice">
      {isOn ? 'The model did not answer.' : 'The model is not asked again by itself.'}{' '}
      <RetrySwitch isOn={isOn} onChange={(next) => autoRetry.choose(next ? 'on' : 'off')} />
    </p>
  )
}

interface RetrySwitchProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function RetrySwitch({ isOn, onChange }: RetrySwitchProps): ReactNode {
  const box = useFocusAfter<HTMLLabelElement>(focusComposer)
  return (
    <label ref={box} className="retry-switch">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      Retry automatically
    </label>
  )
}

const waiting: ReadonlySet<AgentState['status']> = new Set(['retrying', 'submitted', 'stopping'])

// The owner of the session repeats requests: the choice of a page that follows it would change nothing.
function waits({ access, retry, status }: AgentState): boolean {
  return access === 'owner' && retry !== null && waiting.has(status)
}

function waitsForPerson(state: AgentState): boolean {
  const { access, can, error, lastReason } = state
  const isLeft = can.continue && (lastReason === 'aborted' || error?.retryable === true)
  return waits(state) || (access === 'owner' && isLeft)
}
