import type { ChatMessage } from '@offthread/core'
import { expect, test } from 'vitest'
import { lastExchanges } from './exchanges.ts'

test('starts with a question and counts the exchanges before it', () => {
  const messages = ['user', 'assistant', 'assistant', 'user', 'assistant', 'user'].map(message)

  expect(lastExchanges(messages, 30)).toEqual({ start: 0, hidden: 0 })
  expect(lastExchanges(messages, 2)).toEqual({ start: 3, hidden: 1 })
  expect(lastExchanges(messages, 1)).toEqual({ start: 5, hidden: 2 })
  expect(lastExchanges([], 1)).toEqual({ start: 0, hidden: 0 })
})

function message(role: string, index: number): ChatMessage {
  const base = { id: `m${index}`, parentId: null, content: [] }
  return role === 'user'
    ? { ...base, role: 'user' }
    : { ...base, role: 'assistant', model: { provider: 'test', id: 'test' } }
}
