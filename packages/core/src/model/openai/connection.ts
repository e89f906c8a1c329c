import { ModelError } from '../port.ts'
import { boundLines } from '../wire/bounded-lines.ts'
import { createEndpoint, type Endpoint, type EndpointOptions } from '../wire/endpoint.ts'
import { exchange } from '../wire/exchange.ts'
import { cutOff, refused, unsendable } from '../wire/failures.ts'
import { stayHere } from '../wire/stay-here.ts'
import { unreachable } from '../wire/unreachable.ts'
import { eventsIn, refusalText } from './answer-body.ts'
import { readRefusal } from './errors.ts'
import type { Fields } from './fields.ts'

/** How a Chat Completions API is reached. */
export interface OpenAIConnectionOptions extends EndpointOptions {
  /** The model's id, for instance `gpt-5.5`. */
  readonly model: string
  /** Where the API is, with `/v1`; may be relative to the page. Default: OpenAI's own. */
  readonly baseURL?: string
}

export interface Connection {
  readonly endpoint: Endpoint
  readonly options: OpenAIConnectionOptions
}

export function connect(options: OpenAIConnectionOptions): Connection {
  const { model, baseURL = 'https://api.openai.com/v1' } = options
  return { endpoint: createEndpoint({ model, baseURL }, options), options }
}

interface Question {
  readonly body: Fields
  readonly signal: AbortSignal
  readonly onAlive: (() => void) | undefined
}

/** Sends one request and gives the events of its answer, as they come: see `exchange`. */
export function openEvents(
  connection: Connection,
  question: Question,
): AsyncGenerator<Fields, void, undefined> {
  const { endpoint } = connection
  const { target } = endpoint
  return exchange({
    endpoint,
    signal: question.signal,
    // What fetch throws is not kept as `cause`: it may quote headers, and so a key.
    explain: (error) => (error instanceof ModelError ? error : cutOff(target)),
    send: async (key) => {
      const response = await post(connection, { ...question, key })
      if (response.ok) return eventsIn(boundLines(response, question.onAlive), target)
      throw refused(readRefusal(await refusalText(response), response), target)
    },
  })
}

type Request = Question & { readonly key: string | null }

async function post({ endpoint, options }: Connection, request: Request): Promise<Response> {
  const { signal } = request
  const init = toInit(request, options.headers)
  const send = options.fetch ?? globalThis.fetch
  try {
    return stayHere(await send(`${endpoint.baseURL}/chat/completions`, init), endpoint.target)
  } catch (error) {
    if (signal.aborted || error instanceof ModelError) throw error
    throw await unreachable(endpoint)
  }
}

function toInit(
  { body, key, signal }: Request,
  more: EndpointOptions['headers'] = {},
): RequestInit {
  try {
    const headers = new Headers({ 'content-type': 'application/json' })
    if (key !== null) headers.set('authorization', `Bearer ${key}`)
    for (const [name, value] of Object.entries(more)) {
      if (value === null) headers.delete(name)
      else headers.set(name, value)
    }
    return {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      signal,
      // A redirect would carry the conversation where nobody sent it.
      redirect: 'manual',
      // The cookies of the page are for its own proxy.
      credentials: 'same-origin',
    }
  } catch {
    throw unsendable()
  }
}
