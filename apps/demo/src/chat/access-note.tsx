import { useAgentSelector } from '@offthread/react'
import type { ReactNode } from 'react'
import { useSession } from '../session.ts'

const words = {
  follower:
    'This chat is open in another tab, which does the work. What you say here is done there.',
  'read-only': 'The page ended twice while it opened this chat, so the chat is only shown.',
}

/** Says that the page keeps nothing, or does not own its session, with a way to change that. */
export function AccessNote(): ReactNode {
  const { agent, isLasting } = useSession()
  const access = useAgentSelector(agent, (state) => state.access)
  if (!isLasting) {
    return (
      <p className="notice" role="status">
        This browser keeps no data for the page: the chat ends with it.
      </p>
    )
  }
  if (access === 'owner') return null
  return (
    <p className="notice" role="status">
      {words[access]}{' '}
      <button type="button" className="small-button" onClick={() => void agent.takeOver()}>
        {access === 'follower' ? 'Work in this tab' : 'Go on all the same'}
      </button>
    </p>
  )
}
