import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createModel } from './create-model.ts'
import { createKeyring } from './keyring.ts'
import { defaultSettings } from './settings.ts'

const key = 'sk-canary-1234'
const requests: { url: string; authorization: string | null; body: unknown }[] = []

beforeEach(() => {
  requests.length = 0
  vi.stubGlobal('location', { origin: 'https://page.example' })
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    const { url, headers } = request
    requests.push({ url, authorization: headers.get('authorization'), body: await request.json() })
    return Response.json(
      { error: { message: 'no', type: 'authentication_error' } },
      { status: 401 },
    )
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('asks the server that was entered, with the key that is meant for it', async () => {
  const { ask, keys } = open()
  keys.keep('openai', 'http://localhost:1234', key)

  await ask('http://localhost:1234/v1', 'qwen3')

  expect(requests).toMatchObject([
    {
      url: 'http://localhost:1234/v1/chat/completions',
      authorization: `Bearer ${key}`,
      body: { model: 'qwen3' },
    },
  ])
  expect(requests[0]?.body).not.toHaveProperty('reasoning_effort')
})

test('[E17] sends no request with a key of another origin', async () => {
  const { ask, keys } = open()
  keys.keep('openai', 'http://localhost:9999', key)

  await ask('http://localhost:1234/v1', 'qwen3')

  expect(requests).toEqual([])
})

test('has the models of OpenAI not think that take tools only so', async () => {
  const { ask, keys } = open()
  keys.keep('openai', 'https://api.openai.com', key)

  await ask('https://api.openai.com/v1', 'gpt-5.5')
  await ask('https://api.openai.com/v1', 'gpt-4.1')

  expect(requests.map(({ body }) => body)).toMatchObject([{ reasoning_effort: 'none' }, {}])
  expect(requests[1]?.body).not.toHaveProperty('reasoning_effort')
})

function open() {
  const keys = createKeyring()
  const ask = async (address: string, name: string): Promise<void> => {
    const model = createModel(
      { ...defaultSettings, provider: 'openai', openai: { address, model: name, usesKey: true } },
      { keys, planner: () => expect.unreachable('the planner was asked'), local: () => undefined },
    )
    const messages = [
      { id: 'm', role: 'user', content: [{ type: 'text', text: 'Hi' }], source: 'prompt' },
    ] as const
    const request = { system: '', messages: [...messages], tools: [] }
    const chunks = model.stream(request as never, { signal: new AbortController().signal })
    // The server refuses every key, and without one it is not asked at all.
    await expect(readAll(chunks)).rejects.toMatchObject({ error: { kind: 'auth' } })
  }
  return { keys, ask }
}

async function readAll(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}
