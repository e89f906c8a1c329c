import { expect, test } from 'vitest'
import { memoryStorage } from '../../storage/memory.ts'
import { type Claim, type SessionStorage, StorageError } from '../../storage/port.ts'
import { say, scriptedModel } from '../../testing/scripted.ts'
import { tabs } from './tabs.fixtures.ts'

/** A storage whose server goes away, and may have another session when it comes back. */
function withServer() {
  const before = memoryStorage()
  const after = memoryStorage()
  let memory = before
  const listeners = new Set<Parameters<NonNullable<Claim['watchOffline']>>[0]>()
  const losing = new AbortController()
  let isFull = false
  const storage: SessionStorage = {
    ...before,
    read: (...asked) => memory.read(...asked),
    readBytes: (...asked) => memory.readBytes(...asked),
    follow: (...asked) => memory.follow(...asked),
    append: async (...asked) => {
      if (isFull) throw new StorageError('full', 'There is no space.')
      await memory.append(...asked)
    },
    claim: async (...asked) => {
      const claim = await memory.claim(...asked)
      if (!claim || losing.signal.aborted) return claim
      return {
        ...claim,
        lost: losing.signal,
        watchOffline: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      }
    },
    lasts: async () => 'persistent',
  }
  return {
    ...{ storage, after, listeners },
    setOffline: (isOffline: boolean, refusal?: StorageError) => {
      for (const listener of listeners) listener(isOffline, refusal)
    },
    setFull: (now: boolean) => {
      isFull = now
    },
    lose: (reason: StorageError) => {
      memory = after
      losing.abort(reason)
    },
  }
}

test('[K15] an owner shows that only its device has what it writes, as long as that is so', async () => {
  const { storage, listeners, setOffline, setFull } = withServer()
  const { open, pass } = tabs(undefined, storage)
  const { agent } = open(scriptedModel([say('An answer.')], [say('Another.')]))
  await agent.ready
  await pass(0)
  expect(agent.getState().storage).toBe('persistent')

  setOffline(true)
  expect(agent.getState()).toMatchObject({ storage: 'offline', access: 'owner' })
  expect(await agent.prompt('Go.')).toMatchObject({ text: 'An answer.' })
  setFull(true)
  const done = agent.prompt('And now?')
  await pass(0)
  expect(agent.getState().storage).toBe('full')
  setFull(false)
  await pass(2000)
  await done
  expect(agent.getState().storage).toBe('offline')
  setOffline(false)

  expect(agent.getState().storage).toBe('persistent')
  agent.dispose()
  await pass(0)
  expect(listeners.size).toBe(0)
})

test('[K15] an owner shows why the server does not take what is on its device only, until it does', async () => {
  const { storage, setOffline } = withServer()
  const { open, pass } = tabs(undefined, storage)
  const { agent } = open()
  await agent.ready
  await pass(0)

  setOffline(true)
  expect(agent.getState().refused).toBeNull()
  setOffline(true, new StorageError('full', 'It has no space.'))

  expect(agent.getState()).toMatchObject({
    storage: 'offline',
    refused: { command: 'catch_up', message: 'It has no space.' },
  })
  setOffline(false)
  expect(agent.getState()).toMatchObject({ storage: 'persistent', refused: null })
})

test('[K16] an owner whose session went on elsewhere shows that one, and as what its own is kept', async () => {
  const { storage, after, lose } = withServer()
  const { open, pass } = tabs(undefined, storage)
  const { agent: first } = open(scriptedModel([say('Written here.')]))
  await first.prompt('Said here.')
  first.dispose()
  await pass(0)
  const { agent } = open(scriptedModel([say('Later.')]))
  await agent.ready
  const { agent: other } = open(scriptedModel([say('Written elsewhere.')]), after)
  await other.prompt('Said elsewhere.')
  other.dispose()
  await pass(0)

  lose(new StorageError('diverged', 'It went on elsewhere.', { keptAs: 'kept' }))
  await pass(2000)

  expect(agent.getState()).toMatchObject({
    ...{ access: 'owner', storage: 'persistent', error: null },
    messages: [
      { content: [{ text: 'Said elsewhere.' }] },
      { content: [{ text: 'Written elsewhere.' }] },
    ],
    refused: { command: 'catch_up', message: 'It went on elsewhere.', keptAs: 'kept' },
  })
  expect(await agent.prompt('And now?')).toMatchObject({ text: 'Later.' })
})

test('[K16] an owner that has nothing of its own goes on with the other session without a word', async () => {
  const { storage, lose } = withServer()
  const { open, pass } = tabs(undefined, storage)
  const { agent } = open()
  await agent.ready

  lose(new StorageError('diverged', 'It went on elsewhere.'))
  await pass(2000)

  expect(agent.getState()).toMatchObject({ access: 'owner', refused: null, error: null })
})
