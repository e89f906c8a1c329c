import { AgentUsageError } from '../usage-errors.ts'
import type { RemoteOwner } from './ports.ts'
import type { Role, RoleOptions } from './role.ts'
import type { Wish } from './wish.ts'

/** Shows a session that broke the page each time it was opened, and does nothing with it. */
export function createReader({ storage, sessionId, ports }: RoleOptions): Role {
  ports.show({ access: 'read-only' })
  const stop = storage.follow(sessionId, ports.state().nextSeq, ports.replay)
  const send = ({ command }: Wish) =>
    ports.show({ refused: { command, message: refused().message } })
  return {
    remote: { ...readOnly, send },
    hear: () => {},
    enter: () => {},
    leave: async () => stop(),
  }
}

const readOnly: Omit<RemoteOwner, 'send'> = {
  run: async () => {
    throw refused()
  },
  ask: async () => {
    throw refused()
  },
}

function refused(): AgentUsageError {
  return new AgentUsageError(
    'read_only',
    'The page ended twice while it opened this session, so the session is only shown. Use takeOver() to go on with it all the same.',
  )
}
