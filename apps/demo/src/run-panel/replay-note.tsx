import { useAgentSelector } from '@offthread/react'
import type { Replayed } from '@offthread/react/run-panel'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { DemoAgent } from '../agent.ts'
import { focusComposer } from '../chat/focus-composer.ts'
import { StopButton } from '../chat/stop-button.tsx'
import type { DemoTool } from '../tools/host-tools.ts'
import { Button } from '../ui/button.tsx'

interface ReplayNoteProps {
  readonly live: DemoAgent
  readonly replayed: Replayed<DemoTool>
}

/** Stands in place of the composer: says that what is shown is past, and offers the way back. */
export function ReplayNote({ live, replayed }: ReplayNoteProps): ReactNode {
  const isActive = useAgentSelector(live, (state) => state.isActive)
  const back = useRef<HTMLButtonElement>(null)
  const focusBack = useCallback(() => back.current?.focus(), [])
  useEffect(() => focusIfLost, [])
  return (
    <div className="dock">
      <div className="row small replay-note" role="status">
        <p>
          <strong>Replay.</strong>{' '}
          {isActive
            ? 'The run goes on meanwhile. Nothing can be sent.'
            : 'Nothing is running, and nothing can be sent.'}
        </p>
        <StopButton agent={live} onGone={focusBack} />
        <Button ref={back} onClick={replayed.exit}>
          Back to live
        </Button>
      </div>
    </div>
  )
}

/** The button that led back to live is gone. */
function focusIfLost(): void {
  if (document.activeElement === document.body) focusComposer()
}
