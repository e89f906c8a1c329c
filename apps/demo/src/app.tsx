import type { Replayed } from '@offthread/react/run-panel'
import * as Thread from '@offthread/react/thread'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { AccessNote } from './chat/access-note.tsx'
import { Announcer } from './chat/announcer.tsx'
import { Conversation, JumpToLatest } from './chat/conversation.tsx'
import { DemoComposer } from './chat/demo-composer.tsx'
import { DevBar } from './chat/dev-bar.tsx'
import { Header } from './chat/header.tsx'
import { RetryNote } from './chat/retry-note.tsx'
import { Palette } from './commands/palette.tsx'
import { useHotkeys } from './commands/use-hotkeys.ts'
import { type Dropped, DropZone } from './files/drop-zone.tsx'
import { FileSuggestions } from './files/file-suggestions.tsx'
import { ModelDialog } from './model/model-form.tsx'
import { PanelFrame } from './run-panel/panel-frame.tsx'
import { PanelButton } from './run-panel/panel-handle.tsx'
import { ReplayNote } from './run-panel/replay-note.tsx'
import { usePanel } from './run-panel/use-panel.ts'
import { type Session, SessionContext } from './session.ts'
import type { DemoTool } from './tools/host-tools.ts'
import './styles/all.css'

interface AppProps {
  readonly session: Session
  /** A problem of the page itself, for its developers. */
  readonly problem?: string
}

export function App({ session, problem }: AppProps): ReactNode {
  const { attachments, dev } = session
  const [notice, say] = useState<ReactNode>('')
  const onDrop = useCallback(
    ({ files, folders }: Dropped) => {
      attachments.add(files)
      say(folders > 0 ? 'Folders cannot be attached. Drop the files in them.' : '')
    },
    [attachments],
  )
  const panel = usePanel(session)
  const { shown, replayed, onReplay } = useShownSession(session)
  const page = { session, panel, replayed, say }
  useHotkeys(page)
  return (
    <SessionContext value={shown}>
      <div className="page" data-panel={panel.isOpen} data-replay={shown.isReplay}>
        <Header>
          <PanelButton panel={panel} />
        </Header>
        <main className="main">
          <Thread.Root agent={shown.agent}>
            <Conversation />
            {replayed && <ReplayNote live={session.agent} replayed={replayed} />}
            <div className="dock" hidden={shown.isReplay}>
              <JumpToLatest />
              <AccessNote />
              <RetryNote />
              {problem && (
                <pre className="small page-problem" role="alert">
                  {problem}
                </pre>
              )}
              {notice && (
                <p className="soft notice" role="status">
                  {notice}
                </p>
              )}
              {dev && <DevBar />}
              <FileSuggestions />
              <DemoComposer />
            </div>
          </Thread.Root>
        </main>
        <PanelFrame session={session} panel={panel} onReplay={onReplay} />
      </div>
      <DropZone onDrop={onDrop} />
      <ModelDialog />
      <Palette page={page} />
      <Announcer />
    </SessionContext>
  )
}

/** The commands in a replay: buttons of past answers must not act on the live session. */
const refusing = { isReplay: true, send: () => false, tryAgain: () => {} }

/** What the page shows: the live session, or in a replay an earlier state of it. */
function useShownSession(session: Session) {
  const [replayed, onReplay] = useState<Replayed<DemoTool> | null>(null)
  const shown = useMemo(
    () => (replayed ? { ...session, ...refusing, agent: replayed.agent } : session),
    [session, replayed],
  )
  return { shown, replayed, onReplay }
}
