import type { AgentState } from '@offthread/core'
import { useAgentSelector, useElapsed } from '@offthread/react'
import type { ReactNode } from 'react'
import type { DemoAgent } from '../agent.ts'
import { Icon } from '../ui/icon.tsx'
import type { Panel } from './use-panel.ts'

interface PanelHandleProps {
  readonly agent: DemoAgent
  readonly panel: Panel
}

/** Opens and closes the run panel, where it comes from below. It says how far a run is. */
export function PanelHandle({ agent, panel }: PanelHandleProps): ReactNode {
  const startedAt = useAgentSelector(agent, startOfRun)
  const running = useAgentSelector(agent, countActive)
  const clock = useElapsed(startedAt ?? undefined)
  return (
    <button
      type="button"
      className="panel-handle"
      aria-label={panel.isOpen ? 'Close the run panel' : 'Open the run panel'}
      aria-expanded={panel.isOpen}
      onClick={panel.toggle}
    >
      <Icon name="waterfall" />
      {startedAt === null ? (
        'Timeline, events, usage'
      ) : (
        <span>
          {running > 0 ? `${running} running` : 'Running'} · <span ref={clock} />
        </span>
      )}
      <Icon name={panel.isOpen ? 'chevron' : 'up'} />
    </button>
  )
}

function startOfRun({ startedAt }: AgentState): number | null {
  return startedAt
}

function countActive({ toolCalls }: AgentState): number {
  return toolCalls.active.length
}
