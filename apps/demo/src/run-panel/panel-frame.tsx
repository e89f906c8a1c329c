import { sessionsIn } from '@offthread/core/sessions'
import { keepEvents } from '@offthread/react/inspector'
import { type Replayed, RunPanel, runPanelStyles } from '@offthread/react/run-panel'
import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { useStore } from 'zustand'
import type { DemoAgent } from '../agent.ts'
import { useAttempt } from '../chats/use-attempt.tsx'
import type { Session } from '../session.ts'
import type { DemoTool } from '../tools/host-tools.ts'
import { PanelHandle } from './panel-handle.tsx'
import { PanelResizer } from './panel-resizer.tsx'
import { type Panel, panelId } from './use-panel.ts'

interface PanelFrameProps {
  readonly session: Session
  readonly panel: Panel
  readonly onReplay: (replayed: Replayed<DemoTool> | null) => void
}

/** The run panel where there is room for it: beside the conversation, over it, or below it. */
export function PanelFrame({ session, panel, onReplay }: PanelFrameProps): ReactNode {
  const { agent, kept, shownCall } = session
  const target = useStore(shownCall, (shown) => shown.target)
  const { attempt, note } = useAttempt()
  useEffect(() => keepEventsOfRuns(agent), [agent])
  useEffect(() => {
    if (!panel.isOpen) shownCall.forget()
  }, [panel.isOpen, shownCall])
  const fork = async (messageId: string): Promise<void> => {
    if (!kept) return
    await agent.stored()
    // The page follows its address.
    location.hash = await sessionsIn(kept.storage).fork(kept.sessionId, messageId)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // Outside of the panel Escape stops the run.
    event.preventDefault()
    panel.close()
  }
  return (
    <aside
      ref={panel.frame}
      id={panelId}
      className="panel"
      aria-label="Runs"
      data-open={panel.isOpen}
      onKeyDown={onKeyDown}
    >
      <PanelHandle agent={agent} panel={panel} />
      {panel.isOpen && (
        <>
          <PanelResizer frame={panel.frame} />
          {note}
          <RunPanel<DemoTool>
            agent={agent}
            onReplay={onReplay}
            target={target}
            onChoose={shownCall.choose}
            {...(kept && { onFork: (messageId) => void attempt(() => fork(messageId)) })}
          />
        </>
      )}
    </aside>
  )
}

/**
 * Records the events of the runs in this page that are not stored, so that a panel which is opened later has them. It
 * starts with the first run, because it reads the whole log.
 */
function keepEventsOfRuns(agent: DemoAgent): () => void {
  let stop: (() => void) | null = null
  const unsubscribe = agent.subscribe(({ type }) => {
    if (type === 'agent_start') stop ??= keepEvents(agent)
  })
  return () => {
    unsubscribe()
    stop?.()
  }
}

/** Not a `style` element: a content security policy may forbid inline styles. */
function adopt(styles: string): void {
  // jsdom does not have it.
  if (!('adoptedStyleSheets' in document)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
}

adopt(runPanelStyles)
