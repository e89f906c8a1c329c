import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgentIn } from '../agent/create-agent.ts'
import type { OutputSchema } from '../agent/output-schema.ts'
import { createManualEnvironment } from '../runtime/environment.fixtures.ts'
import { type AnthropicOptions, anthropic } from './anthropic/anthropic.ts'
import { anthropicProblems } from './anthropic/strict.fixtures.ts'
import { type OpenAIOptions, openai } from './openai/openai.ts'
import { openaiProblems } from './openai/strict.fixtures.ts'
import type { Model } from './port.ts'

const names = z.object({ names: z.array(z.string().max(9)) })

/** The body that is sent for an output. The server refuses it, after the judge has. */
async function bodyFor(
  make: (fetch: typeof globalThis.fetch) => Model,
  output: OutputSchema = names,
): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown>[] = []
  const model = make(async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>)
    return new Response('{}', { status: 400 })
  })
  const agent = createAgentIn({ model, retry: null }, createManualEnvironment())
  await agent.prompt('Who?', { output })
  const [body] = bodies
  if (!body) throw new Error('Nothing was sent.')
  return body
}

const askOpenAI = (options: Partial<OpenAIOptions> = {}, output?: OutputSchema) =>
  bodyFor((fetch) => openai({ model: 'gpt-5.5', fetch, ...options }), output)

const askAnthropic = (options: Partial<AnthropicOptions> = {}, output?: OutputSchema) =>
  bodyFor((fetch) => anthropic({ model: 'claude-opus-5-5', fetch, ...options }), output)

const schema = {
  type: 'object',
  properties: {
    names: { type: 'array', items: { type: 'string', description: '{maxLength: 9}' } },
  },
  required: ['names'],
  additionalProperties: false,
}

test('[O14] OpenAI is asked by response_format, strictly where every field is required', async () => {
  const body = await askOpenAI()

  expect(body['response_format']).toEqual({
    type: 'json_schema',
    json_schema: { name: 'answer', strict: true, schema },
  })
  expect(body).not.toHaveProperty('tools')
  expect(openaiProblems(body)).toEqual([])
  const some = await askOpenAI({}, names.partial())
  expect(some).toMatchObject({ response_format: { json_schema: { strict: false } } })
  expect(openaiProblems(some)).toEqual([])
})

test('[O14] Anthropic is asked by output_config, beside the effort', async () => {
  const body = await askAnthropic({ effort: 'low' })

  expect(body['output_config']).toEqual({ effort: 'low', format: { type: 'json_schema', schema } })
  expect(body).not.toHaveProperty('tools')
  expect(anthropicProblems(body)).toEqual([])
})

test.for<[string, () => Promise<Record<string, unknown>>]>([
  ['another server', () => askOpenAI({ baseURL: 'http://localhost:11434/v1' })],
  ['a tool that must be called', () => askOpenAI({ toolChoice: 'required' })],
  ['an option', () => askOpenAI({ structuredOutput: false })],
  ['a schema that cannot be closed', () => askOpenAI({}, z.object({ a: z.any() }))],
])('[O6] [O14] OpenAI is asked with a tool for %s', async ([, ask]) => {
  const body = await ask()

  expect(body).not.toHaveProperty('response_format')
  expect(body).toMatchObject({ tools: [{ function: { name: 'final_answer' } }] })
  expect(openaiProblems(body)).toEqual([])
})

test.for<[string, () => Promise<Record<string, unknown>>]>([
  ['another model', () => askAnthropic({ model: 'qwen3' })],
  ['a tool that must be called', () => askAnthropic({ toolChoice: 'required' })],
  ['an option', () => askAnthropic({ structuredOutput: false })],
  ['a schema that cannot be closed', () => askAnthropic({}, z.record(z.string(), z.string()))],
])('[O6] [O14] Anthropic is asked with a tool for %s', async ([, ask]) => {
  const body = await ask()

  expect(body).not.toHaveProperty('output_config')
  expect(body).toMatchObject({ tools: [{ name: 'final_answer' }] })
  expect(anthropicProblems(body)).toEqual([])
})

test('[O14] a server that is known to take it is asked so by an option', async () => {
  const openai = await askOpenAI({ baseURL: 'http://localhost/v1', structuredOutput: true })
  const anthropic = await askAnthropic({ model: 'qwen3', structuredOutput: true })

  expect(openai).toHaveProperty('response_format')
  expect(anthropic).toHaveProperty('output_config.format')
})

test.each(['openai', 'anthropic'] as const)(
  '[M11] a key is taken out of an output of %s, however its JSON has it',
  async (provider) => {
    const apiKey = 'gsk_Aa1/Bb2-Cc3/Dd4-Ee5'
    const said = String.raw`{"names":["gsk_Aa1\/Bb2-Cc3\u002fDd4-Ee5"]}`
    const fetch = async () => new Response(wordsOf[provider](said), { headers: eventStream })
    const model =
      provider === 'openai'
        ? openai({ model: 'gpt-5.5', apiKey, fetch, structuredOutput: true })
        : anthropic({ model: 'claude-opus-5-5', apiKey, fetch })
    const agent = createAgentIn({ model, retry: null }, createManualEnvironment())

    const { output } = await agent.prompt('Who?', { output: names.partial() })

    expect(output).toEqual({ names: ['[secret]'] })
  },
)

const eventStream = { 'content-type': 'text/event-stream' }

const wordsOf = {
  openai: (text: string) =>
    `data: ${JSON.stringify({ choices: [{ delta: { content: text }, finish_reason: 'stop' }] })}\n\n`,
  anthropic: (text: string) =>
    [
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
}
