import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { pageTools } from '../agent/agent.fixtures.ts'
import { installFakeIndexedDb } from '../storage/indexeddb/fake-indexed-db.fixtures.ts'
import { indexedDb } from '../storage/indexeddb/indexed-db.ts'
import { memoryStorage } from '../storage/memory.ts'
import { type SessionStorage, StorageError } from '../storage/port.ts'
import { call, fail, hold, say, scriptedModel } from '../testing/scripted.ts'
import type { SessionInfo } from './list-sessions.ts'
import { close, stored } from './sessions.fixtures.ts'
import { type Sessions, sessionsIn } from './sessions-in.ts'

installFakeIndexedDb()

describe('what an agent keeps true of its session', () => {
  test('[D22] a session is called as its first message begins, until it has a title', async () => {
    const { sessions, open } = stored()
    const model = scriptedModel([say('One.')], [say('Two.')])
    const first = open({ model, sessionId: 'first' })
    await first.agent.ready
    expect(await sessions.list()).toEqual([])

    await first.agent.prompt(`How far\nis it? ${'Far. '.repeat(50)}`)
    await first.agent.prompt('And back?')

    const [session] = await sessions.list()
    expect(session?.title).toMatch(/^How far is it\? Far\. .*…$/)
    await sessions.rename('first', 'Berlin')
    expect(await sessions.list()).toMatchObject([{ title: 'Berlin' }])
    await sessions.rename('first', '')
    expect(await sessions.list()).toMatchObject([{ title: session?.title }])
  })

  test('[D22] a file that comes with the first message is no part of what a session is called', async () => {
    const { sessions, open } = stored()
    const { agent } = open({ model: scriptedModel([say('One.')]), sessionId: 'first' })

    const texts = ['Sum by city', '[attached] sales.csv']
    await agent.prompt(texts.map((text) => ({ type: 'text', text })))

    expect(await sessions.list()).toMatchObject([{ title: 'Sum by city' }])
  })

  test('[D22] the status of a session follows its run, and that of a page that ended says so', async () => {
    const { sessions, open, environment, pass } = stored()
    const tools = pageTools(environment, { send: () => 'sent' })
    const hooks = { beforeToolCall: () => ({ requireApproval: true }) }
    const model = scriptedModel([call('send')], [say('Done.')], [fail('auth')], [say('On'), hold()])
    const first = open({ model, tools, hooks, retry: null, sessionId: 'first' })
    const status = async () => {
      await pass(0)
      return (await sessions.list()).map((one) => one.status)
    }

    void first.agent.prompt('Go.')
    expect(await status()).toEqual(['waiting'])
    const { argsDigest = '' } = first.agent.getState().toolCalls.get('call_1')?.approval ?? {}
    first.agent.respondToApproval('call_1', { decision: 'approve', argsDigest })
    expect(await status()).toEqual(['idle'])
    await first.agent.prompt('Again.')
    expect(await status()).toEqual(['error'])
    void first.agent.prompt('More.')
    expect(await status()).toEqual(['running'])

    await close(first)

    expect(await status()).toEqual(['interrupted'])
    const next = open({ model: scriptedModel(), tools, sessionId: 'first' })
    await next.agent.ready
    expect(await status()).toEqual(['idle'])
  })

  test('[D22] a list that cannot be kept true costs the agent nothing', async () => {
    const storage = memoryStorage()
    const { open, pass } = stored({
      ...storage,
      describe: () => Promise.reject(new StorageError('full', 'There is no space.')),
    })
    const { agent } = open({ model: scriptedModel([say('One.')]), sessionId: 'first' })

    expect(await agent.prompt('Go.')).toMatchObject({ text: 'One.' })
    await pass(1000)
    expect(agent.getState().error).toBeNull()
  })
})

describe('watch', () => {
  test('[D24] shows the list, and what an agent and other pages change in it', async () => {
    const { sessions, open, storage, pass } = stored()
    const other = stored(storage).sessions
    const seen: (readonly SessionInfo[])[] = []
    const stop = sessions.watch((shown) => seen.push(shown))
    await pass(0)
    expect(seen).toEqual([[]])

    await other.create({ sessionId: 'first', title: 'A' })
    await pass(50)
    expect(seen.at(-1)).toMatchObject([{ title: 'A', isOpen: false }])
    const { agent } = open({ model: scriptedModel([say('One.')]), sessionId: 'first' })
    await agent.ready
    await pass(50)
    expect(seen.at(-1)).toMatchObject([{ title: 'A', isOpen: true }])
    await agent.prompt('Go.')
    await pass(50)
    const { length } = await storage.read('first')
    expect(seen.at(-1)).toMatchObject([{ status: 'idle', events: length }])
    agent.moveHead(null)
    await pass(50)
    expect(seen.at(-1)).toMatchObject([{ events: length + 1 }])
    await other.rename('first', 'B')
    await pass(50)
    expect(seen.at(-1)).toMatchObject([{ title: 'B' }])
    agent.dispose()
    await agent.stored()
    await pass(50)
    expect(seen.at(-1)).toMatchObject([{ title: 'B', isOpen: false }])
    await other.delete('first')
    await pass(50)
    expect(seen.at(-1)).toEqual([])
    stop()
  })

  test('[D24] reads the list once for many changes, and calls back for none that does not show', async () => {
    const storage = memoryStorage()
    const list = vi.fn(storage.list)
    const { sessions, pass } = stored({ ...storage, list })
    const other = stored(storage).sessions
    const seen = watched(sessions)
    await pass(0)

    for (const sessionId of ['a', 'b', 'c']) await other.create({ sessionId })
    await pass(50)
    await other.rename('a', '')
    await pass(50)

    expect(seen.map((shown) => shown.length)).toEqual([0, 3])
    expect(list).toHaveBeenCalledTimes(3)
  })

  test('[D24] says what the storage failed with, and goes on with the next change', async () => {
    const storage = memoryStorage()
    let isBroken = true
    const broken: SessionStorage = {
      ...storage,
      list: () =>
        isBroken ? Promise.reject(new StorageError('cleared', 'Gone.')) : storage.list(),
    }
    const { sessions, pass } = stored(broken)
    const errors: unknown[] = []
    const seen = watched(sessions, (error) => errors.push(error))
    await pass(0)
    isBroken = false

    await stored(storage).sessions.create({ sessionId: 'a' })
    await pass(50)

    expect(errors).toMatchObject([{ kind: 'cleared' }])
    expect(seen).toMatchObject([[{ sessionId: 'a' }]])
  })

  test('[D24] who stopped gets nothing more, and leaves nothing running', async () => {
    const { sessions, environment, pass } = stored()
    const seen: unknown[] = []
    const stop = sessions.watch((shown) => seen.push(shown))
    await pass(0)
    await sessions.create()
    await pass(0)

    stop()
    await sessions.create()
    await pass(1000)

    expect(seen).toEqual([[]])
    expect(environment.clock.pending()).toBe(0)
  })

  test('[D24] over IndexedDB, pages see what others do', async () => {
    const name = 'watched'
    const [here, there] = [sessionsIn(indexedDb({ name })), sessionsIn(indexedDb({ name }))]
    const seen = watched(here)

    const sessionId = await there.create({ sessionId: 'first', title: 'A' })
    await expect.poll(() => seen.at(-1)).toMatchObject([{ title: 'A' }])
    await there.delete(sessionId)
    await expect.poll(() => seen.at(-1)).toEqual([])
  })
})

/** What is shown, list after list. */
function watched(
  sessions: Sessions,
  onError?: (error: unknown) => void,
): readonly (readonly SessionInfo[])[] {
  const seen: (readonly SessionInfo[])[] = []
  onTestFinished(sessions.watch((shown) => seen.push(shown), onError))
  return seen
}
