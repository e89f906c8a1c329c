import type { AgentState } from '@offthread/core'
import { useAgentSelector, useElapsed } from '@offthread/react'
import { type ReactNode, useCallback, useRef } from 'react'
import type { DemoAgent } from '../agent.ts'
import { StopButton } from '../chat/stop-button.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { type Panel, panelId } from './use-panel.ts'

interface PanelHandleProps {
  readonly agent: DemoAgent
  readonly panel: Panel
}

/** The handle of the run panel on small screens, where the panel comes from below. It shows the progress of a run. */
export function PanelHandle({ agent, panel }: PanelHandleProps): ReactNode {
  const startedAt = useAgentSelector(agent, startOfRun)
  const words = useAgentSelector(agent, wordsFor)
  const clock = useElapsed(startedAt ?? undefined)
  const handle = useRef<HTMLButtonElement>(null)
  const focusHandle = useCallback(() => handle.current?.focus(), [])
  return (
    <div className="panel-top">
      <Button
        ref={handle}
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
            {words} · <span ref={clock} />
          </span>
        )}
        <Icon name={panel.isOpen ? 'chevron' : 'up'} />
      </Button>
      {panel.isOpen && <StopButton agent={agent} onGone={focusHandle} />}
    </div>
  )
}

function startOfRun({ startedAt }: AgentState): number | null {
  return startedAt
}

/** What is running; a call that waits for a person is not. */
function wordsFor({ toolCalls, status }: AgentState): string {
  const running = toolCalls.active.filter((call) => call.status !== 'awaiting_approval').length
  if (running > 0) return `${running} running`
  return status === 'awaiting_approval' ? 'Waiting for you' : 'Running'
}

/** The button for the run panel on wide screens, where the panel is beside the conversation. */
export function PanelButton({ panel }: { readonly panel: Panel }): ReactNode {
  return (
    <Button
      className="icon-button panel-button"
      aria-label="Run panel"
      title="Run panel (Ctrl or Cmd + J)"
      aria-expanded={panel.isOpen}
      aria-controls={panelId}
      onClick={panel.toggle}
    >
      <Icon name="waterfall" />
    </Button>
  )
}
