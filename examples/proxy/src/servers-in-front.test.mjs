import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createProxy } from './proxy.mjs'
import { limits, question, startBoth, token } from './servers.fixtures.mjs'

/** @param {string} proxy */
function connectTo(proxy) {
  const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  return socket
}

test.each([
  ['1.1', token, '413'],
  ['1.1', 'wrong', '401'],
  ['1.0', token, '413'],
  ['1.0', 'wrong', '401'],
])(
  '[SEC-K7] a refusal does not break the last request of a connection (HTTP/%s, %s) while it is sent',
  async (version, given, status) => {
    const { proxy, log } = await startBoth()
    const socket = connectTo(proxy)
    const length = 1_000_000
    const head = [
      `POST /anthropic/v1/messages HTTP/${version}`,
      'host: x',
      'connection: close',
      `authorization: Bearer ${given}`,
      `content-length: ${length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    let answer = ''
    socket.on('data', (bytes) => (answer += bytes))
    await once(socket, 'data')

    // A client that has the answer goes on sending, as servers in front of this one do.
    const closed = once(socket, 'close')
    let sent = 0
    let sentAtEnd = 0
    socket.once('end', () => (sentAtEnd = sent))
    while (sent < length && socket.writable) {
      sent += 10_000
      socket.write('x'.repeat(10_000))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await closed

    expect(sentAtEnd).toBe(length)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(log).toMatchObject([{ status: Number(status), outcome: 'sent' }])
  },
)

test('[SEC-K7] a server in front that asks by HTTP/1.0 is not told to go on, which it would take for the answer', async () => {
  const { proxy } = await startBoth()
  const socket = connectTo(proxy)
  const body = JSON.stringify(question)
  const head = [
    'POST /anthropic/v1/messages HTTP/1.0',
    'expect: 100-continue',
    `authorization: Bearer ${token}`,
    `content-length: ${body.length}`,
  ]
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes))

  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await once(socket, 'close')

  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('an idle connection is not ended before a server in front of this one would end it', async () => {
  const { keepAliveTimeout } = createProxy({
    authenticate: () => true,
    origins: [],
    limits,
    upstreams: {},
    log: () => undefined,
  })

  // nginx, and the load balancers of AWS and Google, wait for 60 seconds by default.
  expect(keepAliveTimeout).toBeGreaterThan(60_000)
})
