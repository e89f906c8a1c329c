import type { SessionStorage } from '../port.ts'
import { deletedSession } from '../position.ts'
import type { NoticeListener } from './channel.ts'
import type { Ports } from './ports.ts'
import { lastEpoch } from './requests.ts'

/** Joins a session in all pages of the database. */
export function createConnect({
  channel,
  database,
}: Pick<Ports, 'channel' | 'database'>): SessionStorage['connect'] {
  return (sessionId, listener) => {
    const deleted = new AbortController()
    // Asked for before anything of the session is read. The notice of an earlier deletion may come later: it is of no session
    // that is joined here.
    const joined = database.read(lastEpoch).catch(() => 0)
    const end = async (epoch: number): Promise<void> => {
      if ((await joined) < epoch) deleted.abort(deletedSession())
    }
    const receive: NoticeListener = (notice) => {
      if (notice.kind === 'message') listener(notice.message)
      else if (notice.kind === 'deleted') void end(notice.epoch)
    }
    const close = channel.listen(sessionId, receive)
    return {
      post: (message) => channel.post(sessionId, { kind: 'message', message }, receive),
      ended: AbortSignal.any([deleted.signal, database.ended]),
      close,
    }
  }
}
