import { createAgent, inPage, memoryStorage, type SessionStorage } from '@offthread/core'
import { expect, onTestFinished, test } from 'vitest'
import type { DemoAgent } from './agent.ts'
import { plannerModel } from './model/planner-model.ts'
import { toolsHere } from './planner/talk.fixtures.ts'
import { createSession } from './session.ts'
import { createDataStore } from './tools/tables.ts'

const sessionId = 'trips'

/** A tab with the chat, with the real planner and tools, the tools on this thread. */
async function openTab(storage: SessionStorage) {
  const store = createDataStore()
  const agent = createAgent({
    ...{ storage, sessionId, model: plannerModel({ delayMs: 0, chunkSize: 400 }) },
    tools: [inPage(toolsHere(store))],
  })
  onTestFinished(agent.dispose)
  const kept = { storage, sessionId }
  const session = createSession(agent as unknown as DemoAgent, { dev: false, store, kept })
  await agent.ready
  const calls = () =>
    agent.getState().messages.flatMap(({ content }) =>
      content.flatMap((part) => {
        if (part.type !== 'toolCall') return []
        const { toolName, status } = agent.getState().toolCalls.get(part.toolCallId) ?? {}
        return [`${toolName} ${status}`]
      }),
    )
  /** Asks, and waits until this tab shows that the run has ended. */
  const ask = async (text: string, files: Readonly<Record<string, string>> = {}) => {
    const ended = new Promise<void>((resolve) => {
      const stop = agent.subscribe(({ type }) => {
        if (type !== 'agent_end') return
        stop()
        queueMicrotask(resolve)
      })
    })
    const sent = Object.entries(files).map(([name, text]) => ({ name, file: new Blob([text]) }))
    expect(session.send(text, { files: sent })).toBe(true)
    await ended
  }
  return { agent, session, ask, calls }
}

const trips = 'city,price\nBerlin,10\nBerlin,20\nParis,60\n'

test('[D4] [D5] [D9] a file that one tab sends is loaded by the tab that does the work, and each answers from its table', async () => {
  const storage = memoryStorage()
  const owner = await openTab(storage)
  const follower = await openTab(storage)
  expect(follower.agent.getState().access).toBe('follower')

  await follower.ask('How many trips are in Berlin?', { 'trips.csv': trips })
  expect(owner.calls()).toEqual(['load_table succeeded', 'sql_query succeeded'])

  owner.agent.dispose()
  await owner.agent.stored()
  await expect.poll(() => follower.agent.getState().access).toBe('owner')
  await follower.ask('What is the total price per city?')
  expect(follower.calls().slice(2)).toEqual(['sql_query succeeded'])
})

test('[D9] of two files with one name the one that was sent last is loaded, whichever tab sent it', async () => {
  const storage = memoryStorage()
  const owner = await openTab(storage)
  const follower = await openTab(storage)
  await owner.ask('/load_table {"file":"trips.csv"}', { 'trips.csv': trips })

  await follower.ask('/load_table {"file":"trips.csv"}', {
    'trips.csv': trips.replace('Paris', 'Milan'),
  })
  await follower.ask('Which cities are there?')

  expect(JSON.stringify(owner.agent.getState().messages.at(-1))).toContain('Milan')
})

test('what cannot be said any more stays where it was written', async () => {
  const { agent, session } = await openTab(memoryStorage())
  expect(agent.getState().can.send).toBe(true)

  const { storage } = session.kept ?? {}
  await storage?.delete(sessionId)
  await expect.poll(() => agent.getState().storage).toBe('cleared')

  expect(session.send('A long question.')).toBe(false)
})
