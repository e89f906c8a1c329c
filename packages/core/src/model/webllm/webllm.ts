import type { JsonObject } from '../../internal/json.ts'
import { createHeldReader } from '../held/answer-reader.ts'
import { type HeldMessage, toHeldPrompt } from '../held/held-prompt.ts'
import { nothingToAnswer } from '../http/failures.ts'
import { type Asked, streamAnswer } from '../http/stream-answer.ts'
import { firstChoice } from '../openai/events.ts'
import { createAnswerReader } from '../openai/stream.ts'
import { streamOutput } from '../output-stream.ts'
import { type Model, type ModelChunk, type ModelRequest, truncated } from '../port.ts'
import type { WebLLMEngine, WebLLMMessage, WebLLMRequest } from './engine.ts'
import { engineEvents } from './engine-events.ts'
import { engineFailure } from './failures.ts'

/** Which of the engine's models answers, and how. */
export interface WebLLMOptions extends Pick<WebLLMRequest, 'temperature' | 'top_p' | 'extra_body'> {
  /** The name of a model that the engine has loaded, for instance `Llama-3.2-3B-Instruct-q4f16_1-MLC`. */
  readonly model: string
  /** How many tokens one answer may have. Default: as many as the context window has room for. */
  readonly maxTokens?: number
  /** Whether the model reads images. Default: false, and a note takes the place of each image. */
  readonly readsImages?: boolean
}

/**
 * A model that WebLLM runs in the page: no key, no server, and nothing leaves the device. Your app loads it, best in a
 * worker, where its work does not hold up the page.
 *
 * Every model of the engine can call tools: its answer is held to a form, and what it says in it still streams. Outputs are
 * held to their schema in the same way. An engine writes one answer at a time: a second request waits. Stop interrupts the
 * engine, and the next request starts when it has stopped. `inputTokens` counts what the engine had to read again. A failed
 * request throws a `ModelError`.
 *
 * @example
 * ```ts
 * const model = 'Llama-3.2-3B-Instruct-q4f16_1-MLC'
 * const engine = await CreateWebWorkerMLCEngine(worker, model, { initProgressCallback: showProgress })
 * const agent = createAgent({ model: webllm(engine, { model }), tools })
 * ```
 */
export function webllm(engine: WebLLMEngine, options: WebLLMOptions): Model {
  const stream: Model['stream'] = (request, asked) =>
    streamAnswer(() => {
      const body = toBody(request, options)
      return {
        withoutKeys: (chunks) => chunks,
        ...createReader(request, options),
        events: withFailures(engineEvents(engine, body, asked), asked.signal),
      }
    }, asked.signal)
  const identity = { provider: 'webllm', id: options.model }
  return {
    identity,
    structuredOutput: true,
    stream: (request, asked) => {
      const { output, ...plain } = request
      // An answer has only one form: if tools are offered, the output is one of them.
      return output && request.tools.length > 0
        ? streamOutput({ identity, stream }, { schema: output.schema, request: plain }, asked)
        : stream(request, asked)
    },
  }
}

function toBody(request: ModelRequest, options: WebLLMOptions): WebLLMRequest {
  const { model, maxTokens, readsImages = false, ...sampling } = options
  const prompt = toHeldPrompt(request, { takesImages: readsImages, writesSchemas: true })
  if (prompt.messages.length === 0) throw nothingToAnswer()
  const schema = prompt.constraint ?? request.output?.schema
  const system = [prompt.system, request.output ? askFor(request.output.schema) : '']
    .filter((text) => text !== '')
    .join('\n\n')
  return {
    ...sampling,
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...prompt.messages.map(toMessage),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(schema && { response_format: { type: 'json_object', schema: JSON.stringify(schema) } }),
  }
}

/** An engine does not show the model the schema, and a model that does not expect it writes white space without end. */
function askFor(schema: JsonObject): string {
  return `Answer with nothing but one JSON object of this JSON Schema: ${JSON.stringify(schema)}`
}

function toMessage({ role, parts }: HeldMessage): WebLLMMessage {
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []))
  const said = texts.join('\n\n')
  const images = parts.flatMap((part) =>
    part.type === 'text' ? [] : `data:${part.mediaType};base64,${part.data}`,
  )
  if (role === 'assistant' || images.length === 0) return { role, content: said }
  // The engine takes only one text for each message.
  return {
    role,
    content: [
      ...(said === '' ? [] : [{ type: 'text', text: said } as const]),
      ...images.map((url) => ({ type: 'image_url', image_url: { url } }) as const),
    ],
  }
}

async function* withFailures(
  events: AsyncIterable<JsonObject>,
  signal: AbortSignal,
): AsyncGenerator<JsonObject, void, undefined> {
  let hasBegun = false
  try {
    for await (const event of events) {
      // The engine was interrupted, and not by this request.
      if (firstChoice(event)?.['finish_reason'] === 'abort') throw truncated()
      hasBegun = true
      yield event
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : engineFailure(error, hasBegun)
  }
}

function createReader(
  { tools }: ModelRequest,
  { maxTokens = Infinity }: WebLLMOptions,
): Pick<Asked<JsonObject>, 'read' | 'end'> {
  const reader = createAnswerReader({ toolNames: new Set(), maxTokens, price: undefined })
  if (tools.length === 0) return reader
  const held = createHeldReader()
  function* unfold(chunks: Iterable<ModelChunk>): Iterable<ModelChunk> {
    for (const chunk of chunks) {
      if (chunk.type === 'text_delta') yield* held.push(chunk.delta)
      if (chunk.type !== 'finish') continue
      if (chunk.stopReason !== 'stop') {
        yield* held.cut()
        yield chunk
        return
      }
      const { chunks: rest, calls } = held.end()
      yield* rest
      yield calls > 0 ? { ...chunk, stopReason: 'tool_use' } : chunk
    }
  }
  return { read: (event) => unfold(reader.read(event)), end: () => unfold(reader.end()) }
}
