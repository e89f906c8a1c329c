/// <reference types="node" />
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseJson } from '../../internal/json.ts'

/** A request as it came. */
interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Answers one request. */
export type Answer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>

/** An API on a real socket that is asked only what is legal. */
export interface FakeServer {
  readonly origin: string
  readonly seen: readonly SeenRequest[]
  /** What the next legal requests get, one after another. */
  readonly enqueue: (...answers: readonly Answer[]) => void
  readonly close: () => Promise<void>
}

/** How an API refuses a request that is none of its own, or that finds nothing to answer it. */
interface Rules {
  /** `null` for a legal request. */
  readonly judge: (request: SeenRequest) => Answer | null
  readonly nothingLeft: Answer
}

export async function startFakeServer({ judge, nothingLeft }: Rules): Promise<FakeServer> {
  const seen: SeenRequest[] = []
  const answers: Answer[] = []
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
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
    await (judge(request) ?? answers.shift() ?? nothingLeft)(response, request)
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
