import { readConversation } from './conversation.ts'
import { planNext, type Step } from './plan.ts'

export interface PlannerOptions {
  /** Milliseconds between two pieces of the stream. Default 12. */
  readonly delayMs?: number
  /** Characters in one piece. Default 12. */
  readonly chunkSize?: number
}

/** A `fetch` that answers by rules, in Anthropic's stream format. The rest of the page runs as with a real model. */
export function createPlannerFetch(options: PlannerOptions = {}): typeof fetch {
  const { delayMs = 12, chunkSize = 12 } = options
  return async (input, init) => {
    const request = new Request(new URL(String(input), 'http://planner.invalid'), init)
    // Not the signal of the request, which may be collected as garbage before it aborts.
    const signal = init?.signal ?? undefined
    signal?.throwIfAborted()
    if (request.method !== 'POST' || !request.url.endsWith('/v1/messages'))
      return toError(404, 'not_found_error', 'The scripted planner answers only POST /v1/messages.')
    const talk = readConversation(await request.text())
    if (!talk) return toError(400, 'invalid_request_error', 'Send messages, and stream: true.')
    // The same conversation streams the same bytes.
    const events = toEvents(planNext(talk), `planner_${talk.turn}`, chunkSize)
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(toStream(events, delayMs, signal), { headers })
  }
}

/** A step as the events of one streamed message. Tokens are not counted. */
function toEvents({ text, calls }: Step, id: string, chunkSize: number) {
  const jsonDelta = 'input_json_delta'
  const deltas = chunk(text, chunkSize).map((piece) => ({ type: 'text_delta', text: piece }))
  const called = calls.map(({ name, json }, at) => {
    const block = { type: 'tool_use', id: `toolu_${id}_${at}`, name, input: {} }
    const pieces = chunk(json, Math.max(chunkSize, Math.ceil(json.length / 60)))
    return [block, pieces.map((piece) => ({ type: jsonDelta, partial_json: piece }))] as const
  })
  const blocks = [
    ...(text === '' ? [] : [[{ type: 'text', text: '' }, deltas] as const]),
    ...called,
  ]
  const usage = { input_tokens: 0, output_tokens: 0 }
  const model = { role: 'assistant', model: 'scripted-planner' }
  const message = { id: `msg_${id}`, type: 'message', ...model, content: [], usage }
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    ...blocks.flatMap(([block, all], index) => [
      { type: 'content_block_start', index, content_block: block },
      ...all.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

/** Cuts between whole characters: half an emoji is no valid text. */
function chunk(text: string, size: number): readonly string[] {
  return text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
}

type Events = ReturnType<typeof toEvents>

function toStream(events: Events, delayMs: number, signal?: AbortSignal) {
  const left = events.values()
  const lines = new ReadableStream<string>({
    async pull(controller) {
      const { value: event } = left.next()
      if (!event) return controller.close()
      const isPaced = delayMs > 0 && event.type === 'content_block_delta'
      if (isPaced) await new Promise((resolve) => setTimeout(resolve, delayMs))
      // As a real fetch does: when it is aborted, its body fails with the reason.
      if (signal?.aborted) return controller.error(signal.reason)
      controller.enqueue(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    },
  })
  return lines.pipeThrough(new TextEncoderStream())
}

function toError(status: number, type: string, message: string): Response {
  const headers = { 'x-should-retry': 'false' }
  return Response.json({ type: 'error', error: { type, message } }, { status, headers })
}
