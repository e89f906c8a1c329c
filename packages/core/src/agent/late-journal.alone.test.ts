import { expect, onTestFinished, test, vi } from 'vitest'
import { memoryStorage } from '../storage/memory.ts'
import { say, scriptedModel } from '../testing/scripted.ts'
import { watchedAgent } from './agent.fixtures.ts'

const journal = './session/stored-session.ts'

test('a session whose code does not load fails as one that cannot be read, and nothing is asked', async () => {
  vi.doMock(journal, () => Promise.reject(new TypeError('Failed to fetch')))
  onTestFinished(() => void vi.doUnmock(journal))
  const model = scriptedModel([say('Hello.')])
  const storage = memoryStorage()
  const { agent, events } = watchedAgent({ model, storage, sessionId: 'session_1' })
  const message =
    'The session could not be read (a part of the app could not be loaded; if it stays so, reload the page). Nothing of it was changed. Reload to try again.'

  await expect(agent.ready).rejects.toThrow(
    'a part of the app could not be loaded; if it stays so, reload the page',
  )
  const { reason, error } = await agent.prompt('Hello?')

  expect({ reason, error }).toEqual({
    reason: 'error',
    error: { kind: 'storage', message, retryable: false },
  })
  expect(agent.getState().error).toMatchObject({ kind: 'storage', message })
  expect(() => agent.steer('And?')).toThrow(expect.objectContaining({ name: 'StorageError' }))
  expect(model.requests).toEqual([])
  expect(events).toEqual([])
  expect(await storage.read('session_1')).toEqual([])
})
