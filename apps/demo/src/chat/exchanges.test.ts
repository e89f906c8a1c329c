import type { ChatMessage } from '@offthread/core'
import { expect, test } from 'vitest'
import { exchangesFrom, lastExchanges } from './exchanges.ts'

test('starts with a question and counts the exchanges before it', () => {
  const messages = ['user', 'assistant', 'assistant', 'user', 'assistant', 'user'].map(message)

  expect(lastExchanges(messages, 30)).toEqual({ start: 0, hidden: 0 })
  expect(lastExchanges(messages, 2)).toEqual({ start: 3, hidden: 1 })
  expect(lastExchanges(messages, 1)).toEqual({ start: 5, hidden: 2 })
  expect(lastExchanges([], 1)).toEqual({ start: 0, hidden: 0 })
})

test('counts the exchanges from a message on, of which the first may have begun before it', () => {
  const messages = ['user', 'assistant', 'assistant', 'user', 'assistant', 'user'].map(message)

  expect(['m0', 'm2', 'm3', 'm5', 'none'].map((id) => exchangesFrom(messages, id))).toEqual([
    3, 3, 2, 1, 0,
  ])
  const { start } = lastExchanges(messages, exchangesFrom(messages, 'm4'))
  expect(messages[start]?.id).toBe('m3')
})

function message(role: string, index: number): ChatMessage {
  const base = { id: `m${index}`, parentId: null, content: [] }
  return role === 'user'
    ? { ...base, role: 'user' }
    : { ...base, role: 'assistant', model: { provider: 'test', id: 'test' } }
}
