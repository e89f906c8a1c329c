import type { ChatMessage } from '@offthread/core'
import { expect, test } from 'vitest'
import { lastTurns } from './turns.ts'

test('begins with a question and counts the turns before it', () => {
  const messages = ['user', 'assistant', 'assistant', 'user', 'assistant', 'user'].map(message)

  expect(lastTurns(messages, 30)).toEqual({ start: 0, hidden: 0 })
  expect(lastTurns(messages, 2)).toEqual({ start: 3, hidden: 1 })
  expect(lastTurns(messages, 1)).toEqual({ start: 5, hidden: 2 })
  expect(lastTurns([], 1)).toEqual({ start: 0, hidden: 0 })
})

function message(role: string, index: number): ChatMessage {
  const base = { id: `m${index}`, parentId: null, content: [] }
  return role === 'user'
    ? { ...base, role: 'user' }
    : { ...base, role: 'assistant', model: { provider: 'test', id: 'test' } }
}
