import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Protocol } from './exchange.ts'
import { type FaultServer, startFaultServer } from './fault-server.ts'
import { rows } from './rows/rows.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

const paths = { anthropic: 'v1/messages', openai: 'v1/chat/completions' }
const bodies = {
  anthropic: {
    model: 'm',
    max_tokens: 9,
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  },
  openai: { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
}
const headers = {
  'content-type': 'application/json',
  authorization: 'Bearer key',
  'anthropic-version': '2023-06-01',
}

describe.each<Protocol>(['anthropic', 'openai'])(
  'the fault server in the protocol of %s',
  (protocol) => {
    test('answers a legal request with the commanded replies in order, the last again and again', async () => {
      const statuses = []
      for (let times = 0; times < 4; times += 1) {
        statuses.push((await ask('visit/open/E12-529,E3,answer')).status)
      }

      expect(statuses).toEqual([529, 401, 200, 200])
    })

    test.each([
      ['a body that is no JSON', { body: 'Hi' }, /^\[body\]/],
      [
        'no messages',
        { body: JSON.stringify({ ...bodies[protocol], messages: [] }) },
        /^\[messages_empty\]/,
      ],
      [
        'an unknown field',
        { body: JSON.stringify({ ...bodies[protocol], mood: 1 }) },
        /^\[body_fields\]/,
      ],
      ['no key', { headers: { ...headers, authorization: '' } }, /^\[authorization\]/],
      [
        'another content type',
        { headers: { ...headers, 'content-type': 'text/plain' } },
        /^\[content_type\]/,
      ],
    ])(
      'refuses %s by the rule it breaks, whatever reply was commanded',
      async (_, change, rule) => {
        const response = await ask('illegal/open/answer', change)

        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject({
          error: { message: expect.stringMatching(rule) },
        })
      },
    )

    test('sends the headers of its CORS policy', async () => {
      const name = (header: string, response: Response) =>
        response.headers.get(`access-control-${header}`)
      const seen = []
      for (const policy of ['open', 'unexposed', 'bare-errors', 'closed']) {
        const good = await ask(`cors/${policy}/answer`)
        const bad = await ask(`cors-${policy}/${policy}/E3`)
        seen.push([
          policy,
          name('allow-origin', good),
          name('expose-headers', good),
          name('allow-origin', bad),
        ])
      }

      expect(seen).toEqual([
        ['open', '*', '*', '*'],
        ['unexposed', '*', null, '*'],
        ['bare-errors', '*', '*', null],
        ['closed', null, null, null],
      ])
    })

    test('has every reply of every row', async () => {
      const own = rows.filter(({ only = protocol }) => only === protocol)
      const replies = new Set(own.flatMap((row) => row.replies.split(',')))
      const stop = new AbortController()
      const silent = askFor('E14-silent')
      replies.delete('E14-silent')

      for (const reply of replies) expect(await askFor(reply), reply).toBe('answered')

      // The preflight came before all other requests.
      expect(await Promise.race([silent, Promise.resolve('nothing yet')])).toBe('nothing yet')
      stop.abort()

      async function askFor(reply: string): Promise<string> {
        const { signal } = stop
        const asked = ask(`knows-${reply}/open/${reply}`, { signal, redirect: 'manual' })
        return asked.then(
          () => 'answered',
          (error) => `failed: ${error}`,
        )
      }
    })

    function ask(command: string, change: RequestInit = {}): Promise<Response> {
      return fetch(`${server.origin}/${protocol}-${command}/${paths[protocol]}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(bodies[protocol]),
        ...change,
      })
    }
  },
)
