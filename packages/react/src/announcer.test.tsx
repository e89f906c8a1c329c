import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPlayedAgent } from './agents.fixtures.ts'
import { Announcer, useAnnouncer } from './announcer.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('what happens within 1.5 seconds is one utterance, and the same words are read again', async () => {
  const { agent } = createPlayedAgent()
  render(<Announcer agent={agent} hints={{ answer: 'Press Alt+R' }} />)
  const polite = screen.getByRole('status')

  const done = agent.prompt('Go.')
  agent.abort()
  await done
  expect(polite.textContent).toBe('')
  await pass(1499)
  expect(polite.textContent).toBe('')
  await pass(1)
  expect(polite.textContent).toBe('Stopped')
  expect(screen.getByRole('alert').textContent).toBe('')

  const before = polite.firstChild
  const again = agent.prompt('Go.')
  agent.abort()
  await again
  await pass(1500)
  expect(polite.textContent).toBe('Stopped')
  expect(polite.firstChild).not.toBe(before)
})

test('says nothing where that is wished, and other words where they are given', async () => {
  const { agent } = createPlayedAgent()
  const { rerender } = render(<Announcer agent={agent} verbosity="off" />)
  const end = async () => {
    const done = agent.prompt('Go.')
    agent.abort()
    await done
    await pass(1500)
  }
  await end()
  expect(screen.getByRole('status').textContent).toBe('')

  rerender(
    <Announcer
      agent={agent}
      sentences={({ events }) => events.map(({ type }) => ({ text: type, isUrgent: true }))}
    />,
  )
  await end()
  expect(screen.getByRole('alert').textContent).toBe('agent_start. agent_end')
})

test('reads the start of a long sentence, with characters that deceive as marks', async () => {
  const { agent } = createPlayedAgent()
  const text = `safe\u202Egnp ${'word '.repeat(100_000)}`
  render(<Announcer agent={agent} sentences={() => [{ text, isUrgent: true }]} />)

  const done = agent.prompt('Go.')
  agent.abort()
  await done
  await pass(1500)

  const said = screen.getByRole('alert').textContent ?? ''
  expect(said).toMatch(/^safe‹U\+202E›gnp word/)
  expect(said.length).toBeLessThan(500)
})

test('the hook gives what is to be said now, for regions of one’s own', async () => {
  const { agent } = createPlayedAgent()
  const { result } = renderHook(() => useAnnouncer(agent, { verbosity: 'brief' }))
  const { id } = result.current
  const done = agent.prompt('Go.')
  agent.abort()
  await done
  await pass(1500)

  expect(result.current).toMatchObject({ polite: 'Stopped', urgent: '' })
  expect(result.current.id).not.toBe(id)
})

async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms))
}
