import type { ModelChunk } from '@offthread/core'
import { act, cleanup, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createPlayedAgent,
  type PlayedAgent,
  stopped,
  textDelta,
  textEnd,
  textStart,
} from './agents.fixtures.ts'
import { useAgent } from './use-agent.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('throttleMs shows the first change at once, and those that follow together', async () => {
  const played = createPlayedAgent()
  const { shown, result } = watched(played, { throttleMs: 50 })
  void played.agent.prompt('Hi.')
  await stream(played, textStart)
  await pass(100)
  const before = shown.length

  await stream(played, textDelta('a'))
  for (const letter of 'bcdef') await stream(played, textDelta(letter))
  expect(shown.slice(before)).toEqual(['a'])
  await pass(49)
  expect(shown.slice(before)).toEqual(['a'])
  await pass(1)

  expect(shown.slice(before)).toEqual(['a', 'abcdef'])
  await stream(played, textEnd, stopped)
  await pass(50)
  expect(result.current).toMatchObject({ status: 'ready', lastReason: 'stop' })
  expect(vi.getTimerCount()).toBe(1)
  await pass(50)
  expect(vi.getTimerCount()).toBe(0)
})

test('throttleMs leaves no timer and no listener behind, in StrictMode too', async () => {
  const played = createPlayedAgent()
  const { unmount } = renderHook(() => useAgent(played.agent, { throttleMs: 50 }), {
    wrapper: StrictMode,
  })
  void played.agent.prompt('Hi.')
  await stream(played, textStart, textDelta('a'))
  expect([played.followers(), vi.getTimerCount()]).toEqual([1, 1])

  unmount()

  expect([played.followers(), vi.getTimerCount()]).toEqual([0, 0])
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
  'a throttleMs of %d is refused',
  (throttleMs) => {
    const { agent } = createPlayedAgent()
    vi.spyOn(console, 'error').mockImplementation(() => {})

    expect(() => renderHook(() => useAgent(agent, { throttleMs }))).toThrow(
      new TypeError(`throttleMs must be from 0 to 2,147,483,647; it is ${throttleMs}.`),
    )
  },
)

/** The text of the answer in each render. */
function watched({ agent }: PlayedAgent, options: { readonly throttleMs: number }) {
  const shown: string[] = []
  const { result } = renderHook(() => {
    const view = useAgent(agent, options)
    const part = view.messages.at(-1)?.content[0]
    if (part?.type === 'text') shown.push(part.text)
    return view
  })
  return { shown, result }
}

async function stream(played: PlayedAgent, ...chunks: readonly ModelChunk[]) {
  await act(async () => {
    played.stream(...chunks)
    // The answer passes a few promises on its way.
    for (let i = 0; i < 50; i++) await Promise.resolve()
  })
}

async function pass(ms: number) {
  await act(async () => {
    vi.advanceTimersByTime(ms)
  })
}
