import { loadSession } from '../../packages/core/src/agent/session/load-session.ts'
import { linesOf, type Snapshot } from '../../packages/core/src/agent/session/snapshot.ts'
import {
  type AgentEvent,
  type DurableEvent,
  isDurable,
} from '../../packages/core/src/kernel/events.ts'
import { fold } from '../../packages/core/src/kernel/fold.ts'
import { emptyState, type State } from '../../packages/core/src/kernel/state.ts'
import { stateVersion } from '../../packages/core/src/kernel/state-items.ts'
import { memoryStorage } from '../../packages/core/src/storage/memory.ts'
import type { BrokenRule } from '../judge.ts'
import type { Plan } from '../plan.ts'
import { type Played, play } from '../play.ts'
import { createRandom } from '../world/random.ts'
import { differences } from './differences.ts'
import { brokenByKeeping } from './kept-snapshots.ts'

const sessionId = 'session'

/**
 * What is stored opens to the state of its events: with a snapshot of its beginning, with each that does not fit, and with
 * those that its owner keeps while it goes on.
 */
export async function withSnapshots(plan: Plan): Promise<Played> {
  const played = await play(plan)
  const stored = played.disk()
  if (played.broken.length > 0 || stored.length === 0) return played
  const [head, covered] = [plan.seed, plan.seed >> 3].map((n) => 1 + (n % stored.length))
  const read = await brokenBy(stored, { head, covered })
  const kept = await brokenByKeeping({
    live: liveOf(played.log, stored),
    random: createRandom(plan.seed),
  })
  return { ...played, broken: [...read, ...kept] }
}

/** The stored events with those between them, if the rules have seen each. */
function liveOf(
  log: readonly AgentEvent[],
  stored: readonly DurableEvent[],
): readonly AgentEvent[] {
  return JSON.stringify(log.filter(isDurable)) === JSON.stringify(stored) ? log : stored
}

export interface Lengths {
  /** How many events are stored. */
  readonly head: number | undefined
  /** How many the snapshot covers. It may be more than there are. */
  readonly covered: number | undefined
}

/** The rules that are broken when the events of a log are opened, with snapshots of some of them. */
export async function brokenBy(
  log: readonly DurableEvent[],
  { head, covered = 0 }: Lengths,
): Promise<readonly BrokenRule[]> {
  const stored = log.slice(0, head)
  const expected = await opened(stored, [])
  const broken: BrokenRule[] = []
  for (const { what, fits, lines } of snapshotsOf(log.slice(0, covered))) {
    const isUsed = fits && covered <= stored.length
    const shown = await opened(stored, lines)
    const other = differences(expected.state, shown.state)
    if (other.length === 0 && shown.covered === (isUsed ? covered : 0)) continue
    const why = `${stored.length} events and a snapshot ${what} of ${covered}: ${shown.covered} are covered, with another ${other}`
    broken.push({ rule: isUsed ? 'D37' : 'D38', why })
  }
  return broken
}

interface Kept {
  readonly what: string
  readonly fits: boolean
  readonly lines: readonly string[]
}

/** A snapshot that is to be used, and others that would be seen in the state if they were. */
function snapshotsOf(log: readonly DurableEvent[]): readonly Kept[] {
  const last = log.at(-1)
  if (!last) return []
  const right: Snapshot = { state: log.reduce(fold, emptyState(sessionId)), last }
  const wrong: Snapshot = { ...right, state: { ...right.state, bootId: 'of the snapshot' } }
  const kept = (what: string, lines: Iterable<string>, fits = false): Kept => {
    return { what, fits, lines: [...lines] }
  }
  const { ts } = last
  const strange: State = { ...wrong.state, sessionId: 'another' }
  return [
    kept('that fits', linesOf(right), true),
    kept('of another log', linesOf({ ...wrong, last: { ...last, ts: ts + 1 } })),
    kept('of another version', linesOf(wrong, stateVersion + 1)),
    kept('of another session', linesOf({ ...wrong, state: strange })),
    kept('that was changed', changed([...linesOf(right)])),
    kept('without its end', [[...linesOf(right)].join('').slice(0, -1)]),
  ]
}

/** The lines with other texts in them, and with their sums as they were. */
function changed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replaceAll('"bootId":"', '"bootId":"of the snapshot '))
}

async function opened(stored: readonly DurableEvent[], snapshot: readonly string[]) {
  const storage = memoryStorage()
  await storage.append(sessionId, { head: 0, epoch: 0 }, stored)
  if (snapshot.length > 0)
    await storage.writeBytes(sessionId, 'offthread:state', new Blob([...snapshot]))
  return loadSession(storage, sessionId)
}
