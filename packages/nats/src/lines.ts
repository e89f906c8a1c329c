import type { Json } from '@offthread/core'
import { deletedSession, type SessionStorage, tryJson } from '@offthread/core/storage'
import { isObject } from './is-object.ts'
import type { Link } from './link.ts'
import type { Names } from './names.ts'
import type { Records } from './records.ts'
import { createTextAssembly, type TextPart, textParts } from './text-parts.ts'

/** What agents that have one session open post to each other. */
type Notice =
  /** A message for everyone who is connected, except its sender. */
  | { readonly kind: 'message'; readonly from: string; readonly message: Json }
  /** The sender made a claim with this number. */
  | { readonly kind: 'claimed'; readonly epoch: number }
  /** The sender gave its claim back. */
  | { readonly kind: 'released' }
  /** The sender deleted the session. Any device of the account may post that, so the record is looked at. */
  | { readonly kind: 'deleted' }

/** This page has read that the log is another one. This notice comes from no other device. */
interface Gone {
  readonly kind: 'gone'
}

export interface Lines {
  readonly post: (sessionId: string, notice: Notice) => void
  readonly listen: (sessionId: string, listener: (notice: Notice | Gone) => void) => () => void
  /** Notifies the listeners of this page that the log they follow was deleted. */
  readonly end: (sessionId: string) => void
}

export interface LineOptions {
  readonly link: Link
  readonly names: Names
  readonly newId: () => string
}

export function createLines({ link, names, newId }: LineOptions): Lines {
  const listeners = new Set<{
    readonly sessionId: string
    readonly take: (notice: Gone) => void
  }>()
  return {
    end: (sessionId) => {
      for (const one of [...listeners]) if (one.sessionId === sessionId) one.take({ kind: 'gone' })
    },
    post: (sessionId, notice) => {
      const text = JSON.stringify(notice)
      link.publish(names.line(sessionId), (mostBytes) => {
        if (new TextEncoder().encode(text).length <= mostBytes) return [text]
        return textParts(newId(), text, mostBytes).map((part) => JSON.stringify(part))
      })
    },
    listen: (sessionId, listener) => {
      const assembly = createTextAssembly()
      const take = (notice: unknown) => {
        if (isNotice(notice)) listener(notice)
      }
      const own = { sessionId, take: listener }
      listeners.add(own)
      const stop = link.subscribe(names.line(sessionId), ({ data }) => {
        const said = tryJson(new TextDecoder().decode(data))
        if (!isPart(said)) return take(said)
        const text = assembly.add(said)
        if (text !== null) take(tryJson(text))
      })
      return () => {
        listeners.delete(own)
        stop()
      }
    },
  }
}

function isPart(value: unknown): value is TextPart {
  if (!isObject(value)) return false
  const { id, index, count, text } = value
  const areNumbers = typeof index === 'number' && typeof count === 'number'
  return areNumbers && typeof id === 'string' && typeof text === 'string'
}

function isNotice(value: unknown): value is Notice {
  if (!isObject(value)) return false
  const { kind, from, message, epoch } = value
  if (kind === 'message') return typeof from === 'string' && message !== undefined
  if (kind === 'claimed') return typeof epoch === 'number'
  return kind === 'released' || kind === 'deleted'
}

export function createConnect(
  { link, newId }: Pick<LineOptions, 'link' | 'newId'>,
  lines: Lines,
  records: Pick<Records, 'get'>,
): SessionStorage['connect'] {
  return (sessionId, listener) => {
    const own = newId()
    const ending = new AbortController()
    const end = () => ending.abort(deletedSession())
    const look = oneAtATime(async () => {
      if ((await records.get(sessionId)) === null) end()
    })
    const stop = lines.listen(sessionId, (notice) => {
      if (notice.kind === 'message' && notice.from !== own) listener(notice.message)
      if (notice.kind === 'deleted') look()
      if (notice.kind === 'gone') end()
    })
    return {
      ended: AbortSignal.any([ending.signal, link.ended]),
      post: (message) => lines.post(sessionId, { kind: 'message', from: own, message }),
      close: stop,
    }
  }
}

/**
 * Runs one look at a time. One that is asked for meanwhile follows, because the running one may have come too early.
 * Failures are ignored.
 */
export function oneAtATime(look: () => Promise<void>): () => void {
  let isUnderWay = false
  let isWanted = false
  async function start(): Promise<void> {
    isWanted = true
    if (isUnderWay) return
    isUnderWay = true
    while (isWanted) {
      isWanted = false
      await look().catch(() => {})
    }
    isUnderWay = false
  }
  return () => void start()
}
