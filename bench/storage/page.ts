import { createAgent, type Model } from '../../packages/core/src/index.ts'
import { indexedDb } from '../../packages/core/src/indexeddb.ts'
import { nextTask } from '../../packages/core/src/internal/next-task.ts'
import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { logs } from './logs.ts'
import { marks } from './tasks.mjs'

type Session = keyof typeof logs

const storage = indexedDb({ name: 'bench' })
const snapshotKey = 'offthread:state'
/** Before the text of each line of a snapshot. */
const sumChars = 8
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

/** Does a piece of work between two marks in the trace of the page. Returns its milliseconds. */
async function measured(work: () => Promise<unknown>): Promise<number> {
  // In a task of its own, with nothing from before it.
  await nextTask()
  performance.mark(marks.start)
  held.push(await work())
  performance.mark(marks.end)
  return performance.measure('work', marks.start, marks.end).duration
}

/** All events in one reading, which keeps them as plain data. */
function read(session: Session): Promise<number> {
  return measured(() => storage.read(session))
}

const parse: (text: string) => unknown = JSON.parse

/** The snapshot as plain data. */
function readKept(session: Session): Promise<number> {
  return measured(async () => {
    const bytes = await storage.readBytes(session, snapshotKey)
    const lines = (await bytes?.text())?.trimEnd().split('\n') ?? []
    return lines.map((line) => parse(line.slice(sumChars)))
  })
}

/** Until the conversation can be shown. */
async function open(session: Session): Promise<number> {
  const ms = await measured(async () => {
    const agent = createAgent({ model, storage, sessionId: session })
    await agent.ready
    return [agent, agent.getState()]
  })
  await confirmed()
  return ms
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

const blocks = 20
const appendsInBlock = 10

/**
 * Microseconds of one append of one event to each session: the median of blocks, one after the other for each session, so
 * that what else the machine does affects all alike.
 */
async function append(sessions: readonly Session[]): Promise<readonly number[]> {
  const all = await Promise.all(sessions.map(appender))
  for (let block = 0; block < blocks; block++) for (const { addBlock } of all) await addBlock()
  return all.map(({ end }) => end())
}

async function appender(session: Session) {
  const claim = await storage.claim(session, 'take')
  const { epoch = 0 } = claim ?? {}
  let head = await headOf(session)
  const micros: number[] = []
  return {
    addBlock: async (): Promise<void> => {
      const begun = performance.now()
      for (let n = 0; n < appendsInBlock; n++) {
        await storage.append(session, { head, epoch }, [noteAt(head)])
        head += 1
      }
      micros.push(((performance.now() - begun) * 1000) / appendsInBlock)
    },
    end: (): number => {
      claim?.release()
      return micros.toSorted((a, b) => a - b)[blocks / 2] ?? Number.NaN
    },
  }
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
Object.assign(globalThis, { benchStorage: { fill, read, readKept, open, forget, keep, append } })
