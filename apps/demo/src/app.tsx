import { type ReactNode, useCallback, useState } from 'react'
import { AccessNote } from './chat/access-note.tsx'
import { Announcer } from './chat/announcer.tsx'
import { Composer } from './chat/composer.tsx'
import { Conversation } from './chat/conversation.tsx'
import { DevBar } from './chat/dev-bar.tsx'
import { Header } from './chat/header.tsx'
import { StatusStrip } from './chat/status-strip.tsx'
import { type Dropped, DropZone } from './files/drop-zone.tsx'
import { ModelDialog } from './model/model-dialog.tsx'
import { type Session, SessionContext } from './session.ts'
import './styles/all.css'

interface AppProps {
  readonly session: Session
  /** A problem of the page itself, for its developers. */
  readonly problem?: string
}

export function App({ session, problem }: AppProps): ReactNode {
  const { attachments, dev } = session
  const [notice, setNotice] = useState('')
  const onDrop = useCallback(
    ({ files, folders }: Dropped) => {
      attachments.add(files)
      setNotice(folders > 0 ? 'Folders cannot be attached. Drop the files in them.' : '')
    },
    [attachments],
  )
  return (
    <SessionContext value={session}>
      <div className="page">
        <Header />
        <main className="main">
          <StatusStrip />
          <Conversation />
          <div className="dock">
            <AccessNote />
            {problem && (
              <pre className="page-problem" role="alert">
                {problem}
              </pre>
            )}
            {notice && (
              <p className="notice" role="status">
                {notice}
              </p>
            )}
            {dev && <DevBar />}
            <Composer />
          </div>
        </main>
      </div>
      <DropZone onDrop={onDrop} />
      <ModelDialog />
      <Announcer />
    </SessionContext>
  )
}
