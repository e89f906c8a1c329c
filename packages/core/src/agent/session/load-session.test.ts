import { expect, onTestFinished, test, vi } from 'vitest'
import { nextTask } from '../../internal/next-task.ts'
import type { AgentEvent, DurableEvent } from '../../kernel/events.ts'
import { stateAfter } from '../../kernel/log.fixtures.ts'
import { createManualEnvironment } from '../../runtime/environment.fixtures.ts'
import { memoryStorage } from '../../storage/memory.ts'
import { type SessionStorage, StorageError } from '../../storage/port.ts'
import { say, scriptedModel } from '../../testing/scripted.ts'
import { createAgentIn } from '../create-agent.ts'
import { loadSession } from './load-session.ts'
import { chat } from './long-log.fixtures.ts'
import { writeSnapshot } from './snapshot.ts'
import { sessionId } from './tabs.fixtures.ts'

test('[D35] a long session is read and folded in slices, and the page has its turn in between', async () => {
  const log = chat(1000)
  const { storage, readings } = await watched(log)
  // Each look at the clock finds that much has been done.
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 20))
  onTestFinished(() => void vi.restoreAllMocks())
  let turns = 0
  let isLoading = true
  const page = async () => {
    for (; isLoading; turns += 1) await nextTask()
  }
  const watching = page()

  const { state, last } = await loadSession(storage, sessionId)
  isLoading = false
  await watching

  expect(state).toEqual(stateAfter(log))
  expect(last).toEqual(log.at(-1))
  expect(Math.max(...readings)).toBeLessThanOrEqual(2048)
  expect(turns).toBeGreaterThanOrEqual(Math.floor(log.length / 256))
})

test('[D35] events that do not come page by page are all read', async () => {
  const log = chat(500)
  const { storage } = await watched(log)
  const generous: SessionStorage = { ...storage, read: (id, from) => storage.read(id, from) }

  expect((await loadSession(generous, sessionId)).state).toEqual(stateAfter(log))
})

test.for([0, 1, 300, 2047, 2048, 3999])(
  '[D62] a session whose event %d the storage cannot read is shown up to there',
  async (seq) => {
    const log = chat(500)
    const { storage } = await watched(log)
    const agent = openedOn({ ...storage, read: readExcept(storage, seq, seq + 1) })

    await agent.ready

    expect(agent.getState()).toMatchObject({ access: 'read-only', storage: 'damaged' })
    await expect(agent.takeOver()).rejects.toThrow(`damaged at event ${seq}: `)
    const loaded = await loadSession(
      { ...storage, read: readExcept(storage, seq, seq + 1) },
      sessionId,
    )
    expect(loaded.state).toEqual(stateAfter(log.slice(0, seq)))
  },
)

test('[D62] a session of which the storage can read nothing fails for the reason that it gives', async () => {
  const { storage } = await watched(chat(500))
  const read = readExcept(storage, 0, Number.POSITIVE_INFINITY)

  await expect(loadSession({ ...storage, read }, sessionId)).rejects.toThrow('Failed to read.')
})

test('[D36] events that were there before are read again from the storage, then the live ones', async () => {
  const log = chat(500)
  const { storage } = await watched(log)
  const agent = openedOn(storage)
  const stop = new AbortController()
  const reading = seqsUntilEnd(agent.events({ signal: stop.signal }), log.length)
  await agent.ready

  await agent.prompt('Hi.')
  const seen = await reading
  stop.abort()

  expect(seen).toEqual(seen.map((_, index) => index))
  expect(seen.length).toBe((await storage.read(sessionId)).length)
})

test.for([4, 300, 3999, 4000, 4001, 4003])(
  '[D36] events after %d begin with the next one',
  async (after) => {
    const log = chat(500)
    const { storage } = await watched(log)
    const agent = openedOn(storage)
    await agent.prompt('Hi.')

    const seen = await seqsUntilEnd(agent.events({ after }), log.length)

    expect(seen[0]).toBe(after + 1)
    expect(seen).toEqual(seen.map((_, index) => after + 1 + index))
  },
)

test.for([
  ['missing', (log: readonly DurableEvent[]) => log.toSpliced(300, 1)],
  ['another one', (log: readonly DurableEvent[]) => log.with(300, eventAt(log, 7))],
  ['cut off', (log: readonly DurableEvent[]) => log.slice(0, 300)],
] as const)(
  '[D90] [D52] an event that a snapshot covers and that is %s is noticed by those who read it, and by nothing else',
  async ([, damage]) => {
    const log = chat(500)
    const { storage } = await watched(log)
    const last = eventAt(log, 4000)
    const keepBytes = (key: string, data: Blob | null) => storage.writeBytes(sessionId, key, data)
    await writeSnapshot({ keepBytes }, { state: stateAfter(log), last })
    // What is read as a whole is there, so that the session opens.
    const damaged = await watched(damage(log))
    const read: SessionStorage['read'] = (id, from = 0, to) =>
      (from < 4000 ? damaged.storage : storage).read(id, from, to)
    const agent = openedOn({ ...storage, read })
    await agent.ready

    const seen: number[] = []
    const reading = async () => {
      for await (const { seq } of agent.events()) seen.push(seq)
    }
    await expect(reading()).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringContaining('Event 300 of the stored session cannot be read.'),
    })
    expect(seen).toEqual(log.slice(0, 300).map(({ seq }) => seq))
    expect(agent.getState()).toMatchObject({ access: 'owner', error: null })
    expect(agent.getState().messages).toHaveLength(1000)
    expect(await agent.prompt('Hi.')).toMatchObject({ reason: 'stop' })
  },
)

/** Fails where one of these events is to be read. */
function readExcept(storage: SessionStorage, first: number, behind: number) {
  const read: SessionStorage['read'] = async (id, from = 0, to = Number.POSITIVE_INFINITY) => {
    if (from < behind && first < to) throw new StorageError('unknown', 'Failed to read.')
    return storage.read(id, from, to)
  }
  return read
}

function eventAt(log: readonly DurableEvent[], seq: number): DurableEvent {
  const event = log[seq]
  if (!event) throw new Error(`The log has no event ${seq}.`)
  return event
}

/** The numbers of durable events up to the first end of a run after the first `length`. */
async function seqsUntilEnd(events: AsyncIterable<AgentEvent>, length: number) {
  const seen: number[] = []
  for await (const { type, seq, sub } of events) {
    if (sub === undefined) seen.push(seq)
    if (type === 'agent_end' && seq > length) return seen
  }
  return seen
}

function openedOn(storage: SessionStorage) {
  const model = scriptedModel([say('Hello.')])
  const agent = createAgentIn({ model, storage, sessionId }, createManualEnvironment())
  onTestFinished(agent.dispose)
  return agent
}

/** A storage with a log, and how many events each reading gave. */
async function watched(log: readonly DurableEvent[]) {
  const memory = memoryStorage()
  await memory.append(sessionId, { head: 0, epoch: 0 }, log)
  const readings: number[] = []
  const read: SessionStorage['read'] = async (...asked) => {
    const events = await memory.read(...asked)
    readings.push(events.length)
    return events
  }
  return { storage: { ...memory, read }, readings }
}
