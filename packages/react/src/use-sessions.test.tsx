import { createAgent, memoryStorage, type SessionStorage, StorageError } from '@offthread/core'
import type { Sessions } from '@offthread/core/sessions'
import { say, scriptedModel } from '@offthread/core/testing'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, expectTypeOf, test } from 'vitest'
import { type SessionsView, useSessions } from './sessions.ts'

afterEach(cleanup)

test('shows the sessions, and what is done with them', async () => {
  const storage = memoryStorage()
  const { result } = renderHook(() => useSessions(storage), { wrapper: StrictMode })
  expect(result.current).toMatchObject({ sessions: [], isLoading: true, error: null })
  await waitFor(() => expect(result.current.isLoading).toBe(false))

  await act(() => result.current.create({ sessionId: 'first', title: 'A' }))
  await waitFor(() => expect(titles(result.current)).toEqual(['A']))
  await act(() => result.current.rename('first', 'B'))
  await waitFor(() => expect(titles(result.current)).toEqual(['B']))
  const file = await result.current.export('first')
  await act(() => result.current.import(file, { sessionId: 'second' }))
  await waitFor(() => expect(titles(result.current)).toEqual(['B', 'B']))
  await act(() => result.current.delete('first'))

  await waitFor(() => expect(result.current.sessions).toMatchObject([{ sessionId: 'second' }]))
})

test('shows what agents do', async () => {
  const storage = memoryStorage()
  const { result } = renderHook(() => useSessions(storage))
  const agent = createAgent({
    ...{ model: scriptedModel([say('Hello.')]), storage, sessionId: 'first' },
  })

  await agent.prompt('How far is it?')

  await waitFor(() =>
    expect(result.current.sessions).toMatchObject([
      { title: 'How far is it?', status: 'idle', isOpen: true },
    ]),
  )
  const [answer] = agent.getState().messages.slice(-1)
  const fork = await result.current.fork('first', answer?.id ?? '')
  await waitFor(() => expect(result.current.sessions.map((one) => one.sessionId)).toContain(fork))
  agent.dispose()
})

test('shows another storage when it is given one', async () => {
  const [one, other] = [memoryStorage(), memoryStorage()]
  const { result, rerender } = renderHook(({ storage }) => useSessions(storage), {
    initialProps: { storage: one },
  })
  await act(() => result.current.create({ sessionId: 'first', title: 'A' }))
  await waitFor(() => expect(titles(result.current)).toEqual(['A']))

  rerender({ storage: other })

  await waitFor(() => expect(result.current).toMatchObject({ sessions: [], isLoading: false }))
})

test('shows why the list could not be read, and keeps what was shown', async () => {
  const storage = memoryStorage()
  let isBroken = false
  const list = () =>
    isBroken ? Promise.reject(new StorageError('cleared', 'Gone.')) : storage.list()
  const worn = { ...storage, list }
  const { result } = renderHook(() => useSessions(worn))
  await act(() => result.current.create({ sessionId: 'first', title: 'A' }))
  await waitFor(() => expect(titles(result.current)).toEqual(['A']))

  await act(() => result.current.rename('first', 'B'))
  isBroken = true

  await waitFor(() => expect(result.current.error).toMatchObject({ kind: 'cleared' }))
  expect(titles(result.current)).toEqual(['A'])
})

test('renders no more than the list changes, and its functions stay the same', async () => {
  const storage = memoryStorage()
  let renders = 0
  const { result, rerender, unmount } = renderHook(() => {
    renders += 1
    return useSessions(storage)
  })
  await waitFor(() => expect(result.current.isLoading).toBe(false))
  const { create } = result.current
  rerender()
  expect(result.current.create).toBe(create)
  expect(renders).toBe(3)

  unmount()
  await create({ sessionId: 'first' })
  expect(renders).toBe(3)
})

test('hydrates what the server rendered', async () => {
  const storage = memoryStorage()
  const container = document.createElement('div')
  container.innerHTML = renderToString(<Chats storage={storage} />)
  expect(container.textContent).toBe('loading')
  const errors: unknown[] = []

  const root = await act(async () =>
    hydrateRoot(container, <Chats storage={storage} />, {
      onRecoverableError: (error) => errors.push(error),
    }),
  )

  await waitFor(() => expect(container.textContent).toBe('0'))
  expect(errors).toEqual([])
  act(() => root.unmount())
})

function Chats({ storage }: { readonly storage: SessionStorage }) {
  const { sessions, isLoading } = useSessions(storage)
  return <p>{isLoading ? 'loading' : sessions.length}</p>
}

test('its functions have the types of the core', () => {
  expectTypeOf<SessionsView['fork']>().toEqualTypeOf<Sessions['fork']>()
  expectTypeOf<SessionsView>().not.toHaveProperty('watch')
})

function titles({ sessions }: SessionsView): readonly string[] {
  return sessions.map(({ title }) => title)
}
