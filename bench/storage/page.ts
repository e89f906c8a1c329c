import { createAgent, type Model } from '../../packages/core/src/index.ts'
import { indexedDb } from '../../packages/core/src/indexeddb.ts'
import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { logs } from './logs.ts'

type Session = keyof typeof logs

const storage = indexedDb({ name: 'bench' })
const snapshotKey = 'offthread:state'
/** What is measured stays in memory until the page ends. */
const held: unknown[] = []

const model: Model = {
  identity: { provider: 'bench', id: 'bench' },
  stream: () => {
    throw new Error('No model is asked here.')
  },
}

async function fill(session: Session): Promise<number> {
  const events = logs[session]()
  for (let head = 0; head < events.length; head += 2_000) {
    await storage.append(session, { head, epoch: 0 }, events.slice(head, head + 2_000))
  }
  return events.length
}

/** How a piece of work held the page, in milliseconds. */
interface Work {
  readonly ms: number
  /** The longest time for which a timer had to wait. */
  readonly longest: number
}

async function measured(work: () => Promise<unknown>): Promise<Work> {
  let longest = 0
  let last = performance.now()
  const tick = (): void => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(tick, 1)
  const begun = performance.now()
  held.push(await work())
  const ms = performance.now() - begun
  tick()
  clearInterval(timer)
  return { ms, longest }
}

/** All events in one reading, which keeps them as plain data. */
function read(session: Session): Promise<Work> {
  return measured(() => storage.read(session))
}

/** Until the conversation can be shown. */
async function open(session: Session): Promise<Work> {
  const work = await measured(async () => {
    const agent = createAgent({ model, storage, sessionId: session })
    await agent.ready
    return [agent, agent.getState()]
  })
  await confirmed()
  return work
}

/** Waits for what an opening writes after it: a page that ends before counts as one that the session broke. */
async function confirmed(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 100))
  await storage.list()
}

/** Removes the snapshot of a session. */
function forget(session: Session): Promise<void> {
  return storage.writeBytes(session, snapshotKey, null)
}

/** Waits until there is a snapshot. */
async function keep(session: Session): Promise<number> {
  const agent = createAgent({ model, storage, sessionId: session })
  await agent.ready
  for (;;) {
    const bytes = await storage.readBytes(session, snapshotKey)
    if (bytes) return bytes.size
    if (agent.getState().access === 'read-only') throw new Error('The session is read-only.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Microseconds of one append of one event. */
async function append(session: Session): Promise<number> {
  const appends = 200
  const claim = await storage.claim(session, 'take')
  const { epoch = 0 } = claim ?? {}
  let head = await headOf(session)
  const begun = performance.now()
  for (let n = 0; n < appends; n++) {
    await storage.append(session, { head, epoch }, [noteAt(head)])
    head += 1
  }
  const micros = ((performance.now() - begun) * 1000) / appends
  claim?.release()
  return micros
}

async function headOf(session: Session): Promise<number> {
  const entry = (await storage.list()).find(({ sessionId }) => sessionId === session)
  return entry?.events ?? 0
}

function noteAt(seq: number): DurableEvent {
  const place = { v: 1, seq, ts: 1000 + seq, sessionId: 'session_1', runId: null, turn: 0 } as const
  return { ...place, type: 'warning', code: 'bench', message: 'An event like others.' }
}

/** The functions that the runner calls. */
Object.assign(globalThis, { benchStorage: { fill, read, open, forget, keep, append } })
