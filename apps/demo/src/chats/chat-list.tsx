import type { SessionInfo } from '@offthread/core/sessions'
import { Attach } from '@offthread/react/composer'
import { useSessions } from '@offthread/react/sessions'
import { type ReactNode, useEffect } from 'react'
import type { Kept } from '../agent.ts'
import { PageDialogFrame } from '../commands/page-dialog-frame.tsx'
import { newChatAddress } from '../open-kept.ts'
import { useSession } from '../session.ts'
import { counted } from '../text/quantity.ts'
import { Button } from '../ui/button.tsx'
import { useSome } from '../ui/use-some.tsx'
import { ChatRow } from './chat-row.tsx'
import { deletedChats } from './deleted-chats.ts'
import { useAttempt } from './use-attempt.tsx'
import { useSteadyOrder } from './use-steady-order.ts'

interface ChatListProps {
  readonly kept: Kept
  /** Called when the user opens one of them. */
  readonly onOpen: () => void
}

/** The chats of this browser, with what can be done with each. */
export function ChatList({ kept, onOpen }: ChatListProps): ReactNode {
  const { sessions, error, ...chats } = useSessions(kept.storage)
  const { attempt, note, setNote } = useAttempt()
  const isCurrent = (sessionId: string): boolean => sessionId === kept.sessionId
  // Each visit to the page makes a chat, so empty chats are not listed.
  const listed = sessions.filter(({ sessionId, title }) => title !== '' || isCurrent(sessionId))
  const { some, more } = useSome(useSteadyOrder(listed, idOf), 'chat')
  useEffect(() => () => void finishDeletions(kept), [kept])
  const importAll = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      const imported = await attempt(() => chats.import(file))
      if (!imported) return
      setNote(<p role="status">{wordsFor(imported)}</p>)
    }
  }
  return (
    <div className="chats">
      {error && <p role="alert">{error.message}</p>}
      <ul aria-label="Chats of this browser">
        {some.map((chat) => (
          <ChatRow
            key={chat.sessionId}
            {...{ chat, chats, onOpen }}
            isCurrent={isCurrent(chat.sessionId)}
          />
        ))}
      </ul>
      {more}
      <div className="row small chat-actions">
        <Attach
          className="small-button"
          accept=".jsonl"
          inputLabel="Chat to import"
          onFiles={(files) => void importAll(files)}
        >
          Import a chat
        </Attach>
        {note}
      </div>
      <p className="soft field-hint">
        An exported file holds all that was said and that tools returned, as plain text. Keys are
        not in it.
      </p>
    </div>
  )
}

function idOf({ sessionId }: SessionInfo): string {
  return sessionId
}

/**
 * Deletes the data when the list is closed, so that no deletion can be undone any more. A page whose own chat is
 * deleted goes on with a new one.
 */
async function finishDeletions({ storage, sessionId }: Kept): Promise<void> {
  const isOwn = deletedChats.getState().has(sessionId)
  await deletedChats.finish(storage)
  // If the user has chosen another chat meanwhile, the page opens that.
  if (isOwn && location.hash === `#${sessionId}`) location.assign(newChatAddress())
}

function wordsFor({ leftOut }: { readonly leftOut: number }): string {
  return leftOut === 0
    ? 'Imported.'
    : `Imported, without ${counted(leftOut, 'part')} that could not be read when it was exported.`
}

/** Opens the list of chats, if the page keeps them. */
export function ChatsButton(): ReactNode {
  const { kept, dialogs } = useSession()
  if (!kept) return null
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => dialogs.open('chats')}>
        Chats
      </Button>
      <PageDialogFrame dialog="chats" title="Chats">
        <ChatList kept={kept} onOpen={() => dialogs.close('chats')} />
      </PageDialogFrame>
    </>
  )
}
