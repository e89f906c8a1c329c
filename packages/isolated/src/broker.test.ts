import { createServer, type ServerResponse } from 'node:http'
import { fakeClock } from '@offthread/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evilMessage } from '../../core/src/tools/fixtures/evil-messages.fixtures.ts'
import { type Broker, createBroker } from './broker.ts'
import type { BrokerError } from './broker-error.ts'
import type { BrokerAnswer } from './broker-protocol.ts'
import { brokeredFetch } from './brokered-fetch.ts'
import { readNetworkOptions } from './network.ts'
import { brokerKey } from './worker-script.ts'

// In Node an answer shows all of its headers; a page sees only those that the server exposes.
const server = createServer(({ url = '' }, response) => pages[url]?.(response))
const pages: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/many': (response) => {
    for (let i = 0; i < 100; i++) response.setHeader(`x-${i}`, String(i))
    response.end('many')
  },
  '/strange': (response) => response.writeHead(700).end(),
}
const lines: string[] = []
const answers: BrokerAnswer[] = []
let api = ''
let broker: Broker
let line: MessagePort | undefined

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  api = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const { port1, port2 } = new MessageChannel()
  broker = createBroker({
    rules: readNetworkOptions({ origins: [api] }),
    clock: fakeClock(),
    log: (level, text) => lines.push(`${level} ${text}`),
    overrun: () => {},
    post: (answer, moved) => {
      answers.push(answer)
      port1.postMessage(answer, moved)
    },
  })
  port1.onmessage = ({ data }) => broker.receive(data)
  line = port1
  broker.begin()
  Reflect.set(globalThis, Symbol.for(brokerKey), port2)
})

afterAll(() => {
  broker.stop()
  line?.close()
  Reflect.deleteProperty(globalThis, Symbol.for(brokerKey))
  server.closeAllConnections()
  server.close()
})

test('returns an answer with a hundred headers', async () => {
  const response = await brokeredFetch(`${api}/many`)

  expect(response.headers.get('x-99')).toBe('99')
  expect(await response.text()).toBe('many')
})

test.for([
  ['an address of over 8192 characters', 'a'.repeat(8192), 0],
  ['over 64 headers', '', 65],
] as const)('[N6] [N8] refuses, and says so: %s', async ([, path, count]) => {
  lines.length = 0
  const headers = Array.from({ length: count }, (_, i): [string, string] => [`x-${i}`, 'a'])

  expect(await refusalOf(brokeredFetch(`${api}/${path}`, { headers }))).toEqual({
    name: 'BrokerError',
    code: 'unreadable',
    message: expect.stringContaining('over 8192 characters, over 64 headers'),
  })
  expect(lines).toEqual([expect.stringMatching(/^warn A request: unreadable\. /)])
})

const sparse = (length: number): readonly unknown[] => new Array<unknown>(length)
const long = 'M'.repeat(3e7)

test.for<[string, object]>([
  ['a method of 30 MB', { method: long }],
  ['a method that is no word', { method: 'GET /secret' }],
  ['an address of 30 MB', { url: `https://a.example/${long}` }],
  ['a header of 30 MB', { headers: [['x-own', long]] }],
  ['the name of a header of 30 MB', { headers: [[long, 'a']] }],
  ['64 headers of 300 characters', { headers: Array(64).fill(['x', 'a'.repeat(300)]) }],
  ['four billion headers', { headers: sparse(2 ** 32 - 1) }],
  ['headers that are not there', { headers: sparse(2) }],
  ['a header that is not there', { headers: [sparse(2)] }],
  ['a header of four billion', { headers: [sparse(2 ** 32 - 1)] }],
  ['a header that is no text', { headers: [['x', 1n]] }],
  ['a body that is no bytes', { body: new Map() }],
])('[N8] refuses by hand: %s', async ([, part]) => {
  lines.length = 0
  answers.length = 0

  broker.receive({
    type: 'fetch',
    id: 7,
    request: { url: api, method: 'GET', headers: [], ...part },
  })

  expect(answers).toMatchObject([{ type: 'refused', id: 7, code: 'unreadable' }])
  for (const text of [...lines, JSON.stringify(answers)]) expect(text.length).toBeLessThan(500)
})

test('[N8] refuses whatever is no request, in few words: 500 generated', () => {
  const parts = ['method', 'url', 'headers', 'body', 'request', 'id', 'type'] as const
  const seed = Number(process.env['EVIL_SEED'] ?? 1)
  const overruns: string[] = []
  const said: string[] = []
  const refused: BrokerAnswer[] = []
  // A broker of its own: refused requests are counted.
  const { receive } = createBroker({
    rules: readNetworkOptions({ origins: [api] }),
    clock: fakeClock(),
    log: (_, text) => said.push(text),
    overrun: (text) => overruns.push(text),
    post: (answer) => refused.push(answer),
  })

  for (let n = seed; n < seed + 500; n++) {
    const { message } = evilMessage(n, 'e1')
    const part = parts[n % parts.length] ?? 'url'
    const request = { url: api, method: 'GET', headers: [], [part]: message }
    const inRequest = { type: 'fetch', id: n, request }
    const isOutside = part === 'request' || part === 'id' || part === 'type'
    receive(isOutside ? { ...inRequest, [part]: message } : inRequest)
  }

  expect(overruns).toEqual([])
  expect(refused.length).toBeGreaterThan(300)
  const codes = refused.map((answer) => (answer.type === 'refused' ? answer.code : answer.type))
  // A few are requests, of a call that has not begun, or to no address.
  for (const code of codes) expect(['unreadable', 'too_early', 'invalid_url']).toContain(code)
  expect(codes.filter((code) => code === 'unreadable').length).toBeGreaterThan(250)
  for (const text of [...said, ...refused.map((one) => JSON.stringify(one))])
    expect(text.length).toBeLessThan(500)
})

test('[N8] what it says of a refused request is short', async () => {
  lines.length = 0
  answers.length = 0
  const url = `https://${'a'.repeat(8000)}.example/`

  broker.receive({ type: 'fetch', id: 8, request: { url, method: 'GET', headers: [] } })

  await expect.poll(() => answers).toMatchObject([{ type: 'refused', id: 8 }])
  for (const text of [...lines, JSON.stringify(answers)]) expect(text.length).toBeLessThan(900)
})

test('reports an answer with a status that no Response can have', async () => {
  expect(await refusalOf(brokeredFetch(`${api}/strange`))).toEqual({
    name: 'BrokerError',
    code: 'failed',
    message: expect.stringContaining('status 700'),
  })
})

/** The error with which a request was rejected. */
async function refusalOf(asked: Promise<Response>) {
  const { name, code, message } = await asked.then(
    () => Promise.reject(new Error('It was answered.')),
    (error: BrokerError) => error,
  )
  return { name, code, message }
}
