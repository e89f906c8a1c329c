import { expect, test } from 'vitest'
import { quiet } from '../runtime/environment.fixtures.ts'
import { hold, say, scriptedModel } from '../testing/scripted.ts'
import { watchedAgent } from './agent.fixtures.ts'
import type { RunResult } from './run.ts'

test('a prompt with an aborted signal sends no request', async () => {
  const model = scriptedModel([say('Never.')])
  const { agent, types } = watchedAgent({ model })

  const result = await agent.prompt('Go.', { signal: AbortSignal.abort() })

  expect(result).toMatchObject({ reason: 'aborted', messages: [{ role: 'user' }] })
  expect(model.requests).toEqual([])
  expect(types()).toEqual([
    'agent_start',
    'abort_requested',
    'turn_start',
    'message_start',
    'message_end',
    'turn_end',
    'agent_end',
  ])
})

test('[I20] the signal of a prompt stops its run', async () => {
  const controller = new AbortController()
  const { agent } = watchedAgent({ model: scriptedModel([say('So far'), hold()]) })
  const done = agent.prompt('Go.', { signal: controller.signal })
  await quiet()

  controller.abort()

  expect(await done).toMatchObject({ reason: 'aborted', text: 'So far' })
})

test('the signal of a prompt does not stop the run after it', async () => {
  const controller = new AbortController()
  const { agent } = watchedAgent({ model: scriptedModel([say('One.')], [say('Two.')]) })
  let second: Promise<RunResult> | undefined
  agent.subscribe((event) => {
    if (event.type !== 'agent_end' || second) return
    second = agent.prompt('Again.')
    controller.abort()
  })

  const first = await agent.prompt('Go.', { signal: controller.signal })

  expect(first).toMatchObject({ reason: 'stop', text: 'One.' })
  expect(await second).toMatchObject({ reason: 'stop', text: 'Two.' })
})

test.for(['turn_end', 'agent_end'] as const)(
  '[I2] each prompt gets its own result when a listener of %s gives the next',
  async (type) => {
    const { agent } = watchedAgent({ model: scriptedModel([say('One.')], [say('Two.')]) })
    let second: Promise<RunResult> | undefined
    agent.subscribe((event) => {
      if (event.type === type) second ??= agent.prompt('Again.')
    })

    const first = await agent.prompt('Go.')

    expect(first.messages).toMatchObject([{ role: 'user' }, { content: [{ text: 'One.' }] }])
    expect((await second)?.messages).toMatchObject([
      { content: [{ text: 'Again.' }] },
      { content: [{ text: 'Two.' }] },
    ])
  },
)

test('[I25] a finished prompt leaves no listener on its signal', async () => {
  const { signal } = new AbortController()
  const listeners = new Set<unknown>()
  const watched = new Proxy(signal, {
    get: (target, key) => {
      if (key === 'addEventListener') return (_: string, one: unknown) => listeners.add(one)
      if (key === 'removeEventListener') return (_: string, one: unknown) => listeners.delete(one)
      const value: unknown = Reflect.get(target, key, target)
      return value
    },
  })
  const { agent } = watchedAgent({ model: scriptedModel([say('One.')]) })
  const done = agent.prompt('Go.', { signal: watched })
  expect(listeners.size).toBe(1)

  await done

  expect(listeners.size).toBe(0)
})

test('the result holds the messages of the run only', async () => {
  const { agent } = watchedAgent({ model: scriptedModel([say('One.')], [say('Two.')]) })
  await agent.prompt('First.')

  const { messages, text, usage } = await agent.prompt('Second.')

  expect(messages).toMatchObject([
    { role: 'user', content: [{ text: 'Second.' }] },
    { role: 'assistant', content: [{ text: 'Two.' }] },
  ])
  expect({ text, usage }).toEqual({ text: 'Two.', usage: { inputTokens: 10, outputTokens: 5 } })
})

test.for(['before the answer', 'in the answer'] as const)(
  'dispose %s settles a waiting prompt as interrupted',
  async (when) => {
    const { agent, events } = watchedAgent({ model: scriptedModel([say('So far'), hold()]) })
    const done = agent.prompt('Go.')
    if (when === 'in the answer') await quiet()

    agent.dispose()
    const before = events.length

    expect(await done).toMatchObject({ reason: 'interrupted', messages: [{ role: 'user' }] })
    await quiet()
    expect(events).toHaveLength(before)
  },
)
