import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  eventsOf,
  type ScriptedAnswer,
  toSse,
} from '../packages/core/src/model/anthropic/fake.fixtures.ts'
import { anthropicProblems } from '../packages/core/src/model/anthropic/strict.fixtures.ts'
import { openaiProblems } from '../packages/core/src/model/openai/strict.fixtures.ts'

/** What a request contained. */
interface SeenRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** How a server answers a valid request. */
export type Answer = (response: ServerResponse) => void | Promise<void>

export type Protocol = 'anthropic' | 'openai'

export interface ModelServer {
  /** The address as a person enters it. */
  readonly address: string
  readonly origin: string
  /** Requests for an answer, in order, without preflights. */
  readonly seen: readonly SeenRequest[]
  /** The replies to the next requests, in order. */
  readonly enqueue: (...answers: readonly Answer[]) => void
  readonly close: () => Promise<void>
}

interface ServerOptions {
  readonly protocol: Protocol
  /** The key it requires. Absent: it requires none. */
  readonly key?: string
  /** Whether pages of other origins may read its answers. Default true. */
  readonly cors?: boolean
  /** The reply to a request when none is left. Default: "Hello from the server." */
  readonly usual?: (body: unknown) => Answer
}

const paths: Readonly<Record<Protocol, string>> = {
  anthropic: '/v1/messages',
  openai: '/v1/chat/completions',
}

const addressPath: Readonly<Record<Protocol, string>> = { anthropic: '', openai: '/v1' }

/** A server on a port of its own, which is an origin of its own. It refuses what its vendor would refuse. */
export async function startModelServer(options: ServerOptions): Promise<ModelServer> {
  const { protocol } = options
  const seen: SeenRequest[] = []
  const answers: Answer[] = []
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (options.cors !== false) allowEveryone(request, response)
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 404).end()
      return
    }
    const body: unknown = JSON.parse(await readText(request))
    const { headers, url: path = '' } = request
    seen.push({ path, headers, body })
    await answerTo({ path, headers, body })(response)
  }

  function answerTo({ path, headers, body }: SeenRequest): Answer {
    if (path !== paths[protocol]) {
      return refuse({ status: 404, type: 'not_found_error', message: 'no such route' })
    }
    if (options.key !== undefined && headers.authorization !== `Bearer ${options.key}`) {
      // Real servers quote the key in this error, and so does this one.
      const message = `invalid key: ${headers.authorization}`
      return refuse({ status: 401, type: 'authentication_error', message })
    }
    const [problem] = protocol === 'anthropic' ? anthropicProblems(body) : openaiProblems(body)
    if (problem !== undefined) {
      return refuse({ status: 400, type: 'invalid_request_error', message: problem })
    }
    const usual = options.usual ?? (() => say(protocol, 'Hello from the server.'))
    return answers.shift() ?? usual(body)
  }

  return {
    origin,
    address: `${origin}${addressPath[protocol]}`,
    seen,
    enqueue: (...more) => void answers.push(...more),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The address of a server that has been shut down. */
export async function deadAddress(protocol: Protocol): Promise<string> {
  const server = await startModelServer({ protocol })
  await server.close()
  return server.address
}

/** A whole answer. */
export function say(protocol: Protocol, text: string): Answer {
  return protocol === 'anthropic'
    ? stream([toSse(eventsOf({ blocks: [{ type: 'text', pieces: [text] }] }))])
    : stream([toData([{ content: text }], 'stop')])
}

/** An answer that calls a tool. */
export function call(protocol: Protocol, name: string, args: string): Answer {
  const answer: ScriptedAnswer = {
    stopReason: 'tool_use',
    blocks: [{ type: 'tool_use', id: 'toolu_e2e', name, pieces: [args] }],
  }
  const toolCall = {
    index: 0,
    id: 'call_e2e',
    type: 'function',
    function: { name, arguments: args },
  }
  return protocol === 'anthropic'
    ? stream([toSse(eventsOf(answer))])
    : stream([toData([{ tool_calls: [toolCall] }], 'tool_calls')])
}

/** The first part of an answer, and then nothing more. */
export function sayAndWait(protocol: Protocol, text: string): Answer {
  const whole = eventsOf({ blocks: [{ type: 'text', pieces: [text] }] })
  const part = protocol === 'anthropic' ? toSse(whole.slice(0, 3)) : toData([{ content: text }])
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(part)
  }
}

/** An error in Anthropic's form; that of OpenAI only has more fields. */
export function refuse({ status, type, message, retryAfter }: Refusal): Answer {
  return (response) => {
    response.setHeader('content-type', 'application/json')
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    response.writeHead(status)
    response.end(JSON.stringify({ type: 'error', error: { type, message } }))
  }
}

interface Refusal {
  readonly status: number
  readonly type: string
  readonly message: string
  /** Seconds. */
  readonly retryAfter?: number
}

function allowEveryone({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', headers.origin ?? '*')
  response.setHeader('access-control-allow-methods', 'POST')
  response.setHeader('access-control-expose-headers', 'retry-after, request-id')
  const wanted = headers['access-control-request-headers']
  if (wanted) response.setHeader('access-control-allow-headers', wanted)
}

function stream(pieces: readonly Uint8Array[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    response.end()
  }
}

/** The chunks of a chat completion, with its end. */
function toData(deltas: readonly object[], finishReason?: string): Uint8Array {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-e2e',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'test',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })}\n\n`
  const lines = deltas.map((delta) => chunk(delta, null))
  const end = finishReason === undefined ? [] : [chunk({}, finishReason), 'data: [DONE]\n\n']
  return new TextEncoder().encode([...lines, ...end].join(''))
}

async function readText(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8')
  let text = ''
  for await (const piece of request) text += piece
  return text
}
