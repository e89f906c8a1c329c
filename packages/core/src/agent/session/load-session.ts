import type { DurableEvent } from '../../kernel/events.ts'
import { emptyState, type State } from '../../kernel/state.ts'
import { readLog } from '../../runtime/read-log.ts'
import type { SessionStorage, StorageError } from '../../storage/port.ts'
import { isSameEvent } from '../../storage/same-event.ts'
import { type Page, readPages } from './read-pages.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** What a stored session holds. */
export interface LoadedSession {
  readonly state: State
  /** The last event; `null` if there is none. Others are not kept: they can be read again. */
  readonly last: DurableEvent | null
  /** How many events the snapshot covers, so that they did not have to be folded. */
  readonly covered: number
  /** Why the events after the last one cannot be used. */
  readonly problem: StorageError | null
}

/** Folds a stored session in slices up to its first bad event, from its snapshot on if that fits. */
export async function loadSession(
  storage: SessionStorage,
  sessionId: string,
): Promise<LoadedSession> {
  const snapshot = await readSnapshot(storage, sessionId)
  const continued = snapshot && (await goOn(snapshot, storage, sessionId))
  return continued ?? foldPages(nothingLoaded(sessionId), readPages(storage, sessionId, 0))
}

export function nothingLoaded(sessionId: string): LoadedSession {
  return { state: emptyState(sessionId), last: null, covered: 0, problem: null }
}

/** Folds the events after a snapshot. `null`: the snapshot belongs to another log. */
async function goOn(
  { state, last }: Snapshot,
  storage: SessionStorage,
  sessionId: string,
): Promise<LoadedSession | null> {
  const pages = readPages(storage, sessionId, last.seq)
  const { value: page = [] } = await pages.next()
  if (!isSameEvent(last, page[0] ?? undefined)) return null
  const start = { state, last, covered: state.nextSeq, problem: null }
  return foldPages(foldPage(start, page.slice(1)), pages)
}

async function foldPages(start: LoadedSession, pages: AsyncIterable<Page>): Promise<LoadedSession> {
  let loaded = start
  if (start.problem) return start
  for await (const events of pages) {
    loaded = foldPage(loaded, events)
    if (loaded.problem) break
  }
  return loaded
}

function foldPage(before: LoadedSession, page: Page): LoadedSession {
  const { events, state, problem } = readLog(before.state, page)
  return { ...before, state, last: events.at(-1) ?? before.last, problem }
}
