import type { AgentParts } from './parts.ts'
import { AgentBusyError } from './usage-errors.ts'

/** What has to hold before a command counts. Each throws an error that says what to do instead. */
export interface Guards {
  /** No run is active. */
  readonly requireRest: (what: string) => void
  /** Something can still be written: what is said is not forgotten. */
  readonly requireStorage: () => void
  /** The session is read: what the command is about is known. */
  readonly requireOpen: () => void
  /** Does it now, or when the session is read. */
  readonly whenOpen: (command: () => void) => void
}

export function createGuards(parts: AgentParts, disposal: AbortSignal): Guards {
  function requireStorage(): void {
    disposal.throwIfAborted()
    parts.failure.throwIfFailed()
  }
  return {
    requireRest: (what) => {
      disposal.throwIfAborted()
      if (!parts.runtime.state().run) return
      throw new AgentBusyError(
        `Cannot ${what} while a run is active. Wait for it, or abort() it first.`,
      )
    },
    requireStorage,
    requireOpen: () => {
      requireStorage()
      if (parts.isOpen()) return
      throw new AgentBusyError('The session is still being read. Wait for agent.ready first.')
    },
    whenOpen: (command) => {
      requireStorage()
      if (parts.isOpen()) command()
      else void parts.opened.then(command, () => {})
    },
  }
}
