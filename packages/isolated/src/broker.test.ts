import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { fakeClock } from '@offthread/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Broker } from './broker.ts'
import { createBroker } from './broker.ts'
import type { BrokerError } from './broker-error.ts'
import { brokeredFetch } from './brokered-fetch.ts'
import { readNetworkOptions } from './network.ts'
import { brokerKey } from './worker-script.ts'

// In Node an answer shows all of its headers; a page sees only those that the server exposes.
const server = createServer(({ url = '' }, response) => answers[url]?.(response))
const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/many': (response) => {
    for (let i = 0; i < 100; i++) response.setHeader(`x-${i}`, String(i))
    response.end('many')
  },
  '/strange': (response) => response.writeHead(700).end(),
}
const lines: string[] = []
let api = ''
let broker: Broker

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  api = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  broker = createBroker({
    rules: readNetworkOptions({ origins: [api] }),
    clock: fakeClock(),
    log: (level, text) => lines.push(`${level} ${text}`),
    overrun: () => {},
  })
  broker.begin()
  Reflect.set(globalThis, Symbol.for(brokerKey), broker.port)
})

afterAll(() => {
  broker.close()
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
] as const)('[N6] refuses, and says so: %s', async ([, path, count]) => {
  lines.length = 0
  const headers = Array.from({ length: count }, (_, i): [string, string] => [`x-${i}`, 'a'])

  expect(await refusalOf(brokeredFetch(`${api}/${path}`, { headers }))).toEqual({
    name: 'BrokerError',
    code: 'unreadable',
    message: expect.stringContaining('over 8192 characters, or over 64 headers'),
  })
  expect(lines).toEqual([expect.stringMatching(/^warn A request: unreadable\. /)])
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
