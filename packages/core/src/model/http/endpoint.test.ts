import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createEndpoint, type EndpointOptions } from './endpoint.ts'
import { redacted } from './redacted.ts'
import { createKeyFilter } from './without-keys.ts'

const place = { model: 'm', baseURL: 'https://models.test/v1/' }

describe('[I36] what a server quotes', () => {
  test('is free of all keys of the last requests, also those of other requests', async () => {
    const keys = ['keyOfAda', 'keyOfBob']
    const { target, readKey } = createEndpoint(place, { apiKey: () => keys.shift() ?? '' })
    await readKey()
    await readKey()

    expect(redacted('keyOfAda and keyOfBob', target)).toBe('[secret] and [secret]')
  })

  test.each([
    [{ 'x-api-key': 'correct horse-battery' }, 'near correct horse-battery, or horse-battery'],
    [{ cookie: 'session=abcdefgh12345; theme=dark' }, 'bad cookie abcdefgh12345'],
    [{ authorization: 'Bearer tokentoken' }, 'no tokentoken'],
    [{ 'x-api-key': 'a+tokentoken/b' }, 'no such page: /login?key=a%2Btokentoken%2Fb'],
    [{ 'x-api-key': 'a+tokentoken/b' }, 'no such page: /login?key=a%2btokentoken%2fb'],
    [{ 'x-api-key': 'a+tokentoken/b' }, String.raw`said {"key":"a\u002btokentoken\/b"}`],
    [{ 'x-api-key': 'a"tokentoken\\b' }, String.raw`said {"key":"a\"tokentoken\\b"}`],
  ])('is free of what was sent as %j', (headers, said) => {
    const { target } = createEndpoint(place, { headers })

    expect(redacted(said, target)).not.toMatch(/horse|abcdefgh|tokentoken/)
  })

  test('stays as it is where it quotes no key', () => {
    const { target } = createEndpoint(place, { headers: { 'x-api-key': 'tokentoken' } })
    const said = String.raw`C:\/x, 100%25 and "\u0041"`

    expect(redacted(said, target)).toBe(said)
  })

  test('[M3] may be any text, of any length, also if a secret has half of a character', () => {
    const { target } = createEndpoint({ ...place, secrets: () => ['half of one: \ud800'] }, {})

    // Searched whole it ended as "Maximum call stack size exceeded".
    expect(redacted('eyJ'.repeat(3_000_000), target)).toBe('[secret]')
    expect(redacted('half of one: \ud800', target)).toBe('[secret]')
  })

  test('[M11] is free of the token of a header, in an answer as well', () => {
    const token = 'token-token-token-1'
    const { target } = createEndpoint(place, { headers: { authorization: `Bearer ${token}` } })
    const said = { type: 'text_delta', contentIndex: 0, delta: `It is ${token}.` } as const

    const chunks = [...createKeyFilter(target.keys)([said])]

    expect(chunks).toEqual([{ ...said, delta: 'It is [secret].' }])
  })
})

test('[M6] a pause that a server asks of one key is none for another, wherever the key is', () => {
  const ofHeader = (key: string) =>
    createEndpoint(place, { apiKey: null, headers: { 'api-key': key } }).breakerFor(null)
  const ofClient = (key: string) =>
    createEndpoint({ ...place, secrets: () => [key] }, {}).breakerFor(null)

  const ofFunction = createEndpoint(place, { fetch: async () => new Response() }).breakerFor

  for (const breakerOf of [ofHeader, ofClient, ofFunction]) {
    expect(breakerOf('key-1')).toBe(breakerOf('key-1'))
    expect(breakerOf('key-2')).not.toBe(breakerOf('key-1'))
  }
})

test.each<[string, EndpointOptions['apiKey']]>([
  ['an empty text', ''],
  ['a function that gives none', () => ''],
])('%s is no key, and no leave to go without one', async (_, apiKey) => {
  const { readKey } = createEndpoint(place, apiKey === undefined ? {} : { apiKey })

  await expect(readKey()).rejects.toMatchObject({ error: { kind: 'auth' } })
})

test.each([null, undefined])('without a key (%s) none is sent', async (apiKey) => {
  const { readKey, baseURL } = createEndpoint(place, apiKey === undefined ? {} : { apiKey })

  expect(await readKey()).toBeNull()
  expect(baseURL).toBe('https://models.test/v1')
})

test.each([
  'api.openai.com/v1',
  'localhost:11434/v1',
  'ftp://models.test',
  'https://user:pass@models.test',
  'sk-a-key-in-the-wrong-place',
  'v1',
  '//models.test/v1',
  '',
])('the address %j is refused, and not quoted', (baseURL) => {
  vi.stubGlobal('location', { origin: 'https://page.test' })
  onTestFinished(() => void vi.unstubAllGlobals())

  const make = () => createEndpoint({ model: 'm', baseURL }, {})

  expect(make).toThrow('must begin with https://, http:// or')
  if (baseURL.startsWith('sk-')) expect(make).not.toThrow(baseURL)
})

test('a path is one of the page', () => {
  vi.stubGlobal('location', { origin: 'https://page.test' })
  onTestFinished(() => void vi.unstubAllGlobals())

  expect(createEndpoint({ model: 'm', baseURL: '/anthropic' }, {}).baseURL).toBe(
    'https://page.test/anthropic',
  )
})
