import type { RunError } from '../../kernel/run-error.ts'
import { streamed } from '../http/streamed.fixtures.ts'
import { type Model, type ModelChunk, ModelError, type ModelRequest } from '../port.ts'
import { type RawEvent, toSse } from './fake.fixtures.ts'
import { type OpenAIOptions, openai } from './openai.ts'

export const question: ModelRequest = {
  system: '',
  messages: [
    { id: 'm1', parentId: null, role: 'user', content: [{ type: 'text', text: 'Time?' }] },
  ],
  tools: [{ name: 'clock', description: 'Tells the time.', inputSchema: { type: 'object' } }],
}

/** A model whose server is a function. */
export function scripted(
  answer: () => Response | Promise<Response>,
  options: Partial<OpenAIOptions> = {},
): Model {
  return openai({ model: 'gpt-test', fetch: async () => answer(), ...options })
}

export async function collect(
  model: Model,
  request: ModelRequest = question,
): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of model.stream(request, { signal: new AbortController().signal })) {
    chunks.push(chunk)
  }
  return chunks
}

/** What is made of these events. */
export function read(
  events: readonly RawEvent[],
  options: Partial<OpenAIOptions> = {},
  request: ModelRequest = question,
): Promise<readonly ModelChunk[]> {
  return collect(
    scripted(() => streamed([toSse(events)]), options),
    request,
  )
}

/** The error that a stream ends with. */
export async function thrownBy(chunks: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await chunks.catch((thrown: unknown) => thrown)
  if (error instanceof ModelError) return error
  throw new Error('The stream did not fail with a ModelError.', { cause: error })
}

export async function failureOf(chunks: Promise<unknown>): Promise<RunError> {
  return (await thrownBy(chunks)).error
}

/** What was said, thought and called, each as one text. */
export function summaryOf(chunks: readonly ModelChunk[]): readonly string[] {
  const blocks: string[] = []
  for (const chunk of chunks) {
    if (chunk.type === 'text_start') blocks.push('text: ')
    if (chunk.type === 'thinking_start') blocks.push('thinking: ')
    if (chunk.type === 'toolcall_start') {
      const { toolName, providerId } = chunk
      blocks.push(providerId === undefined ? `${toolName}: ` : `${toolName} ${providerId}: `)
    }
    if ('delta' in chunk) blocks[chunk.contentIndex] += chunk.delta
  }
  return blocks
}
