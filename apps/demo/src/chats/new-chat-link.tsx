import type { ReactNode } from 'react'
import { newChatAddress } from '../open-kept.ts'

export function NewChatLink(): ReactNode {
  return (
    <a className="small-button new-chat" href={newChatAddress()}>
      New chat
    </a>
  )
}
