import type { ReactNode } from 'react'
import { PageDialogFrame } from '../commands/page-dialog-frame.tsx'
import { useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { ChatList } from './chat-list.tsx'

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
