/// <reference types="node" />
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { isObject, tryJson } from '../internal/json.ts'

/** A request as it came. */
export interface Seen {
  readonly http: string
  readonly headers: IncomingHttpHeaders
  /** The method of its message, and the rest of it. */
  readonly method: string
  readonly id: unknown
  readonly params: { readonly [key: string]: unknown }
}

/** Answers a request in place of the server; `false`: the server does. */
export type Answer = (seen: Seen, response: ServerResponse) => boolean | undefined

export interface FakeMcp {
  readonly url: string
  readonly origin: string
  readonly seen: readonly Seen[]
  /** Those with messages of one method. */
  readonly of: (method: string) => readonly Seen[]
  /** Resolves when a request was seen that fits. */
  readonly until: (fits: (seen: Seen) => boolean) => Promise<Seen>
  /** Sends what the server says on its own. */
  readonly say: (message: object) => void
  /** Ends the stream of what it says on its own. */
  readonly cutListeners: () => void
  /** The list, and how to misbehave. May be changed at any time. */
  tools: readonly unknown[]
  answer: Answer
  readonly close: () => Promise<void>
}

export const echoTool = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
}

/** A small MCP server on a real socket. By default it has a session, a stream for what it says, and `echo`. */
export async function startFakeMcp(answer: Answer = () => false): Promise<FakeMcp> {
  const seen: Seen[] = []
  const watchers = new Set<(one: Seen) => void>()
  const listeners = new Set<ServerResponse>()
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const fake: FakeMcp = {
    url: `${origin}/mcp`,
    origin,
    seen,
    of: (method) => seen.filter((one) => one.method === method),
    until: (fits) =>
      new Promise((resolve) => {
        const check = (one: Seen) => {
          if (!fits(one)) return
          watchers.delete(check)
          resolve(one)
        }
        watchers.add(check)
        for (const one of seen) check(one)
      }),
    say: (message) => {
      for (const one of listeners) one.write(eventOf({ jsonrpc: '2.0', ...message }))
    },
    cutListeners: () => {
      for (const one of listeners) one.end()
      listeners.clear()
    },
    tools: [echoTool],
    answer,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return fake

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(incoming)
    const body = tryJson(text)
    const { method, id, params } = isObject(body) ? body : {}
    const one: Seen = {
      http: `${incoming.method} ${incoming.url}`,
      headers: incoming.headers,
      method: typeof method === 'string' ? method : '',
      id,
      params: isObject(params) ? params : {},
    }
    seen.push(one)
    const isTaken = fake.answer(one, response) ?? true
    if (!isTaken) byTheRules(one, response)
    for (const watch of watchers) watch(one)
  }

  function byTheRules({ http, method, id, params }: Seen, response: ServerResponse): void {
    if (http.startsWith('GET')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      listeners.add(response)
    } else if (method === 'initialize') {
      reply(response.setHeader('mcp-session-id', 's1'), id, initialized(params))
    } else if (method === 'tools/list') {
      reply(response, id, { tools: fake.tools })
    } else if (method === 'tools/call') {
      const { text = '' } = isObject(params['arguments']) ? params['arguments'] : {}
      reply(response, id, { content: [{ type: 'text', text: String(text) }] })
    } else {
      response.writeHead(202).end()
    }
  }
}

export function initialized({ protocolVersion }: Seen['params']): object {
  const serverInfo = { name: 'vendor/fake', version: '1.2.3' }
  const capabilities = { tools: { listChanged: true } }
  return { protocolVersion, serverInfo, capabilities, instructions: 'Be kind.' }
}

/** A whole answer. */
export function reply(response: ServerResponse, id: unknown, result: unknown): true {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  return true
}

/** A stream of messages, which stays open. */
export function stream(response: ServerResponse, ...messages: readonly object[]): true {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  for (const message of messages) response.write(eventOf({ jsonrpc: '2.0', ...message }))
  return true
}

export function eventOf(message: object, eventId?: string): string {
  return `${eventId === undefined ? '' : `id: ${eventId}\n`}data: ${JSON.stringify(message)}\n\n`
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  return text
}
