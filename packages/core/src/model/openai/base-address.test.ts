import { expect, onTestFinished, test, vi } from 'vitest'
import { collect, failureOf } from './ask.fixtures.ts'
import { openai } from './openai.ts'

test.each([
  ['https://a.test/v1?api-version=2', 'https://a.test/v1/chat/completions?api-version=2'],
  ['https://a.test/v1/?x=/y', 'https://a.test/v1/chat/completions?x=/y'],
  ['https://a.test/v1//', 'https://a.test/v1/chat/completions'],
  ['https://a.test', 'https://a.test/chat/completions'],
])('the base address %j keeps its query', async (baseURL, asked) => {
  const fetch = vi.fn(answering('', 'text/event-stream'))

  await failureOf(collect(openai({ model: 'm', baseURL, fetch })))

  expect(fetch.mock.calls[0]?.[0]).toBe(asked)
})

test('a page whose origin is "null", such as about:srcdoc, may use a whole address', () => {
  vi.stubGlobal('location', { origin: 'null', protocol: 'about:' })
  onTestFinished(() => void vi.unstubAllGlobals())

  expect(openai({ model: 'm', baseURL: 'https://a.test/v1' }).identity.id).toBe('m')
  expect(() => openai({ model: 'm', baseURL: '/v1' })).toThrow('The baseURL must begin with')
})

test('[I36] a key in the query of the base address is in no error, and a version may be', async () => {
  const key = 'key-in-the-address'
  const baseURL = `https://a.test/v1?api-version=2024-10-21&key=${key}`
  const said = `No version 2024-10-21 at /v1?key=${key}`
  const fetch = answering(said, 'text/plain', 400)

  const { message } = await failureOf(collect(openai({ model: 'm', baseURL, fetch })))

  expect(message).toContain('No version 2024-10-21 at /v1?key=[secret]')
})

function answering(body: string, type: string, status = 200) {
  return async (_: string | URL | Request) =>
    new Response(body, { status, headers: { 'content-type': type } })
}
