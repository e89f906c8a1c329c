import { createAgent, type SessionStorage } from '@offthread/core'
import { indexedDb } from '@offthread/core/indexeddb'
import { sessionsIn } from '@offthread/core/sessions'
import { say, scriptedModel } from '@offthread/core/testing'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { useSessions } from './sessions.ts'

const name = 'sessions-of-react'

test('[D24] over IndexedDB shows what this page and others do, and a file brings a session back', async () => {
  const storage = indexedDb({ name })
  const other = sessionsIn(indexedDb({ name }))
  const container = document.createElement('div')
  const root = createRoot(container)
  onTestFinished(() => root.unmount())
  root.render(
    <StrictMode>
      <Chats storage={storage} />
    </StrictMode>,
  )
  const shows = (text: string) => expect.poll(() => container.textContent).toBe(text)

  await other.create({ sessionId: 'first', title: 'Berlin' })
  await shows('Berlin idle 0')
  const agent = createAgent({ model: scriptedModel([say('Far.')]), storage, sessionId: 'first' })
  await agent.prompt('How far is it?')
  agent.dispose()
  await agent.stored()
  await storage.writeBytes('first', 'file:map', new Blob([new Uint8Array(100_000)]))
  const before = await storage.read('first')
  const file = await new Response(await other.export('first')).blob()
  await other.delete('first')
  await shows('')
  await other.import(file, { keepsId: true })

  await shows('Berlin idle 100000')
  expect(await storage.read('first')).toEqual(before)
  await other.delete('first')
})

function Chats({ storage }: { readonly storage: SessionStorage }) {
  return useSessions(storage).sessions.map(({ sessionId, title, status, bytes }) => (
    <p key={sessionId}>{`${title} ${status} ${bytes}`}</p>
  ))
}
