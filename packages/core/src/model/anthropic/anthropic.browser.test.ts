import { expect, test } from 'vitest'
import { responseIn, streamed } from '../http/streamed.fixtures.ts'
import { modelContract } from '../model.contract.ts'
import { anthropic } from './anthropic.ts'
import { eventsOf, sentTwoCalls, toSse } from './fake.fixtures.ts'

modelContract('anthropic in a page', (situation) =>
  anthropic({ model: 'claude-test', fetch: async () => responseIn(situation, sentTwoCalls) }),
)

test('sends only headers that Ollama lets a page send, if the others are taken out', async () => {
  let sent = new Headers()
  const model = anthropic({
    model: 'qwen3',
    baseURL: 'http://localhost:11434',
    headers: { 'anthropic-version': null, 'anthropic-dangerous-direct-browser-access': null },
    fetch: async (input, init) => {
      sent = new Request(input, init).headers
      return streamed([toSse(eventsOf({ blocks: [] }))])
    },
  })
  const request = {
    system: '',
    tools: [],
    messages: [
      { id: 'm', parentId: null, role: 'user', content: [{ type: 'text', text: 'Hi' }] } as const,
    ],
  }

  for await (const _ of model.stream(request, { signal: new AbortController().signal }));

  // As its server had it in 2026: routes.go, AllowHeaders.
  const allowed =
    /^(authorization|content-type|user-agent|accept|x-requested-with|openai-beta|x-stainless-[a-z-]+)$/
  const names = [...sent.keys()]
  expect(names.filter((name) => !allowed.test(name))).toEqual([])
  expect(names).toContain('content-type')
})
