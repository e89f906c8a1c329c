/// <reference types="node" />
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseJson } from '../../internal/json.ts'
import { openaiProblems } from './strict.fixtures.ts'

interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Answers one request. It is asked only for legal ones. */
type Answer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>

export interface FakeOpenAIServer {
  readonly baseURL: string
  readonly seen: readonly SeenRequest[]
  /** What the next requests get, one after another. */
  readonly enqueue: (...answers: readonly Answer[]) => void
  readonly close: () => Promise<void>
}

/** A Chat Completions API on a real socket that refuses illegal requests by the vendor's rules. */
export async function startFakeOpenAI(): Promise<FakeOpenAIServer> {
  const seen: SeenRequest[] = []
  const answers: Answer[] = []
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    seen,
    enqueue: (...more) => void answers.push(...more),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body: parseJson(await readText(incoming)) }
    seen.push(request)
    const [violation] = openaiProblems(request.body)
    const answer =
      method !== 'POST' || url !== '/v1/chat/completions'
        ? refuse({ status: 404, body: { error: { message: 'no such route' } } })
        : violation
          ? refuse({ status: 400, body: { error: { message: violation } } })
          : (answers.shift() ?? refuse({ status: 500, body: 'none left' }))
    await answer(response, request)
  }
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
  /** A text is sent as it is. */
  readonly body: unknown
  readonly headers?: { readonly [name: string]: string }
}

/** An error answer. */
export function refuse({ status, body, headers }: Refusal): (response: ServerResponse) => void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(text)
  }
}
