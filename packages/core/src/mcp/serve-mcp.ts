import { platformClock } from '../internal/clock.ts'
import { createDeferred } from '../internal/deferred.ts'
import { isObject } from '../internal/json.ts'
import type { WorkerScope } from '../tools/worker/worker-scope.ts'
import type { McpHttpOptions } from './http-requests.ts'
import { toServerError } from './mcp-server-error.ts'
import { readEndpoint } from './read-endpoint.ts'
import type { EndableTransport, Session } from './transport.ts'
import { type FromConnection, mostAhead, readSession } from './worker-messages.ts'

/**
 * Keeps the connection to an MCP server in this worker: requests, answers and their parsing do not touch the page's thread.
 * Give `mcpTools` a function that starts the worker. The only line of its script that has an effect.
 *
 * Throws a `TypeError` outside a worker, and for an invalid address.
 *
 * @example
 * ```ts
 * // mcp.worker.ts
 * serveMcp('https://example.com/mcp', { headers: async () => ({ authorization: await token() }) })
 * ```
 */
export function serveMcp(url: string | URL, options: McpHttpOptions = {}): void {
  if ('document' in globalThis || !('WorkerGlobalScope' in globalThis)) {
    throw new TypeError(
      'serveMcp belongs into the script of a worker. On a page, use mcpTools(url).',
    )
  }
  serveMcpOn(globalThis, url, options)
}

/** `serveMcp` on a given scope: for tests. */
export function serveMcpOn(
  scope: WorkerScope,
  url: string | URL,
  options: McpHttpOptions = {},
): void {
  const endpoint = readEndpoint(url)
  const session: Session = {}
  let starting: Promise<EndableTransport> | null = null
  const pace = createPace()
  const post = (message: FromConnection): void => scope.postMessage(message)

  async function start(left: unknown): Promise<EndableTransport> {
    Object.assign(session, readSession(left))
    const { createHttpTransport } = await import('./http-transport.ts')
    const transport = createHttpTransport(endpoint, { ...options, clock: platformClock }, session)
    transport.onmessage = (message) => {
      pace.sent()
      post({ type: 'message', message })
    }
    transport.room = pace.room
    await transport.start()
    return transport
  }

  async function send(message: unknown): Promise<void> {
    const transport = await starting
    const { readMessage } = await import('./json-rpc.ts')
    const readable = readMessage(message)
    if (readable) await transport?.send(readable)
  }

  async function report(n: number, work: Promise<unknown>): Promise<void> {
    const problem = await work.then(
      () => undefined,
      (error: unknown) => toServerError(error),
    )
    const { kind, message } = problem ?? {}
    const left = { session: { ...session } }
    if (kind === undefined || message === undefined) return post({ type: 'done', n, ...left })
    post({ type: 'done', n, ...left, problem: { kind, message } })
  }

  scope.addEventListener('message', (event) => {
    const data: unknown = 'data' in event ? event.data : undefined
    if (!isObject(data)) return
    const { type, n, version, count } = data
    if (type === 'start' && typeof n === 'number') {
      starting = start(data['session'])
      void report(n, starting)
    } else if (type === 'send' && typeof n === 'number') {
      void report(n, send(data['message']))
    } else if (type === 'end' && typeof n === 'number') {
      void report(
        n,
        Promise.resolve(starting).then((transport) => transport?.terminateSession?.()),
      )
    } else if (type === 'taken' && typeof count === 'number') {
      pace.taken(count)
    } else if (type === 'version' && typeof version === 'string') {
      void starting?.then((transport) => transport.setProtocolVersion?.(version)).catch(() => {})
    }
  })
}

/** Keeps a fast server from filling the page's queue of messages. */
function createPace() {
  let ahead = 0
  let total = 0
  let waiting = createDeferred<void>()
  return {
    sent: (): void => {
      total += 1
      ahead += 1
    },
    taken: (count: number): void => {
      ahead = total - count
      waiting.resolve()
      waiting = createDeferred<void>()
    },
    room: (): Promise<void> | undefined => (ahead < mostAhead ? undefined : waiting.promise),
  }
}
