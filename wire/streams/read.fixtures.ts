import { anthropic } from '../../packages/core/src/anthropic.ts'
import { type ModelChunk, ModelError } from '../../packages/core/src/index.ts'
import { createAccumulator } from '../../packages/core/src/model/accumulate.ts'
import { forgetFailures } from '../../packages/core/src/model/http/breaker.ts'
import type { Model } from '../../packages/core/src/model/port.ts'
import { openai } from '../../packages/core/src/openai.ts'
import type { Protocol } from '../exchange.ts'

/** What an adapter made of a stream. */
export interface Reading {
  readonly chunks: readonly ModelChunk[]
  /** What it threw, if it did not come to the end. */
  readonly thrown: unknown
}

/** How a body that came in these pieces ended. */
type Ending = 'closed' | 'broken'

const options = { apiKey: 'canary-7c1f0e5b-do-not-tell', maxTokens: 1000 }

/** An adapter over this `fetch`. */
export function modelOver(protocol: Protocol, fetch: () => Promise<Response>): Model {
  if (protocol === 'openai') return openai({ model: 'gpt-test', ...options, fetch })
  return anthropic({ model: 'claude-test', ...options, fetch })
}

/** Lets an adapter read a body that comes in exactly these pieces. */
export async function read(
  protocol: Protocol,
  pieces: readonly Uint8Array<ArrayBuffer>[],
  ending: Ending = 'closed',
): Promise<Reading> {
  // Thousands of failures in a row would open the breaker.
  forgetFailures()
  return readFrom(modelOver(protocol, async () => responseOf(pieces, ending)))
}

/** Sends a request and reads the answer as an agent does, with the checks that hold for every model. */
export async function readFrom(model: Model): Promise<Reading> {
  const chunks: ModelChunk[] = []
  const accumulate = createAccumulator(() => 'call')
  try {
    const request = { system: '', messages: [question], tools: [] }
    for await (const chunk of model.stream(request, { signal: new AbortController().signal })) {
      accumulate(chunk)
      chunks.push(chunk)
    }
    return { chunks, thrown: null }
  } catch (thrown) {
    return { chunks, thrown }
  }
}

/** The kind of a typed failure, or `none`. Throws if the failure has no type. */
export function failureOf({ thrown }: Reading): string {
  if (thrown === null) return 'none'
  if (thrown instanceof ModelError) return thrown.error.kind
  throw thrown
}

/** The content of an answer, however it was divided into deltas. */
export function contentOf(chunks: readonly ModelChunk[]): readonly unknown[] {
  const blocks = new Map<number, Record<string, unknown>>()
  for (const chunk of chunks) {
    if (chunk.type === 'finish') continue
    const { type, contentIndex, ...fields } = chunk
    const block = blocks.get(contentIndex) ?? { kind: type.replace(/_.*/, ''), text: '' }
    const text = `${String(block['text'])}${'delta' in fields ? fields.delta : ''}`
    blocks.set(contentIndex, { ...block, ...fields, text, isEnded: type.endsWith('_end') })
  }
  return [...blocks.values()].map(({ delta: _, ...block }) => block)
}

const question = {
  id: 'm1',
  parentId: null,
  role: 'user',
  content: [{ type: 'text', text: 'What time is it?' }],
} as const

function responseOf(pieces: readonly Uint8Array<ArrayBuffer>[], ending: Ending): Response {
  const rest = [...pieces]
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const piece = rest.shift()
      if (piece) controller.enqueue(piece)
      else if (ending === 'closed') controller.close()
      else controller.error(new TypeError('network error'))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
