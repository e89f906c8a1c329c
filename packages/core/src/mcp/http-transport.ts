import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { abandoned } from '../internal/abort.ts'
import type { Clock } from '../internal/clock.ts'
import { pause } from '../internal/pause.ts'
import { createRequests, type McpHttpOptions, type SendRequest } from './http-requests.ts'
import { answeredBy } from './json-rpc.ts'
import { isMcpServerError, McpServerError } from './mcp-server-error.ts'
import { type Place, readAnswers } from './read-answers.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import type { EndableTransport, Session } from './transport.ts'

/** Milliseconds that a message without an answer may take. */
const patienceMs = 5000
/**
 * The most answers to requests of the server that may be on their way. A server that asks faster than it reads gets no
 * more.
 */
const mostAnswers = 16
/** How often in a row a stream is resumed without a new event. */
const maxResumes = 4
/** Milliseconds before the first resumption; each further pause is twice as long. */
const resumeMs = 500

/**
 * MCP's Streamable HTTP. Unlike the SDK's, it bounds what it reads, ends the request of a cancelled call, and fails a
 * request whose stream ends before its answer: nothing waits for what cannot come any more.
 */
export function createHttpTransport(
  url: URL,
  options: McpHttpOptions & { readonly clock: Clock },
  session: Session,
): EndableTransport {
  // The version was agreed on for one session: a new session has none yet.
  if (session.id === undefined) session.protocolVersion = undefined
  const closing = new AbortController()
  const patient = (): AbortSignal =>
    AbortSignal.any([closing.signal, AbortSignal.timeout(patienceMs)])
  const transport: EndableTransport = {
    sessionId: session.id,
    start: () => Promise.resolve(),
    send: async (message) => {
      if ('method' in message && 'id' in message) return exchange(line, message)
      if ('method' in message && message.method === 'notifications/cancelled')
        endExchange(line, message.params?.['requestId'])
      if (!('method' in message)) return answer(line, message, patient)
      await notify(line, message, patient())
      if (message.method === 'notifications/initialized') listen(line)
    },
    setProtocolVersion: (version) => {
      session.protocolVersion = version
    },
    terminateSession: async () => {
      if (session.id === undefined) return
      await line.ask({ method: 'DELETE', headers: {}, signal: patient() })
      session.id = undefined
    },
    close: () => {
      if (!closing.signal.aborted) {
        closing.abort(abandoned)
        transport.onclose?.()
      }
      return Promise.resolve()
    },
  }
  const secrets = createSecrets()
  const line: Line = {
    ask: createRequests(url, options, { session, secrets }),
    secrets,
    transport,
    session,
    closed: closing.signal,
    exchanges: new Map(),
    answers: 0,
    listening: 'no',
    clock: options.clock,
  }
  return transport
}

/** The state that the functions of one connection share. */
interface Line {
  readonly ask: SendRequest
  readonly secrets: Secrets
  readonly transport: EndableTransport
  readonly session: Session
  readonly closed: AbortSignal
  /** The requests without an answer, by their ids. */
  readonly exchanges: Map<string | number, AbortController>
  /** How many answers to requests of the server are being sent. */
  answers: number
  listening: 'no' | 'yes' | 'refused'
  readonly clock: Clock
}

/** Sends a request once, and reads until its answer. A stream that breaks is resumed if its events have ids. */
async function exchange(line: Line, message: JSONRPCRequest): Promise<void> {
  const { exchanges, closed, clock } = line
  const own = new AbortController()
  exchanges.set(message.id, own)
  const signal = AbortSignal.any([own.signal, closed])
  const place: Place = {}
  try {
    let response: Response | undefined = await post(line, message, signal)
    keepSession(line, response)
    // If the stream of the server's own messages has broken, it is opened again.
    if (line.session.protocolVersion !== undefined) listen(line)
    for (let resumes = 0; ; resumes += 1) {
      const { after } = place
      if (response && (await readAnswers(response, place, readingOf(line, signal, message.id))))
        return
      if (place.after === undefined || resumes === maxResumes) throw unanswered()
      // A server that states a pause ends its streams on purpose.
      if (place.after !== after || (response && place.pauseMs !== undefined)) resumes = 0
      await pause(pauseMs(place, resumes), clock, signal)
      response = await resumed(line, place, signal)
    }
  } catch (error) {
    // A cancelled request is over for the client already.
    if (!own.signal.aborted) throw error
  } finally {
    exchanges.delete(message.id)
  }
}

function pauseMs({ pauseMs: wanted = 0 }: Place, resumes: number): number {
  return Math.max(wanted, resumeMs * 2 ** resumes)
}

/**
 * The rest of a stream, or `undefined` if the server cannot be reached now. However it refuses: the request was taken
 * before, so it must not look like one that was refused and may be sent again.
 */
async function resumed(
  line: Line,
  place: Place,
  signal: AbortSignal,
): Promise<Response | undefined> {
  try {
    return await get(line, place, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (isMcpServerError(error) && error.kind === 'unreachable') return undefined
    throw unanswered()
  }
}

async function answer(
  line: Line,
  message: JSONRPCMessage,
  patient: () => AbortSignal,
): Promise<void> {
  if (line.answers >= mostAnswers) return
  line.answers += 1
  try {
    await notify(line, message, patient())
  } finally {
    line.answers -= 1
  }
}

/** Sends a message that has no answer. */
async function notify(line: Line, message: JSONRPCMessage, signal: AbortSignal): Promise<void> {
  const { body } = await post(line, message, signal)
  // Not awaited: a body that hangs would hang the next message, too.
  void body?.cancel().catch(() => undefined)
}

/** Ends the exchange of a cancelled request: a server that ignores the cancellation would hold the connection. */
function endExchange({ exchanges }: Line, id: unknown): void {
  if (typeof id === 'string' || typeof id === 'number') exchanges.get(id)?.abort(abandoned)
}

/**
 * Opens the stream on which a server, if it has one, sends messages of its own, for instance that its list has changed.
 */
function listen(line: Line): void {
  if (line.listening !== 'no') return
  line.listening = 'yes'
  void listenOn(line)
    .then((isRefused) => {
      // After a failure the next request tries it again.
      line.listening = isRefused ? 'refused' : 'no'
    })
    .catch(() => undefined)
}

/** Reads that stream. Resolves with `true` if the server has none. */
async function listenOn(line: Line): Promise<boolean> {
  const { closed, clock } = line
  const place: Place = {}
  for (let resumes = 0; resumes <= maxResumes; resumes += 1) {
    const { after } = place
    try {
      await readAnswers(await get(line, place, closed), place, readingOf(line, closed))
      if (place.pauseMs !== undefined) resumes = 0
    } catch (error) {
      closed.throwIfAborted()
      if (!isMcpServerError(error) || error.kind !== 'unreachable') return true
    }
    if (place.after !== after) resumes = 0
    await pause(pauseMs(place, resumes), clock, closed)
  }
  return false
}

function readingOf(line: Line, signal: AbortSignal, request?: string | number) {
  const { transport, secrets } = line
  return {
    signal,
    hide: secrets.hide,
    ...(request !== undefined && { request }),
    deliver: (message: JSONRPCMessage) => {
      transport.onmessage?.(secrets.withoutIn(message))
      // What is answered on another stream than its own is over, and its own would stay open for nothing.
      const answered = answeredBy(message)
      if (answered !== request) endExchange(line, answered)
      return transport.room?.()
    },
  }
}

function post({ ask }: Line, message: JSONRPCMessage, signal: AbortSignal): Promise<Response> {
  const accept = 'application/json, text/event-stream'
  const headers = { accept, 'content-type': 'application/json' }
  return ask({ method: 'POST', body: JSON.stringify(message), headers, signal })
}

function get({ ask }: Line, { after }: Place, signal: AbortSignal): Promise<Response> {
  const place = after === undefined ? {} : { 'last-event-id': after }
  return ask({ method: 'GET', headers: { accept: 'text/event-stream', ...place }, signal })
}

function keepSession({ session, transport }: Line, { headers }: Response): void {
  const id = headers.get('mcp-session-id')
  if (id === null) return
  session.id = id
  transport.sessionId = id
}

function unanswered(): McpServerError {
  return new McpServerError(
    'closed',
    'The MCP server closed the connection before it answered. What was asked may or may not have been done.',
  )
}
