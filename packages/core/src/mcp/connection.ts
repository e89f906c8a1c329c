import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { ProgressCallback, RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ClientRequest, Notification, Result } from '@modelcontextprotocol/sdk/types.js'
import { abandoned, untilAborted } from '../internal/abort.ts'
import { type Clock, longestTimerMs } from '../internal/clock.ts'
import { loadPart } from '../internal/load-part.ts'
import { withTimeout } from '../internal/with-timeout.ts'
import { late, McpServerError, toServerError } from './mcp-server-error.ts'
import type { EndableTransport, Session } from './transport.ts'

export interface ConnectionOptions {
  /** Makes a transport for one connection. It goes on with the session if there is one. */
  readonly openTransport: (session: Session) => Promise<EndableTransport>
  /** Called for what the server says on its own. */
  readonly onNotification: (notification: Notification) => void
  /** Milliseconds that connecting may take, and every request that is no call. */
  readonly connectTimeoutMs: number
  readonly clock: Clock
}

interface AskOptions {
  /** When it aborts, the page sends the server a cancellation. */
  readonly signal?: AbortSignal
  /** The request has no time limit of its own: the signal aborts it. */
  readonly isCall?: boolean
  readonly onProgress?: ProgressCallback
}

type Use<Value> = (client: Client, options: RequestOptions) => Promise<Value>

/** The way to one server. It connects when it is used, and again, in the same session, after a connection has ended. */
export interface Connection {
  /**
   * One request, made by the SDK's client with these options. Rejects with a `McpServerError`, or with the signal's reason:
   * then the server has taken the cancellation, or cannot be reached.
   */
  readonly use: <Value>(request: Use<Value>, options?: AskOptions) => Promise<Value>
  /** One request whose result may have any form. */
  readonly ask: (request: ClientRequest, options?: AskOptions) => Promise<Result>
  /** Work of several requests, which takes as long as one may. Rejects with a `McpServerError` when the time is over. */
  readonly inTime: <Value>(work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>
  /** The server's own description; available once a request was answered. */
  readonly about: () => Pick<Client, 'getServerVersion' | 'getInstructions'> | null
  /** Ends the connection. The session stays, and the next request connects again. */
  readonly drop: () => void
  /** Ends the session and the connection for good. */
  readonly close: () => Promise<void>
}

interface Connected {
  readonly client: Client
  readonly transport: EndableTransport
  /** How many requests wait for an answer. */
  waiting: number
  /** The session is lost: the connection ends with its last request. */
  isRetired: boolean
  /** Resolves when the server has taken every cancellation, or cannot be reached. */
  readonly cancelsSent: () => Promise<unknown>
}

export function createConnection(options: ConnectionOptions): Connection {
  const { connectTimeoutMs, clock } = options
  const state: State = { options, session: {}, client: null, live: null, isClosed: false }

  async function use<Value>(request: Use<Value>, asked: AskOptions = {}): Promise<Value> {
    const { signal } = asked
    const how = { ...asked, waitMs: asked.isCall ? longestTimerMs : connectTimeoutMs }
    const used = connected(state)
    try {
      return await askOnce(used, request, how).catch((error: unknown) => {
        if (signal?.aborted || toServerError(error).kind !== 'session') throw error
        // The server refused it before doing anything, so it may be sent once more, in a new session.
        retire(state, used)
        return askOnce(connected(state), request, how)
      })
    } catch (error) {
      throw signal?.aborted ? signal.reason : toServerError(error)
    }
  }

  return {
    use,
    ask: async (request, asked) => {
      const { askClient } = await loadSdk(clock)
      return use((own, how) => askClient(own, request, how), asked)
    },
    inTime: async (work) => {
      const over = new AbortController()
      try {
        return await withTimeout(work(over.signal), connectTimeoutMs, { clock, late })
      } finally {
        over.abort(abandoned)
      }
    },
    about: () => state.client,
    drop: () => {
      if (state.live) dropIf(state, state.live)
    },
    close: async () => {
      state.isClosed = true
      if (state.live) await endSession(state.live, options)
      state.live = null
      await state.client?.close()
    },
  }
}

interface State {
  readonly options: ConnectionOptions
  session: Session
  /** One client for all connections of a session: it numbers the requests, and no two may have the same number. */
  client: Client | null
  live: Promise<Connected> | null
  isClosed: boolean
}

function connected(state: State): Promise<Connected> {
  if (state.isClosed) return Promise.reject(closedForGood())
  if (state.live) return state.live
  const { connectTimeoutMs, clock } = state.options
  const connecting = withTimeout(connect(state), connectTimeoutMs, { clock, late })
  state.live = connecting
  connecting.catch(() => dropIf(state, connecting))
  return connecting
}

async function connect(state: State): Promise<Connected> {
  const { createClient } = await loadSdk(state.options.clock)
  const client = state.client ?? createClient()
  state.client = client
  client.onclose = () => {
    if (state.client === client) state.live = null
  }
  return connectClient(client, state.session, state.options)
}

/** Ends a connection, unless others have connected again meanwhile. */
function dropIf(state: State, used: Promise<Connected>): void {
  if (state.live !== used) return
  state.live = null
  void state.client?.close().catch(() => undefined)
}

/** Starts a new session, unless another request did so already. Other requests in the old one may still end. */
function retire(state: State, used: Promise<Connected>): void {
  if (state.live !== used) return
  Object.assign(state, { live: null, client: null, session: {} })
  void used.then((connection) => {
    connection.isRetired = true
    endIfUnused(connection)
  })
}

async function connectClient(
  client: Client,
  session: Session,
  { openTransport, onNotification, connectTimeoutMs }: ConnectionOptions,
): Promise<Connected> {
  client.fallbackNotificationHandler = async (notification) => onNotification(notification)
  const transport = await openTransport(session)
  const cancelsSent = watchCancels(transport)
  await client.connect(transport, { timeout: connectTimeoutMs })
  return { client, transport, cancelsSent, waiting: 0, isRetired: false }
}

function endIfUnused({ client, waiting, isRetired }: Connected): void {
  if (isRetired && waiting === 0) void client.close().catch(() => undefined)
}

/** A failure is ignored: the server forgets the session after some time anyway. */
async function endSession(
  live: Promise<Connected>,
  { connectTimeoutMs, clock }: ConnectionOptions,
): Promise<void> {
  const ending = live.then(({ transport }) => transport.terminateSession?.())
  await withTimeout(ending, connectTimeoutMs, { clock, late }).catch(() => {})
}

async function loadSdk(clock: Clock): Promise<typeof import('./client.ts')> {
  try {
    return await loadPart(() => import('./client.ts'), clock)
  } catch (cause) {
    const message =
      '@modelcontextprotocol/sdk could not be loaded. Install it beside @offthread/core, or check the network.'
    throw new McpServerError('sdk', message, { cause })
  }
}

async function askOnce<Value>(
  live: Promise<Connected>,
  request: Use<Value>,
  { signal, onProgress, waitMs }: AskOptions & { readonly waitMs: number },
): Promise<Value> {
  const connection = await (signal ? untilAborted(live, signal) : live)
  const { client, cancelsSent } = connection
  // A signal of its own: the SDK keeps listening after the end of a request, and would then cancel it.
  const stopping = new AbortController()
  const stop = (): void => stopping.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  connection.waiting += 1
  try {
    return await request(client, {
      signal: stopping.signal,
      timeout: waitMs,
      ...(onProgress && { onprogress: onProgress }),
    })
  } catch (error) {
    if (signal?.aborted) await cancelsSent()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    connection.waiting -= 1
    endIfUnused(connection)
  }
}

/** The SDK's client does not wait until its cancellations are sent; the returned function does. */
function watchCancels(transport: Transport): () => Promise<unknown> {
  const sending = new Set<Promise<void>>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const sent = send(message, options)
    if ('method' in message && message.method === 'notifications/cancelled') {
      const settled = sent.catch(() => undefined).finally(() => sending.delete(settled))
      sending.add(settled)
    }
    return sent
  }
  return () => Promise.all(sending)
}

function closedForGood(): McpServerError {
  return new McpServerError('closed', 'These MCP tools were closed. Call mcpTools again.')
}
