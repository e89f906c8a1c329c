import { expect, onTestFinished, test, vi } from 'vitest'
import { anthropic } from '../anthropic/anthropic.ts'
import type { Model } from '../port.ts'
import { collect, failureOf as failureOfAnswer } from './ask.fixtures.ts'
import { openai } from './openai.ts'

test.for<readonly [said: object, kind: string, words: string]>([
  [{ detail: 'Invalid API key' }, 'auth', 'did not accept the API key'],
  [{ detail: [{ loc: ['body', 'n'], msg: 'too big' }] }, 'overloaded', 'body.n: too big'],
  [{ errors: [{ code: 10_000, message: 'Invalid API key' }] }, 'auth', 'did not accept'],
  [{ error: null, errors: [{ message: 'No.' }] }, 'overloaded', 'No.'],
  [baseResp(1004, 'login fail: carry the API secret key'), 'auth', 'did not accept'],
  [{ ...baseResp(1008, 'insufficient balance'), choices: null }, 'billing', 'no credit'],
  [baseResp(1001, 'request timeout'), 'overloaded', 'request timeout'],
  [{ code: 401, msg: 'Who?' }, 'auth', 'did not accept the API key'],
  [{ code: '402', message: 'Pay.', data: null }, 'billing', 'no credit'],
  [{ status: 429, message: 'Slowly.' }, 'rate_limited', 'Too many requests'],
  [{ code: null, status: '400', msg: 'No "top_q".' }, 'bad_request', 'No "top_q".'],
  [{ code: 1002, msg: 'Not today.' }, 'overloaded', 'Not today.'],
  [{ code: 500, msg: '404 NOT_FOUND', success: false }, 'overloaded', 'out of order'],
  [{ detail: { code: 403, msg: 'No.' } }, 'permission', 'may not use'],
  [{ code: { toString: 1 }, status: 401 }, 'auth', 'did not accept the API key'],
])(
  '[M4] what a server says with status 200 counts as what it means, whole or streamed: %j',
  async ([said, kind, words]) => {
    const whole = JSON.stringify(said)
    for (const [body, type] of [
      [whole, 'application/json'],
      [`data: ${whole}\n\n`, 'text/event-stream'],
    ] as const) {
      const error = await failureOf(openai({ model: 'm', fetch: answering(body, type) }))

      expect(error).toMatchObject({ kind, message: expect.stringContaining(words) })
    }
    const fetch = answering(whole, 'application/json')
    expect(await failureOf(anthropic({ model: 'm', fetch }))).toMatchObject({ kind })
  },
)

test('an answer may have such fields beside its choices', async () => {
  const choices = [{ message: { content: 'Noon.' }, finish_reason: 'stop' }]
  const whole = JSON.stringify({ ...baseResp(0, ''), detail: 'cached', errors: [], choices })
  const model = openai({ model: 'm', fetch: answering(whole, 'application/json') })

  expect(await collect(model)).toContainEqual({
    type: 'text_delta',
    contentIndex: 0,
    delta: 'Noon.',
  })
})

test.each([{ code: 200, msg: 'queued' }, { status: 'queued' }, { code: 0 }, { status: [500] }])(
  'an answer goes on after an event that says no error: %j',
  async (said) => {
    const choices = [{ delta: { content: 'Noon.' }, finish_reason: 'stop' }]
    const body = [said, { choices }].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
    const model = openai({ model: 'm', fetch: answering(body, 'text/event-stream') })

    expect(await collect(model)).toContainEqual(expect.objectContaining({ delta: 'Noon.' }))
  },
)

test('[M9] a body of characters without a text has an end, too', async () => {
  const nothing = new Uint8Array(1_000_000)
  const endless = () => new ReadableStream({ pull: (to) => to.enqueue(nothing) })
  const fetch = async () => new Response(endless(), { headers: { 'content-type': 'text/plain' } })

  expect(await failureOf(openai({ model: 'm', fetch }))).toMatchObject({ kind: 'protocol' })
})

test.each([
  ['says no more', () => new Promise<void>(() => {})],
  ['says nothing for ever', () => undefined],
])('[R3] a server that refuses the key and then %s has refused it', async (_, pause) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const start = new TextEncoder().encode('{"error"')
  const body = new ReadableStream({
    start: (to) => to.enqueue(start),
    pull: (to) => {
      to.enqueue(new Uint8Array(1))
      return pause()
    },
  })
  const fetch = async () => new Response(body, { status: 401 })

  const failing = failureOf(openai({ model: 'm', fetch }))
  await vi.advanceTimersByTimeAsync(3000)

  expect(await failing).toMatchObject({ kind: 'auth', retryable: false, status: 401 })
})

function baseResp(status_code: number, status_msg: string): object {
  return { base_resp: { status_code, status_msg } }
}

function answering(body: string, type: string) {
  return async () => new Response(body, { headers: { 'content-type': type } })
}

function failureOf(model: Model) {
  return failureOfAnswer(collect(model))
}
