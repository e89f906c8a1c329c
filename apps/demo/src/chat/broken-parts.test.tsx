import { createAgent } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { DemoCard } from '../cards/demo-card.tsx'
import { createSession, SessionContext } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'
import { Message } from './message.tsx'

afterEach(cleanup)

test('a message and a card that cannot be drawn show their text, and leave the others alone', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const options = { dev: false, store: createDataStore() }
  const model = scriptedModel([call('missing', { of: 'a tool' })], [say('Words **of** it.')])
  const agent = createAgent({ model, tools: hostTools(options) })
  const session = createSession(agent, options)
  await act(() => agent.prompt('What is it?'))
  const { messages } = agent.getState()
  const [id = ''] = messages.flatMap(({ content }) =>
    [...content].flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : [])),
  )
  const subscribe = (): never => {
    throw new RangeError('Maximum call stack size exceeded')
  }
  const broken = { ...session, agent: { ...agent, store: { ...agent.store, subscribe } } }

  render(
    <>
      <SessionContext value={broken}>
        <DemoCard toolCallId={id} />
        {messages.slice(-1).map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </SessionContext>
      <p>neighbour</p>
    </>,
  )

  expect(screen.getByText(/^missing \{"of":"a tool"\}/)).toBeTruthy()
  expect(screen.getByText('Words **of** it.')).toBeTruthy()
  expect(screen.getByText('neighbour')).toBeTruthy()
  errors.mockRestore()
})
