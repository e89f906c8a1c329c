import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDeferred } from '../packages/core/src/internal/deferred.ts'

/** What pages report, kept outside of them, where nothing of it is lost when they die. */
export interface Witness {
  readonly address: string
  /** The calls whose code has run, one entry for each time. */
  readonly ran: readonly string[]
  /** The number and the type of each event whose storing was confirmed to a page. */
  readonly acknowledged: readonly string[]
  /** Lets the page go on that holds still, or that will. */
  readonly release: () => void
  readonly close: () => Promise<void>
}

/** A server on a port of its own. Pages post to it without waiting for its answer, but for those that hold still. */
export async function startWitness(): Promise<Witness> {
  const ran: string[] = []
  const acknowledged: string[] = []
  let hold = createDeferred<void>()
  const listeners: Readonly<Record<string, (text: string) => unknown>> = {
    '/ran': (text) => ran.push(text),
    '/acknowledged': (text) => acknowledged.push(...text.split('\n')),
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*')
    const text = await readText(request)
    listeners[request.url ?? '']?.(text)
    if (request.url === '/hold') {
      await hold.promise
      hold = createDeferred<void>()
    }
    response.end()
  }

  return {
    address: `http://127.0.0.1:${port}`,
    ran,
    acknowledged,
    release: () => hold.resolve(),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8')
  let text = ''
  for await (const piece of request) text += piece
  return text
}
