import { type ReactNode, useState } from 'react'
import { useSession } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ChatList } from './chat-list.tsx'

/** Opens the list of chats, if the page keeps them. */
export function ChatsButton(): ReactNode {
  const { kept } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!kept) return null
  const close = (): void => setOpen(false)
  return (
    <>
      <button
        type="button"
        className="small-button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Chats
      </button>
      <Dialog title="Chats" isOpen={isOpen} onClose={close}>
        <ChatList kept={kept} onOpen={close} />
      </Dialog>
    </>
  )
}
