import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages'
import { expect, test } from 'vitest'
import { createPlannerFetch, type PlannerOptions } from './planner-fetch.ts'

test('streams a well-formed message through the real SDK', async () => {
  const events = await collect('How many rows are in it?', ['a b, c.csv'])

  expect(events.at(0)).toMatchObject({
    type: 'message_start',
    message: { role: 'assistant', content: [], usage: { input_tokens: 0, output_tokens: 0 } },
  })
  expect(events.at(-1)).toEqual({ type: 'message_stop' })
  expect(events.at(-2)).toMatchObject({
    type: 'message_delta',
    delta: { stop_reason: 'tool_use' },
    usage: { output_tokens: 0 },
  })
  expect(openBlocks(events)).toEqual([])
})

test('cuts the arguments of a call into pieces that parse when joined', async () => {
  const events = await collect('How many rows are in it?', ['a b, c.csv'], { chunkSize: 4 })
  const pieces = events.flatMap((event) =>
    event.type === 'content_block_delta' && event.delta.type === 'input_json_delta'
      ? [event.delta.partial_json]
      : [],
  )

  expect(pieces.length).toBeGreaterThan(2)
  expect(JSON.parse(pieces.join(''))).toEqual({ file: 'a b, c.csv' })
})

test('gives parallel calls blocks and ids of their own', async () => {
  const events = await collect('hash all files and count the rows', ['a.csv', 'b.csv'])
  const calls = events.flatMap((event) =>
    event.type === 'content_block_start' && event.content_block.type === 'tool_use'
      ? [event.content_block]
      : [],
  )

  expect(calls.map((call) => call.name)).toEqual([
    'hash_file',
    'hash_file',
    'load_table',
    'load_table',
  ])
  expect(new Set(calls.map((call) => call.id)).size).toBe(4)
})

test('says the same again when it is asked the same again', async () => {
  expect(await collect('help', [])).toEqual(await collect('help', []))
})

test('rejects when the signal is aborted before the request', async () => {
  const request = createPlannerFetch()('http://any.test/v1/messages', {
    method: 'POST',
    body: '{}',
    signal: AbortSignal.abort(new Error('too late')),
  })

  await expect(request).rejects.toThrow('too late')
})

test('errs the stream with the reason when it is aborted in the middle', async () => {
  const controller = new AbortController()
  const response = await createPlannerFetch({ delayMs: 5, chunkSize: 2 })('/v1/messages', {
    method: 'POST',
    body: JSON.stringify(bodyOf('help', [])),
    signal: controller.signal,
  })
  const reader = response.body?.getReader()
  await reader?.read()

  controller.abort(new Error('enough'))

  await expect(drain(reader)).rejects.toThrow('enough')
})

test('ends the SDK stream early when its controller aborts', async () => {
  const controller = new AbortController()
  const stream = await clientWith({ delayMs: 2, chunkSize: 2 }).post<
    AsyncIterable<RawMessageStreamEvent>
  >('/v1/messages', { body: bodyOf('help', []), stream: true, signal: controller.signal })
  const seen: string[] = []
  for await (const event of stream) {
    seen.push(event.type)
    if (seen.length === 5) controller.abort()
  }

  expect(seen).not.toContain('message_stop')
})

test.for([
  ['GET', '/v1/messages', '', 404, 'not_found_error'],
  ['POST', '/v1/models', '{}', 404, 'not_found_error'],
  ['POST', '/v1/messages', 'no json', 400, 'invalid_request_error'],
  ['POST', '/v1/messages', '{"messages": 5}', 400, 'invalid_request_error'],
  ['POST', '/v1/messages', '{"messages": []}', 400, 'invalid_request_error'],
] as const)(
  'answers %s %s with body %s by an error',
  async ([method, path, body, status, type]) => {
    const response = await createPlannerFetch()(`http://any.test/base${path}`, {
      method,
      ...(body === '' ? {} : { body }),
    })

    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ type: 'error', error: { type } })
  },
)

function clientWith(options: PlannerOptions): BaseAnthropic {
  return new BaseAnthropic({
    apiKey: 'none',
    baseURL: 'http://planner.test',
    fetch: createPlannerFetch(options),
    maxRetries: 0,
  })
}

async function collect(
  question: string,
  files: readonly string[],
  options: PlannerOptions = {},
): Promise<readonly RawMessageStreamEvent[]> {
  const stream = await clientWith({ delayMs: 0, ...options }).post<
    AsyncIterable<RawMessageStreamEvent>
  >('/v1/messages', { body: bodyOf(question, files), stream: true })
  const events: RawMessageStreamEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

function bodyOf(question: string, files: readonly string[]): object {
  const attached = files.map((file) => ({ type: 'text', text: `[attached] ${file}, 10 bytes` }))
  const content = [{ type: 'text', text: question }, ...attached]
  return { model: 'scripted-planner', stream: true, messages: [{ role: 'user', content }] }
}

/** Blocks that were not opened and closed in order. */
function openBlocks(events: readonly RawMessageStreamEvent[]): readonly number[] {
  const open: number[] = []
  for (const event of events) {
    if (event.type === 'content_block_start') open.push(event.index)
    if (event.type === 'content_block_stop') expect(open.pop()).toBe(event.index)
  }
  return open
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  for (;;) {
    const piece = await reader?.read()
    if (piece === undefined || piece.done) return
  }
}
