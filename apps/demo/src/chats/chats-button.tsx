import type { ReactNode } from 'react'
import { PageDialogFrame } from '../commands/page-dialog-frame.tsx'
import { useSession } from '../session.ts'
import { ChatList } from './chat-list.tsx'

/** Opens the list of chats, if the page keeps them. */
export function ChatsButton(): ReactNode {
  const { kept, dialogs } = useSession()
  if (!kept) return null
  return (
    <>
      <button
        type="button"
        className="small-button"
        aria-haspopup="dialog"
        onClick={() => dialogs.open('chats')}
      >
        Chats
      </button>
      <PageDialogFrame dialog="chats" title="Chats">
        <ChatList kept={kept} onOpen={() => dialogs.close('chats')} />
      </PageDialogFrame>
    </>
  )
}
