import { withoutFullStop } from '../internal/full-stop.ts'
import { loadPart } from '../internal/load-part.ts'
import { messageOf } from '../internal/message-of.ts'
import type { DurableEvent } from '../kernel/events.ts'
import type { ArtifactOptions } from '../storage/artifacts.ts'
import type { SessionStorage, StorageError } from '../storage/port.ts'
import { failureOf } from './failure.ts'
import type { RemoteOwner, StoredSession } from './session/ports.ts'
import type { SessionOptions } from './session/stored-session.ts'

/** What a log is opened with. */
export interface Opening extends Omit<SessionOptions, 'storage' | 'onOpen'> {
  readonly storage: SessionStorage | undefined
}

/** A log that is open, or being opened. */
export interface OpenedLog {
  /** Rejects when the log cannot be read. */
  readonly opened: Promise<void>
  readonly isOpen: () => boolean
  /** The agent that writes the session, if it is another one. */
  readonly remote: () => RemoteOwner | null
  /** Makes the agent the owner of its session. */
  readonly takeOver: () => Promise<void>
  /** Removes the content of a message for good. */
  readonly redact: (messageId: string) => Promise<void>
  /** Stores an artifact beside the log, or removes it. */
  readonly keepArtifact: ArtifactOptions['onChange']
  readonly readArtifact: (artifactId: string) => Promise<Blob | undefined>
  /** The stored events from a number on that the agent does not keep in memory; `undefined` if there can be none. */
  readonly past: (from: number) => AsyncIterable<readonly DurableEvent[]> | undefined
  /** Stores what is left, and gives the session back. */
  readonly close: () => Promise<void>
}

/** Opens the log of a session and goes on with it. Without a storage there is nothing to wait for. */
export function openLog({ storage, ...options }: Opening): OpenedLog {
  let session: StoredSession | null = null
  const onOpen = (open: StoredSession): void => {
    session = open
  }
  // Only sessions with a storage, and redactions, load this.
  const load = () => loadPart(() => import('./session/stored-session.ts'), options.clock)
  const opened = storage
    ? load().then(({ openSession }) => openSession({ ...options, storage, onOpen }))
    : Promise.resolve(options.ports.own(null))
  // The state shows the failure, and `ready` rejects.
  opened.catch((thrown: unknown) => options.fail(loadFailure(thrown)))
  return {
    opened,
    isOpen: () => !storage || session !== null,
    remote: () => session?.remote() ?? null,
    takeOver: async () => {
      await opened
      await session?.takeOver()
    },
    redact: async (messageId) => {
      await opened
      const { redactIn } = await load()
      await redactIn(session, options, messageId)
    },
    keepArtifact: (artifactId, data) => session?.keepArtifact(artifactId, data),
    readArtifact: async (artifactId) => {
      await opened
      return storage?.readBytes(options.sessionId, artifactId)
    },
    past: (from) => session?.past(from),
    close: async () => {
      if (!session) await opened.catch(() => {})
      await session?.close()
    },
  }
}

function loadFailure(thrown: unknown): StorageError {
  const reason = withoutFullStop(messageOf(thrown))
  return failureOf(
    thrown,
    `The session could not be read (${reason}). Nothing of it was changed. Reload to try again.`,
  )
}
