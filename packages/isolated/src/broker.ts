import type { Clock } from '@offthread/core/host'
import { BrokerError } from './broker-error.ts'
import {
  type AskedRequest,
  type BrokerAnswer,
  type BrokeredResponse,
  maxHeaderChars,
  maxHeaders,
  maxUrlChars,
  readBrokerRequest,
} from './broker-protocol.ts'
import { judgeRequest } from './judge-request.ts'
import { messageOf } from './message-of.ts'
import type { NetworkRules } from './network.ts'

export interface BrokerOptions {
  readonly rules: NetworkRules
  readonly clock: Clock
  /** Writes a line to the log of the call. */
  readonly log: (level: 'info' | 'warn', text: string) => void
  /** Called when the tool makes requests without end, to cut it off. */
  readonly overrun: (message: string) => void
  /** Answers the tool. */
  readonly post: (answer: BrokerAnswer, moved: ArrayBuffer[]) => void
}

/** Asks the network for the tools of one worker, by the rules. */
export interface Broker {
  /** Takes a message of the tool, whatever it is. */
  readonly receive: (message: unknown) => void
  /** The call was posted: from now on its code may make requests. */
  readonly begin: () => void
  /** Aborts the open requests; later ones are refused. */
  readonly stop: () => void
}

/** Requests of one call at the same time. */
const maxOpen = 8
/** After this many failed requests a call is out of control. */
const maxRefused = 1000
/** A reason may quote the request, so it is cut. */
const maxReasonChars = 500

/** Makes the page's end of the network that a worker has. Every request is judged here: the worker is not trusted. */
export function createBroker({ rules, clock, log, overrun, post }: BrokerOptions): Broker {
  const open = new Map<number, AbortController>()
  let status: 'early' | 'begun' | 'stopped' = 'early'
  let refusals = 0

  const refuse = (id: number, what: string, error: BrokerError) => {
    refusals += 1
    if (refusals > maxRefused) return overrun(`The tool made over ${maxRefused} refused requests.`)
    const reason = error.message.slice(0, maxReasonChars)
    log('warn', `${what}: ${error.code}. ${reason}`)
    answer({ type: 'refused', id, code: error.code, message: `${what}: ${reason}` })
  }
  const answer = (message: BrokerAnswer) =>
    post(message, message.type === 'answered' ? [message.response.body] : [])

  const serve = async (id: number, asked: AskedRequest) => {
    const what = nameOf(asked)
    const controller = new AbortController()
    let cancelTimer = () => {}
    try {
      const url = judgeRequest(asked, rules)
      // The call may still wait for an approval, and the log does not say yet that it may have had effects.
      if (status === 'early') throw new BrokerError('too_early', 'There is no call yet.')
      if (status === 'stopped') throw new BrokerError('aborted', 'The call was stopped.')
      if (open.size >= maxOpen) {
        throw new BrokerError('too_many', `${maxOpen} requests are going on already.`)
      }
      open.set(id, controller)
      cancelTimer = clock.setTimer(rules.timeoutMs, () => controller.abort(late(rules.timeoutMs)))
      const response = await ask(url, asked, { signal: controller.signal, rules })
      log('info', `${what}: ${response.status}, ${response.body.byteLength} bytes`)
      answer({ type: 'answered', id, response })
    } catch (error) {
      refuse(id, what, toBrokerError(error, controller.signal))
    } finally {
      cancelTimer()
      open.delete(id)
    }
  }
  const stop = () => {
    status = 'stopped'
    for (const controller of open.values()) controller.abort(given)
  }

  const receive = (data: unknown) => {
    const message = readBrokerRequest(data)
    const asked = message && open.get(message.id)
    if (message?.type === 'abort' && asked) asked.abort(given)
    // A number that is in use is refused: its two answers could not be matched.
    else if (message?.type === 'fetch' && !asked) void serve(message.id, message.request)
    else if (message?.type === 'unreadable' && !asked) refuse(message.id, 'A request', unreadable)
    else if (++refusals > maxRefused) overrun('The tool posts garbage to its broker.')
  }
  return {
    receive,
    begin: () => {
      if (status === 'early') status = 'begun'
    },
    stop,
  }
}

interface Limits {
  readonly signal: AbortSignal
  readonly rules: NetworkRules
}

async function ask(
  url: URL,
  { method, headers, body }: AskedRequest,
  { signal, rules }: Limits,
): Promise<BrokeredResponse> {
  const response = await fetch(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(body && { body }),
    signal,
    mode: 'cors',
    credentials: 'omit',
    // A redirect is never followed. Unlike 'error', 'manual' shows that there was one.
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
  })
  if (response.type === 'opaqueredirect') {
    throw new BrokerError('redirect', 'The server redirects, and redirects are not followed.')
  }
  const { status, statusText } = response
  const bytes = await readAtMost(response, rules.maxBytes)
  return { status, statusText, headers: [...response.headers], body: bytes }
}

/** The bytes of an answer. Reading ends as soon as there are too many. */
async function readAtMost(response: Response, maxBytes: number): Promise<ArrayBuffer> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    size += next.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel()
      throw new BrokerError('too_large', `The answer has over ${maxBytes} bytes.`)
    }
    chunks.push(next.value)
  }
  return new Blob(chunks).arrayBuffer()
}

const given: BrokerError = /* @__PURE__ */ new BrokerError('aborted', 'It was stopped.')

const unreadable: BrokerError = /* @__PURE__ */ new BrokerError(
  'unreadable',
  `It has an address of over ${maxUrlChars} characters, over ${maxHeaders} headers, over ${maxHeaderChars} characters of headers, or a method that is none.`,
)

function late(ms: number): BrokerError {
  return new BrokerError('timed_out', `The answer was not complete within ${ms / 1000} s.`)
}

function toBrokerError(error: unknown, { aborted, reason }: AbortSignal): BrokerError {
  const cause: unknown = aborted ? reason : error
  if (cause instanceof BrokerError) return cause
  return new BrokerError(
    'failed',
    `It failed: ${messageOf(cause)}. The server cannot be reached, or does not allow this page to ask it (CORS, connect-src).`,
  )
}

/** The method and the address without its query, which may hold what is not for a log. */
function nameOf({ method, url }: AskedRequest): string {
  return `${method} ${url.replace(/[?#].*/s, '').replace(/\/\/[^/]*@/, '//')}`.slice(0, 200)
}
