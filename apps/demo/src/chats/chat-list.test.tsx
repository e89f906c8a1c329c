import { createAgent, memoryStorage } from '@offthread/core'
import { sessionsIn } from '@offthread/core/sessions'
import { say, scriptedModel } from '@offthread/core/testing'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ChatList } from './chat-list.tsx'
import { createDeletedChats, deletedChats } from './deleted-chats.ts'

afterEach(() => {
  cleanup()
  for (const id of deletedChats.getState()) deletedChats.restore(id)
})

test('says what each chat does, and lists none in which nothing was said but the open one', async () => {
  const { storage } = await show({ running: 'A', waiting: 'B', error: 'C', idle: 'D' }, 'here')
  await sessionsIn(storage).create()
  await sessionsIn(storage).create({ sessionId: 'here' })

  const open = await screen.findByRole('link', { name: 'New chat' })
  expect(open.getAttribute('aria-current')).toBe('page')
  expect(await screen.findAllByRole('listitem')).toHaveLength(5)
  // Its page is gone.
  expect(rowOf('A')).toMatch(/ · interrupted · 1 event/)
  expect(rowOf('B')).toMatch(/ · waiting for you · 1 event/)
  expect(rowOf('C')).toMatch(/ · failed · 1 event/)
  expect(rowOf('D')).toMatch(/(AM|PM) · 1 event/)
})

test('a row stays where it is while other chats go on, and a new one comes first', async () => {
  const { storage } = await show({ running: 'A', waiting: 'B' })
  await screen.findByRole('link', { name: 'A' })
  const order = titles()

  const sessionId = order.at(-1) ?? ''
  const agent = createAgent({
    model: scriptedModel([say('Hello.')]),
    tools: [],
    storage,
    sessionId,
  })
  await agent.prompt('Hi.')
  expect((await storage.list())[0]).toMatchObject({ sessionId })
  await expect.poll(() => rowOf(sessionId)).not.toContain('1 event')
  expect(titles()).toEqual(order)
  agent.dispose()

  await sessionsIn(storage).create({ sessionId: 'C', title: 'C' })
  await expect.poll(titles).toEqual(['C', ...order])
})

test('a deletion can be undone until the list is closed', async () => {
  const { storage, unmount } = await show({ idle: 'Trip', running: 'Plan' })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Trip' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete Plan' }))
  expect(screen.queryByRole('link', { name: 'Trip' })).toBeNull()
  const undo = screen.getByRole('button', { name: 'Undo: Plan is deleted' })
  expect(document.activeElement).toBe(undo)

  await userEvent.click(undo)
  expect(screen.getByRole('link', { name: 'Plan' })).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Plan' }))
  expect(await storage.list()).toHaveLength(2)

  unmount()
  await expect.poll(() => storage.list()).toMatchObject([{ sessionId: 'Plan' }])
  expect(deletedChats.getState().size).toBe(0)
})

test('what a page could not delete before it was closed, the next one deletes', async () => {
  const { storage } = await show({ idle: 'Trip', running: 'Plan' })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Trip' }))
  const ofNextPage = createDeletedChats()

  expect([...ofNextPage.getState()]).toEqual(['Trip'])
  await ofNextPage.finish(storage)
  expect(await storage.list()).toMatchObject([{ sessionId: 'Plan' }])
  expect(localStorage.getItem('offthread-deleted-chats')).toBe('[]')
})

test('a chat that is gone already says so in its row', async () => {
  const { storage } = await show({ idle: 'Trip' })
  await screen.findByRole('link', { name: 'Trip' })
  // No list learns of it.
  await storage.delete('Trip')

  await userEvent.click(screen.getByRole('button', { name: 'Rename Trip' }))
  await userEvent.keyboard('Berlin{Enter}')
  expect((await screen.findByRole('alert')).textContent).toMatch(/^There is no chat "Trip"/)
})

/** Shows a list with one session for each status, which has its title as its name. */
async function show(titles: Readonly<Record<string, string>>, sessionId = '') {
  const storage = memoryStorage()
  for (const [status, title] of Object.entries(titles)) {
    await sessionsIn(storage).create({ sessionId: title, title })
    await storage.describe(title, { status })
  }
  const { unmount } = render(<ChatList kept={{ storage, sessionId }} onOpen={() => {}} />)
  return { storage, unmount }
}

function rowOf(title: string): string {
  return screen.getByRole('link', { name: title }).parentElement?.textContent ?? ''
}

function titles(): readonly string[] {
  return screen.getAllByRole('link').map(({ textContent }) => textContent ?? '')
}
