import { expect, test } from 'vitest'
import { anthropic } from '../../../packages/core/src/anthropic.ts'
import { ModelError } from '../../../packages/core/src/index.ts'
import { openai } from '../../../packages/core/src/openai.ts'
import { startBoth, token } from './servers.fixtures.mjs'

/**
 * How a request differs from one that works.
 *
 * @typedef {{ apiKey?: string, model?: string, text?: string, path?: string, status?: number }} Trouble
 */

/** @type {[string, Trouble, string, boolean][]} */
const troubles = [
  ['a wrong token', { apiKey: 'unknown-token' }, 'auth', false],
  ['a model that is not offered', { model: 'claude-large' }, 'permission', false],
  ['a message that is too large', { text: 'x'.repeat(5_000_000) }, 'too_large', false],
  ['a wrong base URL', { path: '/antropic' }, 'bad_request', false],
  ['a key the provider refuses', { status: 401 }, 'overloaded', false],
  ['a busy provider', { status: 529 }, 'overloaded', true],
]

/** @type {[typeof anthropic | typeof openai, string, string][]} */
const adapters = [
  [anthropic, 'claude-test', '/anthropic'],
  [openai, 'gpt-test', '/openai/v1'],
]
const cases = adapters.flatMap((adapter) => troubles.map((trouble) => ({ adapter, trouble })))

test.each(cases)('an agent with $adapter.0.name understands $trouble.0', async (given) => {
  const [adapter, offered, at] = given.adapter
  const [, trouble, ...expected] = given.trouble
  const { apiKey = token, model = offered, text = 'Hi.', path = at, status = 200 } = trouble
  const { proxy } = await startBoth((_, response) => response.writeHead(status).end('{}'))

  const reading = read(adapter({ model, apiKey, baseURL: proxy + path }), text)

  const error = await reading.catch((/** @type {unknown} */ thrown) => thrown)
  if (!(error instanceof ModelError)) throw error
  expect([error.error.kind, error.error.retryable]).toEqual(expected)
})

test('an agent reads its answer through the proxy', async () => {
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ]
  const { proxy } = await startBoth((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    }
    response.end()
  })

  const chunks = await read(
    anthropic({ model: 'claude-test', apiKey: () => token, baseURL: `${proxy}/anthropic` }),
    'Hi.',
  )

  expect(chunks.map(({ type }) => type)).toEqual(['text_start', 'text_delta', 'text_end', 'finish'])
})

/** @param {import('../../../packages/core/src/index.ts').Model} model @param {string} text */
async function read(model, text) {
  const messages = [
    /** @type {const} */ ({
      id: 'm1',
      parentId: null,
      role: 'user',
      content: [{ type: 'text', text }],
    }),
  ]
  const request = { system: '', messages, tools: [] }
  const chunks = []
  const { signal } = new AbortController()
  for await (const chunk of model.stream(request, { signal })) chunks.push(chunk)
  return chunks
}
