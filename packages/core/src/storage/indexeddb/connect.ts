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
    // This is requested before anything of the session is read. The notice of an earlier deletion may still come later,
    // and must not end this connection.
    const joined = database
      .read((now) => readJoined(now, sessionId))
      .catch(() => ({ epoch: 0, born: null }))
    let known: number | null = null
    const end = async (epoch: number): Promise<void> => {
      if ((await joined).epoch < epoch) deleted.abort(deletedSession())
    }
    // A page that ended in the middle of a deletion has notified no other page. A claim of the next session of that
    // name shows that the old one is gone.
    const meet = async (born: number): Promise<void> => {
      const { born: first } = await joined
      known ??= first ?? born
      if (known !== born) deleted.abort(deletedSession())
    }
    const receive: NoticeListener = (notice) => {
      if (notice.kind === 'message') listener(notice.message)
      else if (notice.kind === 'deleted') void end(notice.epoch)
      else if (notice.kind === 'claimed') void meet(notice.born)
    }
    const close = channel.listen(sessionId, receive)
    return {
      post: (message) => channel.post(sessionId, { kind: 'message', message }, receive),
      ended: AbortSignal.any([deleted.signal, database.ended]),
      ...{ close, joined },
    }
  }
}
