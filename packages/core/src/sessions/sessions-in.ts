import { defined } from '../internal/defined.ts'
import { type Environment, platformEnvironment } from '../internal/environment.ts'
import { reportLater } from '../internal/report-later.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { joinList } from '../storage/list-channel.ts'
import type { SessionStorage } from '../storage/port.ts'
import { toTitle } from '../storage/title.ts'
import { exportSession } from './export-session.ts'
import { forkSession } from './fork-session.ts'
import { type ImportedSession, type ImportOptions, importSession } from './import-session.ts'
import { entryOf, listSessions, type SessionInfo } from './list-sessions.ts'
import { redactSession } from './redact-session.ts'
import { type SessionsListener, watchSessions } from './watch-sessions.ts'
import { writeSession } from './write-session.ts'

/** How a new session is called. */
export interface NewSession {
  /** The name of the session in the storage. Default: a new one. */
  readonly sessionId?: string
  /** The title that a person gave it. */
  readonly title?: string
}

/**
 * The sessions in a storage. Changes show in every list that is watched, in this tab and in others. A title is kept as
 * one line of at most 100 characters; deceptive characters are left out.
 *
 * Every method rejects with a `SessionError`, or with a `StorageError` if the storage failed.
 */
export interface Sessions {
  /** All sessions, the one last written first. */
  readonly list: () => Promise<readonly SessionInfo[]>
  /**
   * Calls the listener with the list, and again about 50 ms after it has changed, in any tab. `onError` gets what the
   * storage failed with. Returns the function that ends this.
   */
  readonly watch: (listener: SessionsListener, onError?: (error: unknown) => void) => () => void
  /** Creates a session without messages, and resolves with its name. `name_taken`: there is one of that name. */
  readonly create: (options?: NewSession) => Promise<string>
  /** Gives a session a title. An empty title removes it: the list then shows the start of the first message. */
  readonly rename: (sessionId: string, title: string) => Promise<void>
  /**
   * Creates a session that begins as this one does, up to and with a message, and resolves with its name. Its calls with
   * the results that its run has, and its files come along; a run that was active at the message has ended as
   * interrupted. The session itself, which may be open, stays as it is.
   */
  readonly fork: (sessionId: string, messageId: string, options?: NewSession) => Promise<string>
  /**
   * Removes the content of a message for good, as `redact` of an agent does, from a session that no agent has open. Rejects
   * with a `SessionError`: `open` if one has it, `unknown_message`, `unfinished` if its last run was cut off or calls of
   * the message are open, `not_supported` for a storage that cannot remove anything. Nothing is removed then.
   */
  readonly redact: (sessionId: string, messageId: string) => Promise<void>
  /** Removes a session with its files, for good. An agent that has it open loses it. */
  readonly delete: (sessionId: string) => Promise<void>
  /**
   * The session with its files as a file of JSON lines. The file is made while it is read, so a long session is never
   * in memory as a whole. It holds what was said and what tools returned, in plain text. Of a damaged session it holds
   * the events before the damage, and as much of the rest as can be read, marked as left out.
   */
  readonly export: (sessionId: string) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
  /**
   * Creates a session from an exported one. It starts nothing, also when an agent opens it: a run that was active has
   * ended as interrupted. A file that is not what was exported is refused as a whole; so is one over a limit.
   */
  readonly import: (
    file: Blob | ReadableStream<Uint8Array>,
    options?: ImportOptions,
  ) => Promise<ImportedSession>
}

/**
 * The sessions in a storage: to list, create, rename, fork, delete, export and import them.
 *
 * @example
 * ```ts
 * const sessions = sessionsIn(storage)
 * const sessionId = await sessions.create({ title: 'A trip' })
 * const agent = createAgent({ model, storage, sessionId })
 * ```
 */
export function sessionsIn(storage: SessionStorage): Sessions {
  return sessionsWith(storage, platformEnvironment)
}

/** `sessionsIn` with time and ids of one's own: for tests. */
export function sessionsWith(storage: SessionStorage, environment: Environment): Sessions {
  const { clock } = environment
  const newId = ({ sessionId }: NewSession) => sessionId ?? environment.newId('session')

  /** The outcome of the work, after the pages that show a list were notified. */
  async function announced<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work
    const { post, close } = joinList(storage)
    post()
    close()
    return result
  }

  return {
    list: () => listSessions(storage),
    watch: (listener, onError = reportLater) =>
      watchSessions({ storage, clock }, listener, onError),
    create: async (options = {}) => {
      const sessionId = newId(options)
      await announced(createSession(storage, { ...options, sessionId }, environment))
      return sessionId
    },
    rename: async (sessionId, title) => {
      await entryOf(storage, sessionId)
      await announced(storage.describe(sessionId, { title: toTitle(title) }))
    },
    fork: async (sessionId, messageId, options = {}) => {
      const fork = { sessionId, messageId, newId: newId(options), title: titleOf(options) }
      await announced(forkSession(storage, fork, environment))
      return fork.newId
    },
    redact: (sessionId, messageId) =>
      announced(redactSession(storage, { sessionId, messageId, ts: clock.now() })),
    delete: async (sessionId) => {
      await entryOf(storage, sessionId)
      await announced(storage.delete(sessionId))
    },
    export: async (sessionId) => {
      const entry = await entryOf(storage, sessionId)
      return exportSession({ storage, entry, exportedAt: clock.now() })
    },
    import: (file, options = {}) => {
      const stream = file instanceof Blob ? file.stream() : file
      return announced(importSession(stream, { storage, environment, options }))
    },
  }
}

function titleOf({ title }: NewSession): string | undefined {
  return title === undefined ? undefined : toTitle(title)
}

async function createSession(
  storage: SessionStorage,
  { sessionId, ...options }: NewSession & { readonly sessionId: string },
  { clock, newId }: Environment,
): Promise<void> {
  const opened: DurableEvent = {
    ...{ v: 1, seq: 0, ts: clock.now(), sessionId, runId: null, turn: 0 },
    ...{ type: 'session_opened', bootId: newId('boot') },
  }
  await writeSession(storage, sessionId, async ({ append, describe }) => {
    await describe({ ...defined({ title: titleOf(options) }), status: 'idle' })
    await append([opened])
  })
}
