import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  answerTo,
  ask,
  limits,
  open,
  question,
  startBoth,
  textOf,
  token,
} from './servers.fixtures.mjs'

describe('[SEC-K7] a body', () => {
  test('is not asked for before the token is checked', async () => {
    const { proxy, seen } = await startBoth()
    const headers = { expect: '100-continue', 'content-length': 1500 }
    const stranger = open(proxy, { ...headers, authorization: 'Bearer wrong' })
    let isAsked = false
    stranger.once('continue', () => (isAsked = true))
    stranger.flushHeaders()

    const refused = await answerTo(stranger)
    const known = open(proxy, { ...headers, 'content-length': JSON.stringify(question).length })
    known.flushHeaders()
    await once(known, 'continue')
    known.end(JSON.stringify(question))
    const answered = await answerTo(known)

    expect([refused.statusCode, refused.headers.connection]).toEqual([401, 'close'])
    expect(isAsked).toBe(false)
    expect([answered.statusCode, seen.length]).toEqual([200, 1])
  })

  test('that is too large is not asked for', async () => {
    const { proxy } = await startBoth()
    const request = open(proxy, { expect: '100-continue', 'content-length': 2001 })
    let isAsked = false
    request.once('continue', () => (isAsked = true))
    request.flushHeaders()

    const { statusCode } = await answerTo(request)

    expect([statusCode, isAsked]).toEqual([413, false])
  })

  test('that does not arrive in time is refused with a reason', async () => {
    const { proxy, seen, logged } = await startBoth(undefined, {
      limits: { ...limits, maxBodyMs: 300 },
    })
    const request = open(proxy)
    request.write('{"model":')

    const response = await answerTo(request)

    expect(response.statusCode).toBe(408)
    expect(JSON.parse(await textOf(response))).toEqual({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'The request did not arrive within 0.3 seconds.',
      },
    })
    expect(await logged()).toMatchObject([{ status: 408, outcome: 'sent' }])
    expect(seen).toEqual([])
  })

  test.each([
    ['a stranger', 'Bearer wrong', '401'],
    ['a user whose request is refused', `Bearer ${token}`, '413'],
  ])('that %s goes on to send in drops ends with the connection', async (_, given, status) => {
    const { proxy } = await startBoth(undefined, { limits: { ...limits, maxBodyMs: 300 } })
    const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
    // A drop that comes after the end is answered with a reset, which is an end as well.
    socket.on('error', () => undefined)
    let answer = ''
    socket.on('data', (bytes) => (answer += bytes))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const head = 'POST /anthropic/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100000'
    socket.write(`${head}\r\nauthorization: ${given}\r\n\r\n`)
    const drops = setInterval(() => socket.write('x'), 20)

    await closed
    clearInterval(drops)

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})

describe('[SEC-K7] a provider that is silent', () => {
  const impatient = { limits: { ...limits, maxSilenceMs: 300 } }

  test('before it answers is a 504 with a reason, and is left', async () => {
    /** @type {Promise<unknown>[]} */
    const left = []
    const { proxy, logged } = await startBoth((_, response) => {
      left.push(once(response, 'close'))
    }, impatient)

    const response = await ask(proxy)

    expect(response.status).toBe(504)
    expect(await response.text()).toContain('The provider (anthropic) does not answer. Try again.')
    expect(await logged()).toMatchObject([{ status: 504, outcome: 'sent' }])
    await Promise.all(left)
    expect(left).toHaveLength(1)
  })

  test('in the middle of its answer leaves no answer that looks complete', async () => {
    /** @type {Promise<unknown>[]} */
    const left = []
    const { proxy, logged } = await startBoth((_, response) => {
      left.push(once(response, 'close'))
      response.writeHead(200).write('data: one\n\n')
    }, impatient)

    const response = await ask(proxy)

    await expect(response.text()).rejects.toThrow()
    expect(await logged()).toMatchObject([{ status: 200, outcome: 'timed out' }])
    await Promise.all(left)
    expect(left).toHaveLength(1)
  })

  test('for less than the limit at a time may take longer in all', async () => {
    const { proxy } = await startBoth(
      (_, response) => {
        const drops = setInterval(() => response.write('data: x\n\n'), 100)
        setTimeout(() => {
          clearInterval(drops)
          response.end('data: end\n\n')
        }, 1500)
      },
      { limits: { ...limits, maxSilenceMs: 1000 } },
    )

    const response = await ask(proxy)

    expect(await response.text()).toMatch(/data: end\n\n$/)
  })
})

test('[SEC-K7] a page that does not read its answer is left, and so is the provider', async () => {
  /** @type {Promise<unknown>[]} */
  const left = []
  const { proxy, logged } = await startBoth(
    (_, response) => {
      left.push(once(response, 'close'))
      for (let n = 0; n < 500; n += 1) response.write('x'.repeat(65_536))
    },
    // It is the provider's limit, too, which a busy machine must not reach.
    { limits: { ...limits, maxSilenceMs: 5000 } },
  )
  const request = open(proxy)
  request.end(JSON.stringify(question))
  const response = await answerTo(request)
  response.once('error', () => undefined)
  response.pause()

  expect(await logged()).toMatchObject([{ status: 200, outcome: 'client left' }])
  await Promise.all(left)
  expect(left).toHaveLength(1)
})
