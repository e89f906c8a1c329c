import { readConversation } from './conversation.ts'
import { isRecord, parseJson, toText } from './json.ts'
import { planNext } from './plan.ts'
import type { StreamEvent } from './stream.ts'
import { toEvents, toServerSentEvent } from './stream.ts'

export interface PlannerOptions {
  /** Milliseconds between two pieces of the stream. Default 12. */
  readonly delayMs?: number
  /** Characters in one piece. Default 12. */
  readonly chunkSize?: number
}

/**
 * A `fetch` that answers `POST /v1/messages` itself, by rules, in Anthropic's stream format.
 *
 * Given to the SDK in place of the real one, everything above it runs as with a model: the adapter, the loop, the tools.
 */
export function createPlannerFetch({
  delayMs = 12,
  chunkSize = 12,
}: PlannerOptions = {}): typeof fetch {
  return async (input, init) => {
    const request = await readRequest(input, init)
    request.signal?.throwIfAborted()
    if (request.method !== 'POST' || !request.path.endsWith('/v1/messages'))
      return toError(
        404,
        'not_found_error',
        `The scripted planner answers only POST /v1/messages, not ${request.method} ${request.path}.`,
      )
    const body = parseJson(request.body)
    if (!isRecord(body) || !Array.isArray(body['messages']))
      return toError(
        400,
        'invalid_request_error',
        'messages: the body must be JSON with a list of messages.',
      )
    if (body['stream'] !== true)
      return toError(
        400,
        'invalid_request_error',
        'stream: the scripted planner only streams; set it to true.',
      )
    const model = toText(body['model']) || 'scripted-planner'
    const id = `planner_${hashText(request.body)}`
    const events = toEvents(planNext(readConversation(body)), { id, model, chunkSize })
    const stream = toByteStream(events, { delayMs, signal: request.signal })
    return new Response(stream, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        'request-id': `req_${id}`,
      },
    })
  }
}

interface PlannerRequest {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly signal: AbortSignal | undefined
}

async function readRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<PlannerRequest> {
  const given = input instanceof Request ? input : undefined
  const url = given?.url ?? String(input)
  const signal = init?.signal ?? given?.signal
  return {
    method: (init?.method ?? given?.method ?? 'GET').toUpperCase(),
    path: new URL(url, 'http://planner.invalid').pathname,
    body:
      typeof init?.body === 'string'
        ? init.body
        : given === undefined
          ? await new Response(init?.body ?? '').text()
          : await given.clone().text(),
    signal: signal ?? undefined,
  }
}

interface Pacing {
  readonly delayMs: number
  readonly signal: AbortSignal | undefined
}

function toByteStream(
  events: readonly StreamEvent[],
  { delayMs, signal }: Pacing,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const event = events[next++]
      if (event === undefined) {
        controller.close()
        return
      }
      if (delayMs > 0 && event.type === 'content_block_delta') await pause(delayMs, signal)
      // An aborted fetch errs its body with the reason, so does this one.
      if (signal?.aborted === true) controller.error(signal.reason)
      else controller.enqueue(encoder.encode(toServerSentEvent(event)))
    },
  })
}

/** Ends early when aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve()
      return
    }
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish)
  })
}

function toError(status: number, type: string, message: string): Response {
  return Response.json(
    { type: 'error', error: { type, message }, request_id: 'req_planner' },
    { status, headers: { 'x-should-retry': 'false' } },
  )
}

/** Names a message by its request, so that the same conversation streams the same bytes. */
function hashText(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return `${(hash >>> 0).toString(36)}${text.length.toString(36)}`
}
