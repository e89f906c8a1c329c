import { isObject, type Json } from '../../internal/json.ts'
import { nextTask } from '../../internal/next-task.ts'

/** What pages with the same database post to each other about a session. */
type Notice =
  /** The session has new events. */
  | { readonly kind: 'appended' }
  /** The session was claimed: see `StoredSession.born`. */
  | { readonly kind: 'claimed'; readonly born: number }
  /** The session was deleted, by the deletion with this number: see `lastEpoch`. */
  | { readonly kind: 'deleted'; readonly epoch: number }
  /** A message for the agents that are connected. */
  | { readonly kind: 'message'; readonly message: Json }
  /** Of the page itself: notices of others may have been lost. */
  | { readonly kind: 'missed' }

/** `isOwn`: this page has posted it. */
export type NoticeListener = (notice: Notice, isOwn: boolean) => void

export interface Channel {
  /** Notifies every listener of the session except `sender`, in this page and in others. */
  readonly post: (sessionId: string, notice: Notice, sender?: NoticeListener) => void
  readonly listen: (sessionId: string, listener: NoticeListener) => () => void
}

/** Whether a page can post to others. Where it cannot, it is as if there were no others. */
export function hasOthers(): boolean {
  return typeof BroadcastChannel !== 'undefined'
}

/** More notices without a turn of the page for anything else are a flood, which would hold it for as long as it lasts. */
const mostInATurn = 500

/** Milliseconds for which the page then takes none. */
const pauseMs = 1000

/** Joins the pages by a `BroadcastChannel`, which is open while it has listeners. */
export function createChannel(name: string): Channel {
  const listeners = new Map<NoticeListener, string>()
  let channel: BroadcastChannel | null = null
  let taken = 0

  function deliver({ sessionId, notice }: Posted, isOwn: boolean, sender?: NoticeListener): void {
    for (const [listener, wanted] of listeners) {
      if (wanted === sessionId && listener !== sender) listener(notice, isOwn)
    }
  }

  function open(): BroadcastChannel | null {
    if (!hasOthers()) return null
    const opened = new BroadcastChannel(name)
    opened.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (taken === 0) void nextTask().then(endTurn)
      taken += 1
      if (taken > mostInATurn) pause()
      else if (isPosted(data)) deliver(data, false)
    }
    return opened
  }

  function endTurn(): void {
    taken = 0
  }

  /** What a channel has not delivered when it is closed costs nothing. */
  function pause(): void {
    close()
    setTimeout(() => {
      if (listeners.size > 0) channel ??= open()
      for (const [listener] of listeners) listener({ kind: 'missed' }, true)
    }, pauseMs)
  }

  function close(): void {
    channel?.close()
    channel = null
  }

  return {
    post: (sessionId, notice, sender) => {
      const used = channel ?? open()
      const posted: Posted = { sessionId, notice }
      used?.postMessage(posted)
      if (used !== channel) used?.close()
      // Delivered in a microtask, as from another page.
      queueMicrotask(() => deliver(posted, true, sender))
    },
    listen: (sessionId, listener) => {
      channel ??= open()
      listeners.set(listener, sessionId)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) close()
      }
    },
  }
}

interface Posted {
  readonly sessionId: string
  readonly notice: Notice
}

/** Any script of the origin may post here. The agents that read a message of an agent check its content. */
function isPosted(data: unknown): data is Posted {
  if (!isObject(data) || typeof data['sessionId'] !== 'string') return false
  const { notice } = data
  if (!isObject(notice)) return false
  const { kind, born, epoch } = notice
  return (
    kind === 'appended' ||
    (kind === 'claimed' && typeof born === 'number') ||
    (kind === 'deleted' && typeof epoch === 'number') ||
    (kind === 'message' && notice['message'] !== undefined)
  )
}
