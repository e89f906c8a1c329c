/// <reference types="node" />
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { strictAnthropic } from './strict-anthropic.fixtures.ts'

export interface SeenRequest {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Answers one request. It is asked only for legal ones. */
export type Answer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>

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
  const server = createServer(async (incoming, response) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'))
    const request = { url: incoming.url ?? '', headers: incoming.headers, body }
    seen.push(request)
    const [violation] = strictAnthropic(body)
    if (incoming.url !== '/v1/messages')
      return refuse(404, 'not_found_error', 'no such route')(response)
    if (violation) return refuse(400, 'invalid_request_error', violation)(response)
    const answer = answers.shift()
    return answer ? answer(response, request) : refuse(500, 'api_error', 'no answer left')(response)
  })
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
}

/** Streams bytes in pieces, each in a write of its own, and then ends or cuts the connection. */
export function stream(
  pieces: readonly Uint8Array[],
  { then = 'end' }: { readonly then?: 'end' | 'cut' | 'stall' } = {},
): (response: ServerResponse) => Promise<void> {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) {
      await new Promise<void>((resolve) => response.write(piece, () => resolve()))
    }
    if (then === 'cut') response.destroy()
    if (then === 'end') response.end()
  }
}

/** An error answer in the API's form. */
export function refuse(
  status: number,
  type: string,
  message: string,
  headers: { readonly [name: string]: string } = {},
): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' }))
  }
}
