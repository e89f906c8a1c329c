import type { DurableEvent } from '@offthread/core'
import { type Claim, isKind, type SessionStorage, type StorageError } from '@offthread/core/storage'
import { type Copy, openCopy } from './copy.ts'
import { createMirror, type Mirror } from './mirror.ts'

/** Where a session that this page owns is written, and what this page has of it. */
export interface Situation {
  readonly sessionId: string
  /** The claim at the server; `null` without one. */
  readonly claim: () => Claim | null
  /** The copy on this device; `null`: none can be kept. */
  readonly copy: () => Copy | null
  /** What keeps the copy equal to the log at the server; `null` while nothing does. */
  readonly mirror: () => Mirror | null
  /** The server has stored these events. `noteEnd`: content was removed there, and it has this many events since. */
  readonly note: (head: number, events: readonly DurableEvent[]) => void
  readonly noteEnd: (end: number) => void
  /** Whether appended events are kept on this device only. */
  readonly isOffline: () => boolean
  readonly watchOffline: NonNullable<Claim['watchOffline']>
  readonly isOver: () => boolean
  /** Aborted when the session is not this page's any more. */
  readonly lost: AbortSignal
  readonly hold: (claim: Claim | null) => void
  readonly leaveServer: () => void
  /** Shows why the server does not take what is on this device only, though it answers. */
  readonly refuse: (refusal: StorageError) => void
  /** The server has everything again. `end`: how many events that is. */
  readonly returnToServer: (end: number) => void
  /** Stops using the copy and leaves it as it is. Returns it. */
  readonly letGoOfCopy: () => Copy | null
  /** The session is not this page's any more. */
  readonly lose: (reason?: unknown) => void
  readonly close: () => void
}

export interface SituationOptions {
  readonly remote: SessionStorage
  readonly local: SessionStorage
  readonly sessionId: string
  readonly claim: Claim | null
  readonly copy: Copy | null
  /** How many events the server has; `null` if it has to be brought up to date, or cannot be reached. */
  readonly end: number | null
}

export function createSituation(options: SituationOptions): Situation {
  const losing = new AbortController()
  const away = createAway(options.end === null)
  const isOffline = () => away.isSo() && !isOver
  let isOver = false
  const claim = createOne<Claim>((reason) => {
    // What has become of the session shows when the server can be reached again.
    if (isOffline()) hold(null)
    else lose(reason)
  })
  const copies = createCopies(options, {
    onLost: (reason) => (isOffline() ? lose(reason) : copies.letGo()?.release()),
    isInUse: () => !isOver && !isOffline(),
  })

  function hold(next: Claim | null): void {
    claim.current()?.release()
    claim.set(next)
  }

  function close(): void {
    if (isOver) return
    isOver = true
    claim.current()?.release()
    // What is stored at the server is still copied before another tab may write the copy.
    const working = copies.mirror()?.settled() ?? Promise.resolve()
    void working.then(() => copies.letGo()?.release())
  }

  function lose(reason?: unknown): void {
    if (isOver) return
    const left = isKind(reason, 'cleared') && !isOffline() ? copies.letGo() : null
    close()
    left?.drop().catch(() => {})
    losing.abort(reason)
  }

  claim.set(options.claim)
  copies.set(options.copy)
  if (options.end !== null) copies.startMirror(options.end)
  return {
    ...{ sessionId: options.sessionId, lost: losing.signal, isOffline, hold, lose, close },
    ...{ copy: copies.current, mirror: copies.mirror, letGoOfCopy: copies.letGo },
    ...{ note: copies.note, noteEnd: copies.noteEnd },
    claim: claim.current,
    isOver: () => isOver,
    watchOffline: away.watch,
    refuse: away.refuse,
    leaveServer: () => {
      copies.stopMirror()
      away.set(true)
    },
    returnToServer: (end) => {
      copies.startMirror(end)
      away.set(false)
    },
  }
}

/** Holds one thing that can be lost: a claim, or the copy. */
function createOne<Thing extends { readonly lost: AbortSignal }>(
  onLost: (reason: unknown) => void,
) {
  let current: Thing | null = null
  return {
    current: () => current,
    set: (next: Thing | null): void => {
      current = next
      if (!next) return
      const end = () => {
        if (current === next) onLost(next.lost.reason)
      }
      if (next.lost.aborted) end()
      else next.lost.addEventListener('abort', end)
    },
  }
}

type AwayListener = (isAway: boolean, refusal?: StorageError) => void

/** Whether the server is away, or does not take what is here, for those who show it. */
function createAway(isAway: boolean) {
  const watchers = new Set<AwayListener>()
  let isSo = isAway
  let refusal: StorageError | undefined
  const notify = () => {
    for (const watcher of watchers) watcher(isSo, refusal)
  }
  return {
    isSo: () => isSo,
    set: (now: boolean): void => {
      isSo = now
      refusal = undefined
      notify()
    },
    refuse: (given: StorageError): void => {
      if (given.message === refusal?.message) return
      refusal = given
      notify()
    },
    watch: (listener: AwayListener) => {
      watchers.add(listener)
      if (isSo) listener(true, refusal)
      return () => watchers.delete(listener)
    },
  }
}

interface CopyUse {
  readonly onLost: (reason: unknown) => void
  /** Whether the server is used, so that the copy has to be kept equal to it. */
  readonly isInUse: () => boolean
}

/** The copy on this device, and what keeps it equal to the log at the server. */
function createCopies(
  { remote, local, sessionId }: SituationOptions,
  { onLost, isInUse }: CopyUse,
) {
  const copy = createOne<Copy>(onLost)
  let mirror: Mirror | null = null
  /** How many events the server has. */
  let end = 0

  function stopMirror(): void {
    mirror?.stop()
    mirror = null
  }

  function letGo(): Copy | null {
    const left = copy.current()
    stopMirror()
    copy.set(null)
    return left
  }

  function startMirror(from: number): void {
    end = from
    const own = copy.current()
    if (!own) return
    mirror = createMirror({
      ...{ remote, sessionId, copy: own, end },
      onFailure: (isFalse) => {
        const left = letGo()
        if (isFalse) copyAgain(left).catch(() => {})
        else left?.release()
      },
    })
  }

  /** Makes a new copy, because the old one holds something else than the server has. */
  async function copyAgain(left: Copy | null): Promise<void> {
    await left?.drop()
    const fresh = isInUse() ? await openCopy(local, sessionId, 'take') : null
    if (!isInUse()) return fresh?.release()
    copy.set(fresh)
    startMirror(end)
  }

  function noteEnd(now: number): void {
    end = now
  }

  function note(head: number, events: readonly DurableEvent[]): void {
    noteEnd(head + events.length)
    mirror?.note(head, events)
  }

  return {
    ...{ letGo, startMirror, stopMirror, note, noteEnd },
    ...{ current: copy.current, set: copy.set, mirror: () => mirror },
  }
}
