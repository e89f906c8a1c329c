import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LoadedSession, loadSession } from '../packages/core/src/agent/session/load-session.ts'
import {
  readSnapshot,
  type Snapshot,
  writeSnapshot,
} from '../packages/core/src/agent/session/snapshot.ts'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { fold } from '../packages/core/src/kernel/fold.ts'
import { emptyState, type State } from '../packages/core/src/kernel/state.ts'
import { memoryStorage } from '../packages/core/src/storage/memory.ts'
import type { SessionStorage } from '../packages/core/src/storage/port.ts'
import { scripts } from './modes/scripts.ts'
import { anyPlan } from './plans/any-plan.ts'
import { play } from './play.ts'
import { readable } from './readable.ts'

const sessionId = 'session'

test('[D37] [D38] [I6] simulated sessions open to the same state with a snapshot and without', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, fc.nat(), fc.nat(), async (plan, one, other) => {
      const log = (await play(plan)).disk()
      fc.pre(log.length > 0)
      const [covered, head] = [one, other].map((n) => (n % log.length) + 1)
      expect(await differs(log, { covered, head }, loadSession), readable(plan)).toBe(false)
    }),
    { numRuns: 60 },
  )
})

test('[D37] each prefix of a script opens to the same state with a snapshot of any other', {
  timeout: 120_000,
}, async () => {
  for (const script of scripts) {
    const log = (await play(script)).disk()
    expect(await found(log, loadSession)).toBe(0)
  }
})

test.for([
  ['believes a snapshot that is ahead of the log, or of another one', believing],
  ['folds nothing after a snapshot', forgetful],
  ['loses a field of a snapshot', losing],
] as const)('a loader that %s is found', { timeout: 120_000 }, async ([, load]) => {
  const [script] = scripts
  if (!script) throw new Error('There is no script.')
  expect(await found((await play(script)).disk(), load)).toBeGreaterThan(0)
})

type Load = (storage: SessionStorage, sessionId: string) => Promise<Pick<LoadedSession, 'state'>>

/** How many pairs of a log's prefix and a snapshot's lead to another state. */
async function found(log: readonly DurableEvent[], load: Load): Promise<number> {
  let count = 0
  for (let head = 1; head <= log.length; head += 3) {
    for (let covered = 1; covered <= log.length; covered += 7) {
      if (await differs(log, { covered, head }, load)) count += 1
    }
  }
  return count
}

interface Lengths {
  /** How many events the snapshot covers. It may be more than there are. */
  readonly covered?: number | undefined
  /** How many are stored. */
  readonly head?: number | undefined
}

async function differs(
  log: readonly DurableEvent[],
  { covered = 1, head = 1 }: Lengths,
  load: Load,
): Promise<boolean> {
  const storage = memoryStorage()
  await storage.append(sessionId, { head: 0, epoch: 0 }, log.slice(0, head))
  const last = log[covered - 1]
  if (last) await writeSnapshot(storage, sessionId, { state: stateOf(log.slice(0, covered)), last })

  const { state } = await load(storage, sessionId)

  return JSON.stringify(written(state)) !== JSON.stringify(written(stateOf(log.slice(0, head))))
}

function stateOf(log: readonly DurableEvent[]): State {
  return log.reduce(fold, emptyState(sessionId))
}

/** Maps as lists, which JSON keeps. */
function written(state: State): unknown {
  const agents = [...state.agents].map(([id, agent]) => [
    id,
    { ...agent, state: written(agent.state) },
  ])
  return { ...state, agents }
}

async function snapshotOf(storage: SessionStorage): Promise<Snapshot> {
  const snapshot = await readSnapshot(storage, sessionId)
  if (!snapshot) throw new Error('There is no snapshot.')
  return snapshot
}

async function believing(storage: SessionStorage) {
  const { state } = await snapshotOf(storage)
  const rest = await storage.read(sessionId, state.nextSeq)
  return { state: rest.reduce(fold, state) }
}

async function forgetful(storage: SessionStorage) {
  const loaded = await loadSession(storage, sessionId)
  return loaded.covered > 0 ? snapshotOf(storage) : loaded
}

async function losing(storage: SessionStorage) {
  const { covered, ...loaded } = await loadSession(storage, sessionId)
  return covered > 0 ? { state: { ...loaded.state, lastRun: null } } : loaded
}
