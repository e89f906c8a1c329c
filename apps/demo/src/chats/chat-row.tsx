import type { SessionInfo, SessionStatus } from '@offthread/core/sessions'
import type { SessionsView } from '@offthread/react/sessions'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { DownloadButton } from '../text/long-text.tsx'
import { counted, formatBytes } from '../text/quantity.ts'
import { Button } from '../ui/button.tsx'
import { deletedChats } from './deleted-chats.ts'
import { useAttempt } from './use-attempt.tsx'

interface ChatRowProps {
  readonly chat: SessionInfo
  readonly chats: Pick<SessionsView, 'rename' | 'export'>
  /** Whether the page shows it. */
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

/** One chat of the list, or that it was deleted. */
export function ChatRow(props: ChatRowProps): ReactNode {
  const { sessionId, title } = props.chat
  const isDeleted = useStore(deletedChats, (ids) => ids.has(sessionId))
  const button = useRef<HTMLButtonElement>(null)
  const wasDeleted = useRef(isDeleted)
  useEffect(() => {
    // The button that was clicked is gone.
    if (wasDeleted.current !== isDeleted) button.current?.focus()
    wasDeleted.current = isDeleted
  }, [isDeleted])
  const name = title || 'New chat'
  if (!isDeleted) return <KeptChat {...props} name={name} deleteButton={button} />
  return (
    <li className="chat-row">
      <p>
        “{name}” is deleted.
        {props.isCurrent && ' The page goes on with a new chat when this list is closed.'}
      </p>
      <div className="row small chat-actions">
        <Button
          ref={button}
          aria-label={`Undo: ${name} is deleted`}
          onClick={() => deletedChats.restore(sessionId)}
        >
          Undo
        </Button>
      </div>
    </li>
  )
}

interface KeptChatProps extends ChatRowProps {
  readonly name: string
  readonly deleteButton: RefObject<HTMLButtonElement | null>
}

function KeptChat(props: KeptChatProps): ReactNode {
  const { chat, name, chats, isCurrent, onOpen, deleteButton } = props
  const { sessionId, title } = chat
  const { attempt, note } = useAttempt()
  const [isNaming, setNaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const endNaming = (next: string): void => {
    setNaming(false)
    renameButton.current?.focus()
    if (next !== title) void attempt(() => chats.rename(sessionId, next))
  }
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
      <div className="row small chat-actions">
        <Button
          ref={renameButton}
          aria-label={`Rename ${name}`}
          aria-expanded={isNaming}
          onClick={() => setNaming(!isNaming)}
        >
          Rename
        </Button>
        <DownloadButton
          name={`${name}.jsonl`}
          word="Export"
          open={() => attempt(async () => new Response(await chats.export(sessionId)).blob())}
        />
        <Button
          ref={deleteButton}
          aria-label={`Delete ${name}`}
          onClick={() => deletedChats.add(sessionId)}
        >
          Delete
        </Button>
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

interface TitleFormProps {
  readonly title: string
  /** Called with the new title; with the old one if the user cancels. */
  readonly onEnd: (title: string) => void
}

/** The field in which a chat gets another title. */
function TitleForm({ title, onEnd }: TitleFormProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  return (
    <form
      className="field chat-title"
      onSubmit={(event) => {
        event.preventDefault()
        onEnd(field.current?.value ?? title)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Otherwise Escape would close the dialog.
        event.preventDefault()
        onEnd(title)
      }}
    >
      <input ref={field} aria-label="Title" defaultValue={title} maxLength={100} />
      <button type="submit" className="small-button">
        Save
      </button>
    </form>
  )
}
