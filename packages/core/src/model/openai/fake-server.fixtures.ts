import type { ServerResponse } from 'node:http'
import { type Answer, type FakeServer, startFakeServer } from '../http/fake-server.fixtures.ts'
import { openaiProblems } from './strict.fixtures.ts'

export interface FakeOpenAIServer extends FakeServer {
  readonly baseURL: string
}

/** A Chat Completions API on a real socket that refuses illegal requests by the vendor's rules. */
export async function startFakeOpenAI(): Promise<FakeOpenAIServer> {
  const server = await startFakeServer({
    judge: ({ method, url, body }) => {
      if (method !== 'POST' || url !== '/v1/chat/completions') return says(404, 'no such route')
      const [violation] = openaiProblems(body)
      return violation === undefined ? null : says(400, violation)
    },
    nothingLeft: refuse({ status: 500, body: 'none left' }),
  })
  return { ...server, baseURL: `${server.origin}/v1` }
}

function says(status: number, message: string): Answer {
  return refuse({ status, body: { error: { message } } })
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
