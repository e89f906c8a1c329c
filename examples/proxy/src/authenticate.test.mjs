import { timingSafeEqual } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'

const token = 'token-of-the-page-0123'

test.each([
  [token, true],
  ['', false],
  ['t', false],
  [token.slice(0, -1), false],
  [`${token}4`, false],
  ['x'.repeat(99), false],
])('how long it takes to compare %j says nothing about the token', async (given, isRight) => {
  const compare = vi.fn(timingSafeEqual)
  vi.resetModules()
  vi.doMock('node:crypto', async (load) => ({ ...(await load()), timingSafeEqual: compare }))
  onTestFinished(() => {
    vi.doUnmock('node:crypto')
    vi.resetModules()
  })
  const { bearerToken } = await import('./authenticate.mjs')
  const request = new IncomingMessage(new Socket())
  request.headers.authorization = `Bearer ${given}`

  expect(bearerToken(token)(request)).toBe(isRight)

  const lengths = compare.mock.calls.map((pair) => pair.map((one) => one.byteLength))
  // Without a token there is nothing to compare.
  expect(lengths).toEqual(given === '' ? [] : [[32, 32]])
})
