import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { platformClock } from '../internal/clock.ts'
import { type Answer, eventOf, stream } from './fake-server.fixtures.ts'
import { connectTo, run } from './mcp.fixtures.ts'

const onCall =
  (answer: (response: ServerResponse, id: unknown) => boolean): Answer =>
  ({ method, id }, response) =>
    method === 'tools/call' && answer(response, id)

/** A clock that notes each pause, and makes those of one length short. */
function hurrying(long: number) {
  const pauses: number[] = []
  const setTimer = (ms: number, callback: () => void) => {
    pauses.push(ms)
    return platformClock.setTimer(ms === long ? 1 : ms, callback)
  }
  return { pauses, clock: { ...platformClock, setTimer } }
}

test('[MCP8] a stream that the server ends for a while goes on as often as it says, after the pause that it asks for', async () => {
  const { pauses, clock } = hurrying(3000)
  let asked: unknown
  let polls = 0
  const { tools } = await connectTo(
    ({ http, method, id, headers }, response) => {
      if (method === 'tools/call') {
        asked = id
        stream(response)
        response.end('id: e1\nretry: 3000\ndata:\n\n')
        return true
      }
      if (!http.startsWith('GET') || headers['last-event-id'] !== 'e1') return false
      polls += 1
      stream(response)
      const result = { content: [{ type: 'text', text: 'at last' }] }
      response.end(polls < 8 ? ': wait\n\n' : eventOf({ jsonrpc: '2.0', id: asked, result }))
      return true
    },
    { clock },
  )

  expect(await run(tools, 'echo')).toMatchObject({ result: { content: [{ text: 'at last' }] } })
  expect(pauses.filter((ms) => ms === 3000)).toHaveLength(8)
})

test('[MCP8] no server is waited for longer than five minutes at a time, and none without a pause', async () => {
  const { pauses, clock } = hurrying(300_000)
  const waits = ['99999999999999', '0']
  const { server } = await connectTo(
    ({ http }, response) => {
      const wait = http.startsWith('GET') && waits.shift()
      if (!wait) return false
      stream(response)
      response.end(`retry: ${wait}\ndata:\n\n`)
      return true
    },
    { clock },
  )

  const listens = () => server.seen.filter(({ http }) => http.startsWith('GET'))
  await expect.poll(() => listens().length).toBe(3)
  expect(pauses.filter((ms) => ms === 300_000 || ms === 500)).toEqual([300_000, 500])
})

test.for<readonly [where: string, id: (id: unknown) => unknown]>([
  ['on another stream', (id) => id],
  ['with its id as a text', String],
])('[MCP13] a call that is answered %s leaves no connection open', async ([where, idOf]) => {
  let closed = 0
  const { server, tools } = await connectTo(
    onCall((response, id) => {
      response.on('close', () => (closed += 1))
      const answer = { id: idOf(id), result: { content: [{ type: 'text', text: 'hi' }] } }
      if (where.endsWith('text')) return stream(response, answer)
      stream(response)
      server.say(answer)
      return true
    }),
  )
  await server.until(({ http }) => http.startsWith('GET'))

  expect(await run(tools, 'echo')).toMatchObject({ result: { content: [{ text: 'hi' }] } })
  await expect.poll(() => closed).toBe(1)
})
