import type { ServerResponse } from 'node:http'
import { type FakeServer, startFakeServer } from '../http/fake-server.fixtures.ts'
import { isFields } from '../strict-json.fixtures.ts'
import { anthropicProblems } from './strict.fixtures.ts'

export interface FakeAnthropicServer extends FakeServer {
  readonly baseURL: string
}

/** A Messages API on a real socket that refuses illegal requests by the vendor's rules. */
export async function startFakeAnthropic(): Promise<FakeAnthropicServer> {
  const server = await startFakeServer({
    judge: ({ url, body }) => {
      const problems = judges.get(url)
      if (!problems) {
        return refuse({ status: 404, type: 'not_found_error', message: 'no such route' })
      }
      const [violation] = problems(body)
      return violation === undefined
        ? null
        : refuse({ status: 400, type: 'invalid_request_error', message: violation })
    },
    nothingLeft: refuse({ status: 500, type: 'api_error', message: 'none left' }),
  })
  return { ...server, baseURL: server.origin }
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
