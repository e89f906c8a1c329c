import { timingSafeEqual } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { bearerToken } from './authenticate.mjs'

vi.mock('node:crypto', { spy: true })

const token = 'token-of-the-page-0123'

test.each([
  [token, true],
  ['', false],
  ['t', false],
  [token.slice(0, -1), false],
  [`${token}4`, false],
  ['x'.repeat(99), false],
])('how long it takes to compare %j says nothing about the token', (given, isRight) => {
  const request = new IncomingMessage(new Socket())
  request.headers.authorization = `Bearer ${given}`
  vi.mocked(timingSafeEqual).mockClear()

  expect(bearerToken(token)(request)).toBe(isRight)

  // Without a token there is nothing to compare.
  const compared = vi
    .mocked(timingSafeEqual)
    .mock.calls.map((pair) => pair.map((one) => one.byteLength))
  expect(compared).toEqual(given === '' ? [] : [[32, 32]])
})
