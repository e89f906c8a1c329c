import type { SessionInfo, SessionStatus } from '@offthread/core/sessions'
import type { SessionsView } from '@offthread/react/sessions'
import { type ReactNode, useRef, useState } from 'react'
import { DownloadButton } from '../text/long-text.tsx'
import { counted, formatBytes } from '../text/quantity.ts'
import { TitleForm } from './title-form.tsx'
import { useAttempt } from './use-attempt.tsx'

interface ChatRowProps {
  readonly chat: SessionInfo
  readonly chats: Pick<SessionsView, 'rename' | 'export' | 'delete'>
  /** Whether the page shows it. */
  readonly isCurrent: boolean
  readonly onOpen: () => void
  readonly onDeleted: (sessionId: string) => void
}

/** One chat of the list. */
export function ChatRow({ chat, chats, isCurrent, onOpen, onDeleted }: ChatRowProps): ReactNode {
  const { sessionId, title } = chat
  const name = title || 'New chat'
  const { attempt, note } = useAttempt()
  const [isNaming, setNaming] = useState(false)
  const [isSure, setSure] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const endNaming = (next: string): void => {
    setNaming(false)
    renameButton.current?.focus()
    if (next !== title) void attempt(() => chats.rename(sessionId, next))
  }
  const remove = async (): Promise<void> => {
    await chats.delete(sessionId)
    onDeleted(sessionId)
  }
  // A deletion cannot be undone, so it takes two clicks.
  const deleteWord = isSure ? 'Delete for good' : 'Delete'
  return (
    <li className="chat-row">
      {isNaming ? (
        <TitleForm title={title} onEnd={endNaming} />
      ) : (
        <a href={`#${sessionId}`} onClick={onOpen} aria-current={isCurrent && 'page'}>
          {name}
        </a>
      )}
      <p className="quiet">{factsOf(chat)}</p>
      <div className="chat-actions">
        <button
          ref={renameButton}
          type="button"
          className="small-button"
          aria-label={`Rename ${name}`}
          aria-expanded={isNaming}
          onClick={() => setNaming(!isNaming)}
        >
          Rename
        </button>
        <DownloadButton
          name={`${name}.jsonl`}
          word="Export"
          open={() => attempt(async () => new Response(await chats.export(sessionId)).blob())}
        />
        <button
          type="button"
          className="small-button"
          data-sure={isSure}
          aria-label={`${deleteWord}: ${name}`}
          onBlur={() => setSure(false)}
          onClick={() => (isSure ? void attempt(remove) : setSure(true))}
        >
          {deleteWord}
        </button>
      </div>
      {note}
    </li>
  )
}

const words: Readonly<Record<SessionStatus, string>> = {
  idle: '',
  running: 'running',
  waiting: 'waiting for you',
  error: 'failed',
  interrupted: 'interrupted',
}

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** When the chat was last used, its status, and its size. */
function factsOf({ status, updatedAt, events, bytes }: SessionInfo): string {
  const files = bytes > 0 ? `${formatBytes(bytes)} of files` : ''
  const facts = [moments.format(updatedAt), words[status], counted(events, 'event'), files]
  return facts.filter(Boolean).join(' · ')
}
