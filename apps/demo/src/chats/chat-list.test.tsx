import { memoryStorage } from '@offthread/core'
import { sessionsIn } from '@offthread/core/sessions'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ChatList } from './chat-list.tsx'

afterEach(cleanup)

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

test('deletes at the second click, unless the first one was left', async () => {
  const { storage } = await show({ idle: 'Trip' })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete: Trip' }))
  await userEvent.tab()
  await userEvent.click(screen.getByRole('button', { name: 'Delete: Trip' }))
  expect(await storage.list()).toHaveLength(1)

  await userEvent.click(screen.getByRole('button', { name: 'Delete for good: Trip' }))
  await expect.poll(() => storage.list()).toEqual([])
  await expect.poll(() => screen.queryAllByRole('listitem')).toEqual([])
  expect(document.activeElement).toBe(screen.getByRole('list'))
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
  render(<ChatList kept={{ storage, sessionId }} onOpen={() => {}} />)
  return { storage }
}

function rowOf(title: string): string {
  return screen.getByRole('link', { name: title }).parentElement?.textContent ?? ''
}
