import { useAgentSelector } from '@offthread/react'
import type { ReactNode } from 'react'
import { useSession } from '../session.ts'

const words = {
  follower:
    'This chat is open in another tab, which does the work. What you say here is done there.',
  'read-only': 'The page ended twice while it opened this chat, so the chat is only shown.',
}

/** Says that the page does not own its session, with a way to change that. */
export function AccessNote(): ReactNode {
  const { agent } = useSession()
  const access = useAgentSelector(agent, (state) => state.access)
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
