import type { AgentState } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import type { ReactNode } from 'react'
import { NewChatLink } from '../chats/new-chat-link.tsx'
import { useSession } from '../session.ts'
import { DownloadButton } from '../text/long-text.tsx'
import { saidText } from '../text/said-text.ts'
import { Button } from '../ui/button.tsx'

const notStored = 'What comes now is not stored. Reload the page to go on.'

/** What is wrong with the storage, for people. */
const troubles: { readonly [Storage in AgentState['storage']]?: string } = {
  memory: 'This browser keeps no data for the page: the chat ends with it.',
  full: 'There is no space to store this chat. The page keeps what comes now until there is: delete chats that you no longer need, and leave the page open.',
  blocked:
    'An older version of this page is open in another tab. Close that tab, then reload this page.',
  newer: 'A newer version of this page was used here. Reload the page to get it.',
  cleared:
    'This chat was deleted where it is stored. What you see is all that is left: save it if you need it, then start a new one.',
  damaged:
    'This chat is damaged where it is stored. It is shown up to there; start a new chat to go on.',
  conflict: notStored,
  unavailable: notStored,
  unknown: notStored,
}

const roles: { readonly [Access in AgentState['access']]?: string } = {
  follower:
    'This chat is open in another tab, which does the work. What you say here is done there.',
  'read-only': 'The page ended twice while it opened this chat, so the chat is only shown.',
}

/** Problems after which the page can go on, or try again. */
const passing: ReadonlySet<AgentState['storage']> = new Set(['opening', 'memory', 'full'])

/** Problems after which this chat cannot go on, and a new one can. */
const lost: ReadonlySet<AgentState['storage']> = new Set(['cleared', 'damaged'])

/**
 * Says that the chat is not stored, or belongs to another tab, with a button to change that. If that fails, the note
 * stays.
 */
export function AccessNote(): ReactNode {
  const { agent, dialogs } = useSession()
  const access = useAgentSelector(agent, (state) => state.access)
  const storage = useAgentSelector(agent, (state) => state.storage)
  const hasSaid = useAgentSelector(agent, (state) => state.messages.length > 0)
  const words = troubles[storage] ?? roles[access]
  if (!words) return null
  const isOver = storage in troubles && !passing.has(storage)
  return (
    <p className="soft notice" role="status">
      {words}{' '}
      {storage in troubles && hasSaid && (
        <DownloadButton
          name="chat.txt"
          word="Save what is shown"
          open={() => new Blob([saidText(agent.getTranscript())], { type: 'text/plain' })}
        />
      )}
      {storage === 'full' && (
        <Button aria-haspopup="dialog" onClick={() => dialogs.open('chats')}>
          Delete chats
        </Button>
      )}
      {lost.has(storage) && <NewChatLink />}
      {!isOver && access !== 'owner' && (
        <Button onClick={() => void agent.takeOver().catch(() => {})}>
          {access === 'follower' ? 'Work in this tab' : 'Go on all the same'}
        </Button>
      )}
    </p>
  )
}
