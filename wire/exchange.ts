import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/** The vendor whose rules a request follows. */
export type Protocol = 'anthropic' | 'openai'

/** One request, with what a reply needs to answer it. */
export interface Exchange {
  readonly protocol: Protocol
  readonly response: ServerResponse
  /** The key that came with the request, for servers that quote it. */
  readonly key: string
  /** Another server, on an origin of its own. */
  readonly elsewhere: string
  /** Starts the answer, with the CORS headers that this exchange allows. */
  readonly begin: (status: number, headers?: OutgoingHttpHeaders) => void
  /** Resolves when the reader reports that it has seen what was sent so far, or closes the connection. */
  readonly seen: () => Promise<void>
}

/** Answers one request. */
export type Reply = (exchange: Exchange) => void | Promise<void>

/** How a body ends: complete, broken off, or never. */
export type Ending = 'end' | 'cut' | 'cut when seen' | 'stall'

/** Streams events, each piece in a write of its own. */
export function stream(
  pieces: readonly (string | Uint8Array)[],
  { ending = 'end', type = 'text/event-stream' }: { ending?: Ending; type?: string } = {},
): Reply {
  return async (exchange) => {
    const { response, begin, seen } = exchange
    begin(200, { 'content-type': type })
    response.flushHeaders()
    for (const piece of pieces) await write(response, piece)
    if (ending === 'end') response.end()
    if (ending === 'cut when seen') await seen()
    if (ending.startsWith('cut')) response.destroy()
  }
}

/** Writes and lets the operating system send it, so that pieces arrive as pieces. */
export async function write(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  if (response.destroyed) return
  await new Promise<void>((resolve) => response.write(piece, () => resolve()))
  await setImmediate()
}
