import { describe, expect, test } from 'vitest'
import { modelContract } from '../model.contract.ts'
import type { Model, ModelChunk, ModelRequest } from '../port.ts'
import { type RawEvent, responseIn, streamed, toSse, twoCalls } from './fake.fixtures.ts'
import { type OpenAIOptions, openai } from './openai.ts'

modelContract('openai', (situation) => scripted(() => responseIn(situation)))

describe('an answer', () => {
  test('[S002-6] [S002-10] of text and two calls comes as chunks, deltas unjoined', async () => {
    expect(await read(twoCalls)).toEqual([
      { type: 'text_start', contentIndex: 0 },
      { type: 'text_delta', contentIndex: 0, delta: 'Ich schaue ' },
      { type: 'text_delta', contentIndex: 0, delta: 'nach 🕰️.' },
      { type: 'text_end', contentIndex: 0 },
      { type: 'toolcall_start', contentIndex: 1, toolName: 'clock', providerId: 'call_1' },
      { type: 'toolcall_delta', contentIndex: 1, delta: '{"city":' },
      { type: 'toolcall_delta', contentIndex: 1, delta: '"Київ"}' },
      { type: 'toolcall_start', contentIndex: 2, toolName: 'clock', providerId: 'call_2' },
      { type: 'toolcall_delta', contentIndex: 2, delta: '{"city":"Lima"}' },
      { type: 'toolcall_end', contentIndex: 1 },
      { type: 'toolcall_end', contentIndex: 2 },
      { type: 'finish', stopReason: 'tool_use', usage: { inputTokens: 10, outputTokens: 20 } },
    ])
  })
})

const request: ModelRequest = {
  system: '',
  messages: [
    { id: 'm1', parentId: null, role: 'user', content: [{ type: 'text', text: 'Time?' }] },
  ],
  tools: [{ name: 'clock', description: 'Tells the time.', inputSchema: { type: 'object' } }],
}

function scripted(
  answer: () => Response | Promise<Response>,
  options: Partial<OpenAIOptions> = {},
): Model {
  return openai({ model: 'gpt-test', fetch: async () => answer(), ...options })
}

async function collect(model: Model): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of model.stream(request, { signal: new AbortController().signal })) {
    chunks.push(chunk)
  }
  return chunks
}

function read(events: readonly RawEvent[]): Promise<readonly ModelChunk[]> {
  return collect(scripted(() => streamed([toSse(events)])))
}
