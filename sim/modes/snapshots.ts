import { loadSession } from '../../packages/core/src/agent/session/load-session.ts'
import { linesOf, type Snapshot } from '../../packages/core/src/agent/session/snapshot.ts'
import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { fold } from '../../packages/core/src/kernel/fold.ts'
import { emptyState, type State } from '../../packages/core/src/kernel/state.ts'
import { stateVersion } from '../../packages/core/src/kernel/state-items.ts'
import { memoryStorage } from '../../packages/core/src/storage/memory.ts'
import type { BrokenRule } from '../judge.ts'
import type { Plan } from '../plan.ts'
import { type Played, play } from '../play.ts'

const sessionId = 'session'

/** What is stored opens to the state of its events: with a snapshot of its beginning, and with each that does not fit. */
export async function withSnapshots(plan: Plan): Promise<Played> {
  const played = await play(plan)
  const stored = played.disk()
  if (played.broken.length > 0 || stored.length === 0) return played
  const [head, covered] = [plan.seed, plan.seed >> 3].map((n) => 1 + (n % stored.length))
  return { ...played, broken: await brokenBy(stored, { head, covered }) }
}

export interface Lengths {
  /** How many events are stored. */
  readonly head: number | undefined
  /** How many the snapshot covers. It may be more than there are. */
  readonly covered: number | undefined
}

/** The rules that opening some events of a log breaks, with snapshots of so many of them. */
export async function brokenBy(
  log: readonly DurableEvent[],
  { head, covered = 0 }: Lengths,
): Promise<readonly BrokenRule[]> {
  const stored = log.slice(0, head)
  const told = await opened(stored, [])
  const broken: BrokenRule[] = []
  for (const { what, fits, lines } of snapshotsOf(log.slice(0, covered))) {
    const isUsed = fits && covered <= stored.length
    const shown = await opened(stored, lines)
    const other = [...told.fields].flatMap(([name, text]) =>
      text === shown.fields.get(name) ? [] : [name],
    )
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
  const { state, covered } = await loadSession(storage, sessionId)
  return { fields: new Map(Object.entries(written(state)).map(asText)), covered }
}

function asText([name, value]: readonly [string, unknown]): [string, string] {
  return [name, JSON.stringify(value)]
}

/** Maps as lists, which JSON keeps. */
function written(state: State): object {
  const agents = [...state.agents].map(([id, agent]) => [
    id,
    { ...agent, state: written(agent.state) },
  ])
  return { ...state, agents }
}
