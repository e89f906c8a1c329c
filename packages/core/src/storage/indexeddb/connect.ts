import type { SessionStorage } from '../port.ts'
import { deletedSession } from '../position.ts'
import type { NoticeListener } from './channel.ts'
import type { Ports } from './ports.ts'

/** Joins a session in all pages of the database. */
export function createConnect({
  channel,
  database,
}: Pick<Ports, 'channel' | 'database'>): SessionStorage['connect'] {
  return (sessionId, listener) => {
    const deleted = new AbortController()
    const receive: NoticeListener = (notice) => {
      if (notice.kind === 'message') listener(notice.message)
      else if (notice.kind === 'deleted') deleted.abort(deletedSession())
    }
    const close = channel.listen(sessionId, receive)
    return {
      post: (message) => channel.post(sessionId, { kind: 'message', message }, receive),
      ended: AbortSignal.any([deleted.signal, database.ended]),
      close,
    }
  }
}
