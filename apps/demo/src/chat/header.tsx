import type { ReactNode } from 'react'
import { ChatsButton } from '../chats/chat-list.tsx'
import { NewChatLink } from '../chats/new-chat-link.tsx'
import { ModelButton } from '../model/model-button.tsx'
import { ThemeToggle } from '../theme/theme-toggle.tsx'

export function Header({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <header className="row header">
      <div className="row brand">
        <BrandMark />
        <h1>Offthread</h1>
        <p className="quiet purpose">Agents that live in the page</p>
      </div>
      <NewChatLink />
      <ChatsButton />
      <ModelButton />
      {children}
      <ThemeToggle />
    </header>
  )
}

/** The page's thread as a straight line, and a worker's thread that leaves it and comes back. */
function BrandMark(): ReactNode {
  return (
    <svg className="brand-mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path className="brand-page" d="M2 16.5h20" />
      <path className="brand-thread" d="M3.5 16.5c4 0 3.5-9 8.5-9s4.500 9 8.500 9" />
      <circle className="brand-thread-end" cx="12" cy="7.5" r="2.1" />
    </svg>
  )
}
