import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createDeferred } from '../../internal/deferred.ts'
import { nextTask } from '../../internal/next-task.ts'
import { type DurableEvent, isDurable } from '../../kernel/events.ts'
import { stateAfter } from '../../kernel/log.fixtures.ts'
import { stateVersion } from '../../kernel/state-items.ts'
import { createManualEnvironment, quiet } from '../../runtime/environment.fixtures.ts'
import { memoryStorage } from '../../storage/memory.ts'
import type { SessionStorage } from '../../storage/port.ts'
import { say, scriptedModel } from '../../testing/scripted.ts'
import { createAgentIn } from '../create-agent.ts'
import { loadSession } from './load-session.ts'
import { calls, chat } from './long-log.fixtures.ts'
import { linesOf, readSnapshot, writeSnapshot } from './snapshot.ts'
import { sessionId } from './tabs.fixtures.ts'

const key = 'offthread:state'
const log = chat(30)

test('[D37] what a snapshot covers is not folded again, and the state is the same', async () => {
  const storage = await storing(log)
  for (let covered = 1; covered <= log.length; covered += 5) {
    await keep(storage, log.slice(0, covered))

    expect(await loadSession(storage, sessionId)).toEqual({ ...whole, covered })
  }
})

test.for([
  ['messages', chat(1_000)],
  ['calls', calls(20)],
] as const)(
  '[D37] a snapshot of many %s comes in pieces, and is read as it was written',
  async ([, long]) => {
    const storage = await storing(long)
    await keep(storage, long)

    const read = await readSnapshot(storage, sessionId)

    expect(read).toEqual({ state: stateAfter(long), last: long.at(-1) })
    expect([...linesOf({ state: stateAfter(long), last: lastOf(long) })].length).toBeGreaterThan(5)
  },
)

test('[D120] what the state does not hold makes neither a snapshot longer nor an opening with it', async () => {
  const opening = async (log: readonly DurableEvent[]) => {
    const storage = await storing(log)
    await keep(storage, log)
    const read: number[] = []
    const watched: SessionStorage = {
      ...storage,
      read: async (...asked) => {
        const events = await storage.read(...asked)
        read.push(events.length)
        return events
      },
    }
    await loadSession(watched, sessionId)
    return { read, bytes: (await bytesOf(storage)).length }
  }

  const short = await opening(chat(300))
  const long = await opening(chat(300, 16))

  expect(short.read).toEqual([1])
  expect(long.read).toEqual([1])
  // The numbers of events have more digits.
  expect(long.bytes / short.bytes).toBeLessThan(1.01)
})

test('[D38] a snapshot with any byte changed, missing or added is as good as none', async () => {
  const storage = await storing(log)
  await keep(storage, log.slice(0, 200))
  const good = await bytesOf(storage)
  const damage = fc.record({
    at: fc.nat({ max: good.length - 1 }),
    bytes: fc.uint8Array({ maxLength: 3 }),
    removed: fc.nat({ max: 100 }),
  })
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, bytes, removed }) => {
      const bad = [good.slice(0, at), bytes, good.slice(at + removed)]
      await storage.writeBytes(sessionId, key, new Blob(bad))

      const { covered, ...loaded } = await loadSession(storage, sessionId)

      expect(loaded).toEqual({ state: whole.state, last: whole.last, problem: null })
      const isSame = (await bytesOf(storage)).join() === good.join()
      expect(covered).toBe(isSame ? 200 : 0)
    }),
    { numRuns: 100 },
  )
})

test('[D38] a snapshot without any of its lines, or with two changed over, is as good as none', async () => {
  const long = chat(1_000)
  const storage = await storing(long)
  const lines = [...linesOf({ state: stateAfter(long), last: lastOf(long) })]
  for (const index of lines.keys()) {
    const without = lines.toSpliced(index, 1)
    const swapped = lines.toSpliced(index, 2, ...lines.slice(index, index + 2).reverse())
    for (const bad of [without, swapped]) {
      if (bad.join() === lines.join()) continue
      await storage.writeBytes(sessionId, key, new Blob(bad))

      expect(await readSnapshot(storage, sessionId), `line ${index}`).toBeNull()
    }
  }
})

test.for([
  ['ends before it', (events: readonly DurableEvent[]) => events.slice(0, 100)],
  ['has another event in its place', (events: readonly DurableEvent[]) => other(events)],
  ['was never written', () => []],
] as const)('[D38] a snapshot of a log that %s is as good as none', async ([, change]) => {
  const stored = change(log)
  const storage = await storing(stored)
  await keep(storage, log.slice(0, 150))

  const loaded = await loadSession(storage, sessionId)

  expect(loaded).toEqual({
    state: stateOf(stored),
    last: stored.at(-1) ?? null,
    covered: 0,
    problem: null,
  })
})

test.for(['version', 'session'] as const)(
  '[D38] a snapshot of another %s is as good as none',
  async (what) => {
    const storage = await storing(log)
    const covered = log.slice(0, 150)
    const sessionName = what === 'session' ? 'another' : sessionId
    const state = { ...stateAfter(covered), sessionId: sessionName }
    const version = what === 'version' ? stateVersion + 1 : stateVersion
    const lines = [...linesOf({ state, last: lastOf(covered) }, version)]

    await storage.writeBytes(sessionId, key, new Blob(lines))

    expect(await loadSession(storage, sessionId)).toEqual(whole)
  },
)

test.for(['rejects', 'has no stream'] as const)(
  '[D38] a storage that %s for the snapshot still opens the session',
  async (how) => {
    const storage: SessionStorage = {
      ...(await storing(log)),
      readBytes: async () => {
        if (how === 'rejects') throw new Error('No.')
        return Object.assign(new Blob(['']), { arrayBuffer: undefined })
      },
    }

    expect(await loadSession(storage, sessionId)).toEqual(whole)
  },
)

test('[D37] [D39] the owner keeps a snapshot when the session has grown, a second after', async () => {
  const long = chat(150)
  const storage = await storing(long)
  const { agent, environment } = openedOn(storage)
  await agent.ready
  environment.clock.advance(999)
  await tasks()
  expect(await storage.readBytes(sessionId, key)).toBeUndefined()

  environment.clock.advance(1)
  await tasks()

  const opened = await readSnapshot(storage, sessionId)
  expect(opened).toEqual({
    state: stateOf(await storage.read(sessionId)),
    last: last(await storage.read(sessionId)),
  })
})

test('[D39] what a snapshot holds is what the stored events say, nothing of what was only shown', async () => {
  const storage = await storing(chat(150))
  const { agent, environment } = openedOn(storage)
  await agent.prompt('Hi.')
  environment.clock.advance(1_000)
  await tasks()

  const events = await storage.read(sessionId)
  const snapshot = await readSnapshot(storage, sessionId)

  expect(events.every(isDurable)).toBe(true)
  expect(snapshot?.last).toEqual(last(events))
  expect(snapshot?.state).toEqual(stateOf(events))
})

test('[D39] a snapshot that cannot be kept changes nothing', async () => {
  const storage: SessionStorage = {
    ...(await storing(chat(150))),
    writeBytes: () => Promise.reject(new Error('Full.')),
  }
  const { agent, environment } = openedOn(storage)
  await agent.ready
  environment.clock.advance(1_000)
  await tasks()

  expect(await agent.prompt('Hi.')).toMatchObject({ reason: 'stop', text: 'Hello.' })
  expect(agent.getState()).toMatchObject({ status: 'ready', error: null })
})

test('[D43] one that is being written when a message is redacted does not bring it back', async () => {
  const kept = await storing(chat(150))
  const released = createDeferred<void>()
  const storage: SessionStorage = {
    ...kept,
    writeBytes: async (...asked) => {
      await released.promise
      return kept.writeBytes(...asked)
    },
  }
  const { agent, environment } = openedOn(storage)
  await agent.ready
  environment.clock.advance(1_000)
  await tasks()
  const { id = '' } = agent.getState().messages[0] ?? {}

  const redacted = agent.redact(id)
  await tasks()
  released.resolve()
  await redacted

  expect(agent.getState().messages[0]).toMatchObject({ redacted: true })
  expect(await kept.readBytes(sessionId, key)).toBeUndefined()
})

test('[D43] a replaced owner keeps none', async () => {
  const storage = await storing(chat(150))
  const { agent, environment } = openedOn(storage)
  await agent.ready
  await storage.claim(sessionId, 'take')

  environment.clock.advance(1_000)
  await tasks()

  expect(await storage.readBytes(sessionId, key)).toBeUndefined()
})

const whole = { state: stateAfter(log), last: lastOf(log), covered: 0, problem: null }

function stateOf(events: readonly DurableEvent[]) {
  return { ...stateAfter(events), sessionId }
}

function last(events: readonly DurableEvent[]) {
  return events.at(-1)
}

function lastOf(events: readonly DurableEvent[]): DurableEvent {
  const event = events.at(-1)
  if (!event) throw new Error('The log is empty.')
  return event
}

function other(events: readonly DurableEvent[]) {
  return events.map((event, seq) => (seq === 149 ? { ...event, ts: 7 } : event))
}

async function storing(events: readonly DurableEvent[]): Promise<SessionStorage> {
  const storage = memoryStorage()
  if (events.length > 0) await storage.append(sessionId, { head: 0, epoch: 0 }, events)
  return storage
}

function keep(storage: SessionStorage, events: readonly DurableEvent[]): Promise<void> {
  const keepBytes = (name: string, data: Blob | null) => storage.writeBytes(sessionId, name, data)
  return writeSnapshot({ keepBytes }, { state: stateAfter(events), last: lastOf(events) })
}

async function bytesOf(storage: SessionStorage): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await storage.readBytes(sessionId, key)
  if (!blob) throw new Error('There is no snapshot.')
  return new Uint8Array(await blob.arrayBuffer())
}

function openedOn(storage: SessionStorage) {
  const environment = createManualEnvironment()
  const model = scriptedModel([say('Hello.')])
  const agent = createAgentIn({ model, storage, sessionId }, environment)
  onTestFinished(agent.dispose)
  return { agent, environment }
}

/** Lets reading and writing of bytes end, which takes tasks. */
async function tasks(): Promise<void> {
  for (let count = 0; count < 50; count += 1) await nextTask()
  await quiet()
}
