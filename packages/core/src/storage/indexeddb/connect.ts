import type { Json } from '../../internal/json.ts'
import type { Connection } from '../port.ts'
import { deletedSession } from '../position.ts'
import type { NoticeListener } from './channel.ts'
import type { Ports } from './ports.ts'
import { type Joined, readJoined } from './requests.ts'

/** The connection of one agent to a session. */
interface Place extends Connection {
  /** The stored facts about the session, read when the agent joined. */
  readonly joined: Promise<Joined>
}

/** Connects to a session across all pages of the database. */
export function createConnect({
  channel,
  database,
}: Pick<Ports, 'channel' | 'database'>): (
  sessionId: string,
  listener: (message: Json) => void,
) => Place {
  return (sessionId, listener) => {
    const deleted = new AbortController()
    const look = () =>
      database.read((now) => {
        const found = readJoined(now, sessionId)
        now.commit()
        return found
      })
    // This is requested before anything of the session is read. The notice of an earlier deletion may still come later,
    // and must not end this connection.
    const joined = look().catch(() => ({ epoch: 0, born: null }))
    let known: number | null = null
    // Any script of the origin may post a notice, so what is stored says whether the session is gone. A page that ended
    // in the middle of a deletion has notified no other page: then a claim of the next session of that name shows it.
    const check = async (notice: Partial<Joined>, isOwn: boolean): Promise<void> => {
      const first = await joined
      known ??= first.born ?? (isOwn ? (notice.born ?? null) : null)
      if (known !== null && known === notice.born) return
      const stored = await look().catch(() => null)
      if (!stored) return
      if (isOfAnother(stored, known) || wasDeleted(first, stored, notice.epoch))
        deleted.abort(deletedSession())
      else if (notice.born === stored.born) known ??= stored.born
    }
    const receive: NoticeListener = (notice, isOwn) => {
      if (notice.kind === 'message') listener(notice.message)
      else if (notice.kind === 'deleted') void check({ epoch: notice.epoch }, isOwn)
      else if (notice.kind === 'claimed') void check({ born: notice.born }, isOwn)
      else if (notice.kind === 'missed') void check({}, isOwn)
    }
    const close = channel.listen(sessionId, receive)
    return {
      post: (message) => channel.post(sessionId, { kind: 'message', message }, receive),
      ended: AbortSignal.any([deleted.signal, database.ended]),
      ...{ close, joined },
    }
  }
}

/** Whether another session has the name now, or none. `known`: when the one that was joined was born, if that is known. */
function isOfAnother({ born }: Joined, known: number | null): boolean {
  return known !== null && born !== known
}

/** Whether there was such a deletion after `first`, and the session that is stored now, if any, was born after it. */
function wasDeleted(first: Joined, { epoch: last, born }: Joined, deletion = 0): boolean {
  const isYounger = born === null || born > deletion
  return deletion > first.epoch && deletion <= last && isYounger
}
