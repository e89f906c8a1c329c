import { createAgent } from '@offthread/core'
import { finish, type ScriptedAnswer, say, scriptedModel } from '@offthread/core/testing'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Answer } from './answer.tsx'

afterEach(cleanup)

test.each<[string, ScriptedAnswer, string]>([
  [
    'was cut off by its length',
    [say('One, two'), finish('max_tokens')],
    'One, twoThe answer was cut off at the length that the model may write.',
  ],
  [
    'was cut off because the model is full',
    [say('One, two'), finish('context_overflow')],
    'One, twoThe answer was cut off: the conversation fills the model. A new chat has room again.',
  ],
  ['is empty', [], 'The model answered nothing.'],
  ['is whole', [say('One, two, three.')], 'One, two, three.'],
])('an answer that %s says just that', async (_, script, shown) => {
  const agent = createAgent({ model: scriptedModel(script) })
  await agent.prompt('Count.')
  const message = agent.getState().messages.findLast(({ role }) => role === 'assistant')
  if (message?.role !== 'assistant') throw new Error('There is no answer.')

  const common = { name: 'Offthread', renderCard: () => null }
  render(<Answer {...common} agent={agent} message={message} renderText={(text) => text} />)

  const said = screen.getByRole('article').textContent
  expect(said?.replace('Offthread', '')).toBe(shown)
})
