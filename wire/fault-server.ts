import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CorsPolicy, corsOfAnswer, corsOfPreflight, isCorsPolicy } from './cors.ts'
import type { Exchange, Protocol, Reply } from './exchange.ts'
import { refuse } from './faults/refusals.ts'
import { replyNamed } from './faults/replies.ts'
import { createJournal, type SeenRequest, type Stray, type Visit } from './journal.ts'
import { problemsOf } from './judge.ts'

/** A server that answers as its address says. */
export interface FaultServer {
  readonly origin: string
  readonly close: () => Promise<void>
}

/**
 * Starts a server of both protocols and makes the mistakes it is commanded to. The command is the base URL:
 * `/<visit>/<CORS policy>/<replies>`, for instance `/my-test/open/E12-529,answer`: the first request of the visit
 * gets the first reply, and so on; the last one repeats. The replies have the names of the rows in `rows/`.
 *
 * A request that breaks a rule of its vendor is refused by the name of the rule, whatever reply was commanded.
 * `GET /<visit>/journal` returns the requests (visit `strays`: those to unknown addresses), and `POST /<visit>/seen`
 * lets a waiting reply continue.
 *
 * `elsewhere`: the origin that redirects lead to.
 */
export async function startFaultServer({ elsewhere = '' } = {}): Promise<FaultServer> {
  const visitNamed = createJournal()
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch((error: unknown) => {
      console.error('The fault server failed', incoming.url, error)
      response.destroy()
    })
  })
  // A browser repeats a request by itself if a connection that it reuses breaks.
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => close(server) }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const order = readOrder(incoming.url ?? '/')
    const visit = visitNamed(order.visit)
    if (order.kind === 'unknown') visitNamed('strays').strays.push(strayOf(incoming))
    if (order.kind !== 'ask') return answerAside(response, { kind: order.kind, visit })
    if (incoming.method === 'OPTIONS') {
      visit.preflights += 1
      return void response.writeHead(204, corsOfPreflight(order.policy, incoming)).end()
    }
    const request = await note(incoming, { order, visit })
    response.on('close', () => {
      request.state = response.writableFinished ? 'finished' : 'closed'
    })
    const [problem] = request.problems
    const reply = problem === undefined ? pick(order, visit) : refuse('illegal', problem)
    await reply(exchangeOf({ request, response, order, visit, elsewhere }))
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

interface Command {
  readonly kind: 'ask'
  readonly visit: string
  readonly policy: CorsPolicy
  readonly replies: readonly string[]
  readonly protocol: Protocol
}

type Aside = 'journal' | 'seen' | 'unknown'
type Order = Command | { readonly kind: Aside; readonly visit: string }

function readOrder(url: string): Order {
  const { pathname } = new URL(url, 'http://localhost')
  const [, visit = '', second, third = '', ...rest] = pathname.split('/')
  if (second === 'journal' || second === 'seen') return { kind: second, visit }
  const protocol = protocols.get(rest.join('/'))
  if (!isCorsPolicy(second) || !protocol) return { kind: 'unknown', visit }
  const replies = decodeURIComponent(third).split(',')
  return { kind: 'ask', visit, policy: second, replies, protocol }
}

const protocols: ReadonlyMap<string, Protocol> = new Map([
  ['v1/messages', 'anthropic'],
  ['v1/chat/completions', 'openai'],
])

interface Asked {
  readonly order: Command
  readonly visit: Visit
}

async function note(incoming: IncomingMessage, { order, visit }: Asked): Promise<SeenRequest> {
  const { protocol } = order
  const body = parse(await readText(incoming))
  const request: SeenRequest = {
    protocol,
    url: incoming.url ?? '',
    headers: incoming.headers,
    body,
    problems: problemsOf(protocol, incoming, body),
    state: 'open',
  }
  visit.requests.push(request)
  return request
}

function pick({ replies, protocol }: Command, visit: Visit): Reply {
  const name = replies[Math.min(visit.requests.length, replies.length) - 1] ?? ''
  return replyNamed(name, protocol)
}

interface Situation extends Asked {
  readonly request: SeenRequest
  readonly response: ServerResponse
  readonly elsewhere: string
}

function exchangeOf({ request, response, order, visit, elsewhere }: Situation): Exchange {
  return {
    protocol: order.protocol,
    response,
    elsewhere,
    key: request.headers.authorization?.replace('Bearer ', '') ?? '',
    begin: (status, headers) => {
      response.writeHead(status, { ...corsOfAnswer(order.policy, status), ...headers })
    },
    seen: () =>
      new Promise((resolve) => {
        visit.waiting.add(resolve)
        response.on('close', resolve)
      }),
  }
}

function strayOf({ method = '', url = '', headers }: IncomingMessage): Stray {
  return { method, url, headers }
}

const forEverybody = { 'access-control-allow-origin': '*', 'content-type': 'application/json' }

function answerAside(
  response: ServerResponse,
  { kind, visit }: { readonly kind: Aside; readonly visit: Visit },
): void {
  const { waiting, ...visible } = visit
  if (kind === 'unknown') return void response.writeHead(404).end('There is nothing here.')
  if (kind === 'seen') {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  response.writeHead(200, forEverybody).end(JSON.stringify(visible))
}

async function readText(incoming: IncomingMessage): Promise<string> {
  incoming.setEncoding('utf8')
  let text = ''
  for await (const piece of incoming) text += String(piece)
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
