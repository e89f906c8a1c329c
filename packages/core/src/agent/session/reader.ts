import type { StorageErrorKind } from '../../storage/port.ts'
import { AgentUsageError } from '../usage-errors.ts'
import { watchPageLife } from './page-life.ts'
import type { RemoteOwner } from './ports.ts'
import type { Role, RoleOptions } from './role.ts'
import type { Wish } from './wish.ts'

/** Why a session is only shown. */
export interface ReadingReason {
  /** The kind of the storage's error; `null`: the storage works. */
  readonly kind: StorageErrorKind | null
  /** A sentence for developers. */
  readonly message: string
}

/** A page that broke while it opened the session may break again. */
export const brokenPage: ReadingReason = {
  kind: null,
  message:
    'The page ended twice while it opened this session, so the session is only shown. Use takeOver() to go on with it all the same.',
}

/** Shows a session that cannot be written, and does nothing with it. */
export function createReader(
  { storage, sessionId, ports, standing, wishes }: RoleOptions,
  { kind, message }: ReadingReason,
): Role {
  standing.take('read-only', kind)
  // Events after the damaged one are not read. Where only the space for an opening is missing, another page may write.
  const isDamaged = kind !== null && kind !== 'full'
  const follow = () =>
    isDamaged ? () => {} : storage.follow(sessionId, ports.state().nextSeq, ports.replay)
  let stop = follow()
  const stopWatchingPage = watchPageLife({
    onHide: () => {},
    onReturn: () => {
      stop()
      stop = follow()
    },
  })
  const refusal = () => new AgentUsageError('read_only', message)
  const refuse = async () => {
    throw refusal()
  }
  const send = ({ command }: Wish): true => {
    ports.show({ refused: { command, message } })
    return true
  }
  const remote: RemoteOwner = { run: refuse, ask: refuse, send }
  return {
    ...{ held: null, remote, receive: () => {} },
    // The agent may have been a follower before: its open commands are refused.
    enter: () => wishes.rejectAll(refusal()),
    leave: async () => {
      stopWatchingPage()
      stop()
    },
  }
}
