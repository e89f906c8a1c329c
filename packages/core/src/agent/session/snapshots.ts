import type { Clock } from '../../internal/clock.ts'
import { yieldToPage } from '../../internal/yield-to-page.ts'
import { fold } from '../../kernel/fold.ts'
import type { Claim } from '../../storage/port.ts'
import type { LoadedSession } from './load-session.ts'
import type { SessionPorts } from './ports.ts'
import { writeSnapshot } from './snapshot.ts'

/** Milliseconds after the end of a turn in which the page may have better things to do. */
const pauseMs = 1000

/** With fewer new events than this, folding them takes less time than reading a snapshot. */
const enoughEvents = 1000

/** The page that holds the session. */
interface SnapshotPage {
  readonly clock: Pick<Clock, 'setTimer'>
  readonly ports: Pick<SessionPorts, 'state' | 'log' | 'subscribe'>
}

/** What snapshots are made of. */
interface SnapshotSource {
  /** Resolves when what was written so far is stored. */
  readonly stored: () => Promise<void>
  /** The session as it was when the agent opened it. */
  readonly loaded: LoadedSession
  readonly claim: Pick<Claim, 'keepBytes'>
  /** The number of new events after which a snapshot is worth keeping. */
  readonly minEvents?: number
}

export interface Snapshots {
  readonly stop: () => void
  /** Resolves when no snapshot is being written. */
  readonly settled: () => Promise<void>
}

/**
 * Keeps a snapshot of a session that has grown by a quarter: however long it becomes, writing costs the same for each
 * event. What fails is tried again when the session has grown.
 */
export function keepSnapshots(
  { clock, ports }: SnapshotPage,
  { stored, loaded, claim, minEvents = enoughEvents }: SnapshotSource,
): Snapshots {
  let { state, last } = loaded
  let written = loaded.covered
  let cancelTimer: (() => void) | null = null
  let writing = Promise.resolve()
  let isStopped = false

  const isDue = (): boolean => ports.state().nextSeq - written >= Math.max(minEvents, written / 4)

  function schedule(): void {
    if (!isDue()) return
    cancelTimer ??= clock.setTimer(pauseMs, () => {
      writing = write()
        .catch(() => {})
        .finally(() => {
          cancelTimer = null
        })
    })
  }

  async function write(): Promise<void> {
    const events = ports.log.filter(({ seq }) => seq >= state.nextSeq)
    written = ports.state().nextSeq
    await stored()
    if (isStopped) return
    // The state is folded from stored events only, because the state of the page also holds others.
    for (const event of events) {
      state = fold(state, event)
      await yieldToPage()
      if (isStopped) return
    }
    last = events.at(-1) ?? last
    if (last) await writeSnapshot(claim, { state, last })
  }

  const unsubscribe = ports.subscribe(({ type, agentId }) => {
    if (agentId === undefined && (type === 'turn_end' || type === 'agent_end')) schedule()
  })
  schedule()
  return {
    stop: () => {
      isStopped = true
      unsubscribe()
      cancelTimer?.()
    },
    settled: () => writing,
  }
}
