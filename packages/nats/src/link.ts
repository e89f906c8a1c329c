import type { Clock } from '@offthread/core/host'
import { StorageError } from '@offthread/core/storage'
import { mostBytesOf, type NatsConnection, type NatsMessage } from './connection.ts'
import { type Cuts, createCuts } from './cuts.ts'
import { createDeferred } from './deferred.ts'
import { connectFailure, failureOf, NoAnswer } from './failure-of.ts'
import { createInsist, type Insist } from './insist.ts'

/** The connection to the server, which may be cut and come back. */
export interface Link extends Pick<Cuts, 'watch'> {
  /** Connects, if that was not done before. Rejects as the first request would. */
  readonly open: () => Promise<NatsConnection>
  /** The connection, if it is there now. */
  readonly current: () => NatsConnection | null
  /** Aborted when the connection is closed for good. */
  readonly ended: AbortSignal
  /** Sends a request once. Rejects with a `NoAnswer` when it is not known whether it was done. */
  readonly ask: (question: Question) => Promise<NatsMessage>
  readonly insist: Insist
  /**
   * Sends messages. `made` gets the most bytes of one message. Messages that are sent while the connection is cut are
   * lost.
   */
  readonly publish: (subject: string, made: (mostBytes: number) => readonly string[]) => void
  readonly subscribe: (subject: string, listener: (message: NatsMessage) => void) => () => void
}

/** What is asked of the server, or of another client. */
export interface Question {
  readonly subject: string
  readonly data: Uint8Array | string
  readonly headers?: object
  /** Milliseconds in which the answer has to come. */
  readonly patienceMs?: number
}

export interface LinkOptions {
  /** Makes the connection. */
  readonly connect: () => Promise<NatsConnection>
  /** Rejects for a server that cannot be used. May be called again. */
  readonly check: (connection: NatsConnection, ask: Link['ask']) => Promise<void>
  readonly clock: Clock
}

/** Milliseconds after which one answer counts as late. */
const answerMs = 4000

export function createLink({ connect, check, clock }: LinkOptions): Link {
  const cuts = createCuts()
  const ending = new AbortController()
  const insist = createInsist({ ...cuts, ended: ending.signal }, clock)
  let opening: Promise<NatsConnection> | null = null
  let opened: NatsConnection | null = null
  const connected = createDeferred<NatsConnection>()

  async function connectOnce(): Promise<NatsConnection> {
    const connection = await connect().catch((error: unknown) => {
      throw connectFailure(error)
    })
    void connection.closed().then((error) => ending.abort(closed(error)))
    void cuts.follow(connection)
    await insist(() => check(connection, (question) => askOn(connection, cuts, question)))
    opened = connection
    connected.resolve(connection)
    return connection
  }

  function open(): Promise<NatsConnection> {
    if (ending.signal.aborted) return Promise.reject(ending.signal.reason)
    opening ??= connectOnce().catch((error: unknown) => {
      opening = null
      throw failureOf(error)
    })
    return opening
  }

  const ready = () => (ending.signal.aborted ? null : opened)
  // Works without a wait where that is possible, so that messages keep their order.
  const use: Use = async (work) => work(ready() ?? (await open()))
  /** As `use`, but a failed attempt to connect is no error: the work waits for one that succeeds. */
  const whenConnected: Use = async (work) => {
    open().catch(() => {})
    work(ready() ?? (await connected.promise))
  }

  return {
    open,
    current: () => (cuts.isCut() ? null : opened),
    ended: ending.signal,
    watch: cuts.watch,
    insist,
    ask: (question) => {
      const connection = ready()
      if (connection) return askOn(connection, cuts, question)
      return open().then((made) => askOn(made, cuts, question))
    },
    publish: (subject, made) => {
      const send = (connection: NatsConnection) => {
        if (cuts.isCut()) return
        for (const data of made(mostBytesOf(connection.info))) connection.publish(subject, data)
      }
      // Over a connection that cannot be made, has ended or takes too little, messages are dropped in silence.
      use(send).catch(() => {})
    },
    subscribe: (subject, listener) => subscribeOn(whenConnected, subject, listener),
  }
}

/** Does work with the connection. */
type Use = (work: (connection: NatsConnection) => void) => Promise<void>

function askOn(
  connection: NatsConnection,
  { isCut, watch }: Cuts,
  { subject, data, headers, patienceMs: timeout = answerMs }: Question,
): Promise<NatsMessage> {
  if (isCut()) return Promise.reject(new NoAnswer('cut', subject))
  return new Promise((resolve, reject) => {
    const stop = watch({ onCut: () => reject(new NoAnswer('cut', subject)) })
    connection.request(subject, data, headers ? { timeout, headers } : { timeout }).then(
      (message) => {
        stop()
        resolve(message)
      },
      (error: unknown) => {
        stop()
        reject(asNoAnswer(error, subject))
      },
    )
  })
}

function subscribeOn(
  use: Use,
  subject: string,
  listener: (message: NatsMessage) => void,
): () => void {
  let stop: (() => void) | null = () => {}
  const callback = (error: Error | null, message: NatsMessage) => {
    try {
      if (!error) listener(message)
    } catch (thrown) {
      // Reported as an uncaught error of the page: an error in here would stop the library from reading on.
      queueMicrotask(() => {
        throw thrown
      })
    }
  }
  use((connection) => {
    if (!stop) return
    const subscription = connection.subscribe(subject, { callback })
    stop = () => subscription.unsubscribe()
  }).catch(() => {})
  return () => {
    stop?.()
    stop = null
  }
}

/** A `NoAnswer`, if the library reports that no answer came; otherwise the error itself. */
function asNoAnswer(thrown: unknown, subject: string): unknown {
  if (!(thrown instanceof Error) || thrown instanceof NoAnswer) return thrown
  const names = [thrown.name, thrown.cause instanceof Error ? thrown.cause.name : '']
  if (names.includes('NoResponders')) return new NoAnswer('none', subject)
  if (names.includes('TimeoutError')) return new NoAnswer('late', subject)
  return thrown
}

function closed(error: unknown): StorageError {
  const failure = failureOf(error)
  if (failure.kind !== 'unknown') return failure
  const why = error instanceof Error ? ` (${error.message})` : ''
  return new StorageError('unavailable', `The connection to the NATS server was closed${why}.`)
}
