import { isObject, type Json, tryJson } from '../../internal/json.ts'
import type { SessionStorage } from '../port.ts'
import { deletedSession } from '../position.ts'
import type { Link } from './link.ts'
import type { Names } from './names.ts'

/** What those who have a session open tell each other. */
type Notice =
  /** A message for those who are connected, but for its sender. */
  | { readonly kind: 'message'; readonly from: string; readonly message: Json }
  /** Made a claim with this number. */
  | { readonly kind: 'claimed'; readonly epoch: number }
  /** Gave a claim back. */
  | { readonly kind: 'released' }
  /** Deleted it, by the message with this number. */
  | { readonly kind: 'deleted'; readonly seq: number }

export interface Lines {
  readonly post: (sessionId: string, notice: Notice) => void
  readonly listen: (sessionId: string, listener: (notice: Notice) => void) => () => void
}

export function createLines(link: Link, names: Names): Lines {
  return {
    post: (sessionId, notice) => link.publish(names.line(sessionId), JSON.stringify(notice)),
    listen: (sessionId, listener) =>
      link.subscribe(names.line(sessionId), ({ data }) => {
        const notice = tryJson(new TextDecoder().decode(data))
        if (isNotice(notice)) listener(notice)
      }),
  }
}

function isNotice(value: unknown): value is Notice {
  if (!isObject(value)) return false
  const { kind, from, message, epoch, seq } = value
  if (kind === 'message') return typeof from === 'string' && message !== undefined
  if (kind === 'claimed') return typeof epoch === 'number'
  return kind === 'released' || (kind === 'deleted' && typeof seq === 'number')
}

export function createConnect(
  link: Link,
  lines: Lines,
  newId: () => string,
): SessionStorage['connect'] {
  return (sessionId, listener) => {
    const own = newId()
    const ending = new AbortController()
    const stop = lines.listen(sessionId, (notice) => {
      if (notice.kind === 'message' && notice.from !== own) listener(notice.message)
      if (notice.kind === 'deleted') ending.abort(deletedSession())
    })
    return {
      ended: AbortSignal.any([ending.signal, link.ended]),
      post: (message) => lines.post(sessionId, { kind: 'message', from: own, message }),
      close: stop,
    }
  }
}
