// A conversation that is there after a reload, and that other tabs show live.
import { createAgent } from '@offthread/core'
import { indexedDb } from '@offthread/core/indexeddb'
import { say, scriptedModel } from '@offthread/core/testing'
import { useSessions } from '@offthread/react/sessions'
import type { ReactNode } from 'react'
import { Conversation } from './conversation.tsx'

const storage = indexedDb({ name: 'short-examples' })
const model = scriptedModel([say('I will remember that.')], [say('That, too.')])
const agent = createAgent({ model, storage, sessionId: 'kept' })

export function Example(): ReactNode {
  const { sessions } = useSessions(storage)
  return (
    <>
      <Conversation agent={agent} question="Remember the milk" />
      {sessions.map(({ sessionId, title, status }) => (
        <p key={sessionId}>
          Stored: {title || 'no messages yet'} ({status})
        </p>
      ))}
    </>
  )
}
