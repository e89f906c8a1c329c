import { fail, type ScriptedAnswer, say, scriptedModel, testAgent } from '@offthread/core/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { DemoAgent } from '../agent.ts'
import { createSession, SessionContext } from '../session.ts'
import { createDataStore } from '../tools/tables.ts'
import { RetryNote } from './retry-note.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const busy = () => [fail('rate_limited', 'Too many requests.', { retryAfterMs: 30_000 })]
const box = () => screen.queryByRole('checkbox', { name: 'Retry automatically' })

test('the switch is there while a request waits, and ends the waiting', async () => {
  const { agent, model, pass, ask } = show(busy(), [say('Hello.')])
  expect(box()).toBeNull()
  const run = await ask()
  expect(box()).toHaveProperty('checked', true)

  await userEvent.click(box() ?? raise())
  expect(await act(() => run.ended)).toMatchObject({ reason: 'aborted' })
  await pass(60_000)
  expect(model.requests).toHaveLength(1)
  expect(agent.getState().can.continue).toBe(true)
  expect(box()).toHaveProperty('checked', false)
})

test('switched off, no failed request is repeated, until it is switched on again', async () => {
  const { agent, model, pass, ask, session } = show(busy(), busy(), [say('Hello.')])
  act(() => session.autoRetry.choose('off'))
  expect(box()).toBeNull()

  expect(await (await ask()).ended).toMatchObject({ reason: 'error' })
  expect(model.requests).toHaveLength(1)

  await userEvent.click(box() ?? raise())
  expect(box()).toBeNull()
  expect(agent.getState().isActive).toBe(false)

  const run = await ask()
  await pass(30_000)
  expect(await act(() => run.ended)).toMatchObject({ reason: 'stop' })
  expect(model.requests).toHaveLength(3)
})

const options = { dev: false, store: createDataStore() }

/** The note of an agent whose model answers so, and its session. */
function show(...answers: readonly ScriptedAnswer[]) {
  const model = scriptedModel(...answers)
  const { agent, clock, settled } = testAgent({ model })
  const session = createSession(agent as unknown as DemoAgent, options)
  render(
    <SessionContext value={session}>
      <RetryNote />
    </SessionContext>,
  )
  const pass = (ms: number) =>
    act(async () => {
      clock.advance(ms)
      await settled()
    })
  /** Asks, and waits for what follows at once. */
  const ask = async () => {
    const run = agent.prompt('Hello?')
    await act(settled)
    return { ended: run }
  }
  return { agent, model, pass, ask, session }
}

function raise(): never {
  throw new Error('There is none.')
}
