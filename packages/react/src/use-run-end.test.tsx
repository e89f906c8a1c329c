import { memoryStorage } from '@offthread/core'
import { act, cleanup, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { answer, createPlayedAgent, doing, streaming, textDelta } from './agents.fixtures.ts'
import { useAgent } from './use-agent.ts'

afterEach(cleanup)

test('onFinish is called once for each run, when the state shows its end', async () => {
  const played = createPlayedAgent()
  const seen: unknown[] = []
  const { result } = renderHook(
    () =>
      useAgent(played.agent, {
        onFinish: ({ reason, turns }) =>
          seen.push({ reason, turns, shown: played.agent.getState().lastReason }),
      }),
    { wrapper: StrictMode },
  )

  await doing(() => result.current.sendMessage('Hi.'))
  expect(seen).toEqual([])
  await streaming(played, ...answer('Hello.'))
  await doing(() => result.current.sendMessage('More.'))
  await doing(() => result.current.stop())

  expect(seen).toEqual([
    { reason: 'stop', turns: 1, shown: 'stop' },
    { reason: 'aborted', turns: 1, shown: 'aborted' },
  ])
})

test('onError is called with what failed, and onFinish too', async () => {
  const played = createPlayedAgent(['work'], { retry: null })
  const [onFinish, onError] = [vi.fn(), vi.fn()]
  const { result } = renderHook(() => useAgent(played.agent, { onFinish, onError }))
  await doing(() => result.current.sendMessage('Hi.'))

  await streaming(played, textDelta('garbled'))

  expect(onError.mock.calls).toEqual([[expect.objectContaining({ kind: 'protocol' })]])
  expect(onFinish).toHaveBeenCalledTimes(1)
})

test('onError is called when the session cannot be read', async () => {
  const storage = { ...memoryStorage(), read: () => Promise.reject(new Error('Broken.')) }
  const played = createPlayedAgent([], { storage, sessionId: 'one' })
  const onError = vi.fn()
  const { result } = renderHook(() => useAgent(played.agent, { onError }))

  await act(() => played.agent.ready.catch(() => {}))

  expect(onError.mock.calls).toEqual([[expect.objectContaining({ kind: 'storage' })]])
  expect(result.current.can).toMatchObject({ send: false, continue: false })
})

test('the callbacks of the last render count, and none after the component has gone', async () => {
  const played = createPlayedAgent()
  const [first, second] = [vi.fn(), vi.fn()]
  const { result, rerender, unmount } = renderHook(
    ({ onFinish }) => useAgent(played.agent, { onFinish }),
    { initialProps: { onFinish: first } },
  )
  await doing(() => result.current.sendMessage('Hi.'))
  rerender({ onFinish: second })
  await streaming(played, ...answer('Hello.'))
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([0, 1])

  await doing(() => result.current.sendMessage('More.'))
  unmount()
  await streaming(played, ...answer('Hello.'))

  expect(second).toHaveBeenCalledTimes(1)
})
