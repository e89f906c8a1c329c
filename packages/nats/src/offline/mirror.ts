import type { DurableEvent } from '@offthread/core'
import type { Redaction, SessionStorage } from '@offthread/core/storage'
import type { Copy } from './copy.ts'

/** Adds to the copy of a session what the server has stored, in order, while the page does other things. */
export interface Mirror {
  /** How many events the server has, as far as this page knows. */
  readonly end: () => number
  /** The server has stored these events. */
  readonly note: (head: number, events: readonly DurableEvent[]) => void
  /**
   * Resolves with whether the copy has all events up to a number. Does not wait if the answer would need the server.
   */
  readonly isWholeAt: (head: number) => Promise<boolean>
  /** The events that the copy lacks up to a number; `null`: this page does not have all of them. */
  readonly missing: (head: number) => readonly DurableEvent[] | null
  /** Repeats in the copy a redaction that was done at the server. */
  readonly redact: (head: number, redaction: Redaction) => Promise<void>
  /** Resolves when nothing is being added. */
  readonly settled: () => Promise<void>
  readonly stop: () => void
}

interface MirrorOptions {
  readonly remote: SessionStorage
  readonly sessionId: string
  readonly copy: Copy
  /** How many events the server has. */
  readonly end: number
  /** Called when the copy cannot be kept. `isFalse`: the copy holds something else than the server has. */
  readonly onFailure: (isFalse: boolean) => void
}

/** How many events are copied at once. */
const pageSize = 500

export function createMirror(options: MirrorOptions): Mirror {
  const { copy, onFailure } = options
  const news = createNews(options.end)
  let isStopped = false
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    await markStart(copy, news)
    const isOld = copy.head() > 0
    for (let head = copy.head(); head < news.end() && !isStopped; head = copy.head()) {
      const events = await eventsFrom(options, news, head)
      if (isStopped) return
      // A redaction that is read from the server may have removed what was copied before.
      const isFalse = isOld && head < news.from() && events.some(isRedaction)
      if (isFalse || events.length === 0) return fail(true)
      await copy.append({ head }, events)
      news.drop(copy.head())
    }
    if (typeof copy.mark()?.known === 'number' && !isStopped) await copy.setMark({ known: null })
  }

  function fail(isFalse: boolean): void {
    if (!isStopped) onFailure(isFalse)
    isStopped = true
  }

  function start(): void {
    working ??= work()
      .catch(() => fail(false))
      .finally(() => {
        working = null
        if (copy.head() < news.end() && !isStopped) start()
      })
  }

  const missing = (head: number) => (isStopped ? null : news.between(copy.head(), head))
  start()
  return {
    ...{ end: news.end, missing },
    settled: async () => {
      while (working) await working
    },
    note: (head, events) => {
      if (isStopped) return
      if (head !== news.end()) return fail(true)
      news.add(events)
      start()
    },
    isWholeAt: async (head) => {
      if (missing(head) === null) return false
      while (working) await working
      return !isStopped && copy.head() === head
    },
    redact: async (head, redaction) => {
      while (working) await working
      if (isStopped) return
      await copy.redact(head, redaction)
      news.add(redaction.added)
      news.drop(copy.head())
    },
    stop: () => {
      isStopped = true
    },
  }
}

function eventsFrom(
  { remote, sessionId }: MirrorOptions,
  news: ReturnType<typeof createNews>,
  head: number,
): Promise<readonly DurableEvent[]> {
  if (head < news.from()) {
    return remote.read(sessionId, head, Math.min(head + pageSize, news.from()))
  }
  return Promise.resolve(news.after(head).slice(0, pageSize))
}

function isRedaction({ type }: DurableEvent): boolean {
  return type === 'message_redacted'
}

async function markStart(copy: Copy, news: ReturnType<typeof createNews>): Promise<void> {
  // Half a conversation must not look like a whole one.
  if (news.from() - copy.head() > pageSize) await copy.setMark({ known: news.from() })
  else if (!copy.mark() && copy.head() < news.end()) await copy.setMark({ known: null })
}

/** What this page has written, from a number on. Earlier events have to be read. */
function createNews(start: number) {
  let events: DurableEvent[] = []
  let from = start
  return {
    from: () => from,
    end: () => from + events.length,
    after: (head: number): readonly DurableEvent[] => events.slice(head - from),
    /** `null`: not all of these events are here, or they do not end there. */
    between: (head: number, end: number): readonly DurableEvent[] | null =>
      head >= from && from + events.length === end ? events.slice(head - from) : null,
    add: (added: readonly DurableEvent[]): void => {
      events.push(...added)
    },
    /** Forgets the events before a number, which are not needed any more. */
    drop: (head: number): void => {
      if (head <= from) return
      events = events.slice(head - from)
      from = head
    },
  }
}
