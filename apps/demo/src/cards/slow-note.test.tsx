import { defineTool } from '@offthread/core'
import {
  call,
  fakeClock,
  fakeWorkers,
  say,
  scriptedModel,
  testAgent,
} from '@offthread/core/testing'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { SlowNote, slowAfterMs } from './slow-note.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('a call is slow after what 95 of 100 calls of its tool took', async () => {
  const { agent } = await play(Array.from({ length: 100 }, (_, index) => 1000 + 10 * index))
  expect(slowAfterMs(agent.getState(), 'work')).toBe(1940)
  expect(slowAfterMs(agent.getState(), 'other')).toBe(10_000)
})

test.each([
  ['four calls say nothing of how long a tool takes', [2000, 2000, 2000, 2000], 10_000],
  ['five do', [2000, 2000, 2000, 2000, 2500], 2500],
  ['no call is slow within a second', [5, 5, 5, 5, 5], 1000],
  ['ten seconds are slow for every tool', [60_000, 60_000, 60_000, 60_000, 60_000], 10_000],
])('%s', async (_, durations, afterMs) => {
  const { agent } = await play(durations)
  expect(slowAfterMs(agent.getState(), 'work')).toBe(afterMs)
})

test('what failed or was cancelled does not say how long a tool takes', async () => {
  const { agent } = await play([2000, 2000, 2000, 2000], 5)
  expect(slowAfterMs(agent.getState(), 'work')).toBe(10_000)
})

test('the card says so while the call runs, from then on until it ends', async () => {
  const { agent, clock, start } = await play([2000, 2000, 2000, 2000, 2500])
  const { worker, id, ended } = await start()
  const note = () => agent.getState().toolCalls.get(id) ?? raise()
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: clock.now() })
  const { container, rerender } = render(<SlowNote agent={agent} call={note()} />)
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

  pass(2499)
  expect(container.textContent).toBe('')
  pass(1)
  expect(container.textContent).toBe('slow')

  vi.useRealTimers()
  await act(async () => {
    worker.answer('Done.')
    await ended
  })
  rerender(<SlowNote agent={agent} call={note()} />)
  expect(container.textContent).toBe('')
})

const work = defineTool({ name: 'work', description: 'Works.', inputSchema: z.object({}) })

/** An agent whose calls have taken so long; `failures`: as many have failed after that. */
async function play(durations: readonly number[], failures = 0) {
  const clock = fakeClock()
  const host = fakeWorkers([work], { clock })
  const count = durations.length + failures + 1
  const answers = Array.from({ length: count }, () => [[call('work')], [say('Done.')]]).flat()
  const { agent, settled } = testAgent({ model: scriptedModel(...answers), tools: host }, { clock })
  const start = async () => {
    const ended = agent.prompt('Work.')
    await settled()
    const worker = host.started.at(-1) ?? raise()
    worker.begin()
    await settled()
    return { worker, id: agent.getState().toolCalls.active[0]?.toolCallId ?? raise(), ended }
  }
  for (const [index, ms] of [
    ...durations,
    ...Array.from({ length: failures }, () => 1),
  ].entries()) {
    const { worker, ended } = await start()
    clock.advance(ms)
    if (index < durations.length) worker.answer('Done.')
    else worker.throws(new Error('No.'))
    await ended
  }
  return { agent, clock, start }
}

function raise(): never {
  throw new Error('There is none.')
}
