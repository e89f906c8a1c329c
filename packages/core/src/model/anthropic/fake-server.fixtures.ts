/// <reference types="node" />
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseJson } from '../../internal/json.ts'
import { isFields } from '../wire/strict-json.fixtures.ts'
import { anthropicProblems } from './strict.fixtures.ts'

interface SeenRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Answers one request. It is asked only for legal ones. */
type Answer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>

export interface FakeAnthropicServer {
  readonly baseURL: string
  readonly seen: readonly SeenRequest[]
  /** What the next requests get, one after another. */
  readonly enqueue: (...answers: readonly Answer[]) => void
  readonly close: () => Promise<void>
}

/** A Messages API on a real socket that refuses illegal requests by the vendor's rules. */
export async function startFakeAnthropic(): Promise<FakeAnthropicServer> {
  const seen: SeenRequest[] = []
  const answers: Answer[] = []
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}`,
    seen,
    enqueue: (...more) => void answers.push(...more),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = parseJson(await readText(incoming))
    const request = { url: incoming.url ?? '', headers: incoming.headers, body }
    seen.push(request)
    const problems = judges.get(request.url)
    const [violation] = problems?.(body) ?? []
    const answer =
      problems === undefined
        ? refuse({ status: 404, type: 'not_found_error', message: 'no such route' })
        : violation
          ? refuse({ status: 400, type: 'invalid_request_error', message: violation })
          : (answers.shift() ?? refuse({ status: 500, type: 'api_error', message: 'none left' }))
    await answer(response, request)
  }
}

const judges: ReadonlyMap<string, (body: unknown) => readonly string[]> = new Map([
  ['/v1/messages', (body) => anthropicProblems(body)],
  ['/v1/messages/count_tokens', countProblems],
])

/** A count takes no field that is about the answer. */
function countProblems(body: unknown): readonly string[] {
  if (!isFields(body)) return anthropicProblems(body)
  const { max_tokens: maxTokens, stream: isStreamed } = body
  return maxTokens === undefined && isStreamed === undefined
    ? anthropicProblems({ ...body, max_tokens: 1 })
    : ['[body_fields] extra inputs are not permitted']
}

function readText(incoming: IncomingMessage): Promise<string> {
  incoming.setEncoding('utf8')
  let text = ''
  return new Promise((resolve, reject) => {
    incoming.on('data', (piece: string) => {
      text += piece
    })
    incoming.on('end', () => resolve(text))
    incoming.on('error', reject)
  })
}

/** Streams bytes in pieces, each in a write of its own, and then ends or cuts the connection. */
export function stream(
  pieces: readonly Uint8Array[],
  { ending = 'end' }: { readonly ending?: 'end' | 'cut' | 'stall' } = {},
): (response: ServerResponse) => Promise<void> {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) {
      await new Promise<void>((resolve) => response.write(piece, () => resolve()))
    }
    if (ending === 'cut') response.destroy()
    if (ending === 'end') response.end()
  }
}

export interface Refusal {
  readonly status: number
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly headers?: { readonly [name: string]: string }
}

/** An error answer in the API's form. */
export function refuse(refusal: Refusal): (response: ServerResponse) => void {
  const { status, type, message, code, headers } = refusal
  const details = code === undefined ? {} : { details: { error_code: code } }
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type, message, ...details } }))
  }
}
