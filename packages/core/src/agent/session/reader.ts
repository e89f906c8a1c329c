import { AgentUsageError } from '../usage-errors.ts'
import type { RemoteOwner } from './ports.ts'
import type { Role, RoleOptions } from './role.ts'

/** Shows a session that broke the page each time it was opened, and does nothing with it. */
export function createReader({ storage, sessionId, ports }: RoleOptions): Role {
  ports.show('read-only')
  const stop = storage.follow(sessionId, ports.state().nextSeq, ports.replay)
  return { remote: readOnly, hear: () => {}, enter: () => {}, leave: async () => stop() }
}

const readOnly: RemoteOwner = {
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
