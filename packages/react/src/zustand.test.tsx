import { type Agent, type ChatMessage, createAgent, textOf } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, expectTypeOf, test } from 'vitest'
import { useStore } from 'zustand'

afterEach(cleanup)

test('useStore of zustand takes the store of an agent', async () => {
  const agent = createAgent({ model: scriptedModel([say('Hello.')]) })
  expect(renderToString(<Texts agent={agent} />)).toBe('<p role="log"></p>')
  render(<Texts agent={agent} />)

  await act(async () => {
    await agent.prompt('Hi.')
  })

  expect(screen.getByRole('log').textContent).toBe('Hi. Hello.')
  expect(agent.store.getInitialState().messages).toEqual([])
  agent.dispose()
})

function Texts({ agent }: { readonly agent: Agent }): ReactNode {
  const messages = useStore(agent.store, (state) => state.messages)
  expectTypeOf(messages).toEqualTypeOf<readonly ChatMessage[]>()
  return <p role="log">{messages.map(({ content }) => textOf(content)).join(' ')}</p>
}
