import { expect, test } from 'vitest'
import { callTo, settleDown } from './fixtures/calls.fixtures.ts'
import { createFakeWorker } from './fixtures/fake-worker.fixtures.ts'
import { echo, misbehave } from './fixtures/tools.fixtures.ts'
import type { Implementation } from './implement.ts'
import { implement } from './implement.ts'
import { serveOn, serveTools } from './serve.ts'

test('says at once what it can do', () => {
  const { posted } = serve([implement(echo, ({ text }) => text), implement(misbehave, () => 1)])

  expect(posted).toEqual([{ type: 'ready', protocolVersion: 1, toolNames: ['echo', 'misbehave'] }])
})

test('runs one call, and refuses a second', async () => {
  let runs = 0
  const { say, posted } = serve([implement(echo, ({ text }) => `${text}${++runs}`)])

  say({ type: 'run', request: callTo('echo', { text: 'a' }) })
  say({ type: 'run', request: { ...callTo('echo', { text: 'b' }), executionId: 'e2' } })
  await settleDown()

  const returned = { kind: 'returned', result: { content: [{ type: 'text', text: 'a1' }] } }
  expect(posted.slice(1)).toEqual([
    {
      type: 'settled',
      executionId: 'e2',
      settlement: threw('This worker has run a call already.'),
    },
    { type: 'running', executionId: 'e1' },
    { type: 'settled', executionId: 'e1', settlement: returned },
  ])
})

test('[S000-3] [S000-13] says that it has no such tool', async () => {
  const { say, posted } = serve([implement(echo, () => 1)])

  say({ type: 'run', request: callTo('constructor', {}) })
  await settleDown()

  expect(posted.slice(1)).toEqual([
    { type: 'settled', executionId: 'e1', settlement: threw('No tool named "constructor" here.') },
  ])
})

test('aborts the call that is meant, and no other', async () => {
  let signal: AbortSignal | undefined
  const { say } = serve([
    implement(echo, (_, context) => {
      signal = context.signal
      return new Promise(() => {})
    }),
  ])
  say({ type: 'run', request: callTo('echo', { text: 'a' }) })
  await settleDown()

  say({ type: 'abort', executionId: 'e2' })
  expect(signal?.aborted).toBe(false)
  say({ type: 'abort', executionId: 'e1' })

  expect(signal?.reason).toMatchObject({ name: 'AbortError', message: 'The call was stopped.' })
})

test('reports what fails behind the back of the code', () => {
  const { fire, posted } = serve([implement(echo, () => 1)])

  fire('unhandledrejection', { reason: new RangeError('nobody waits') })
  fire('unhandledrejection', { reason: 'a word' })
  fire('error', { error: new Error('in a timer'), message: 'Uncaught' })
  fire('error', { error: null, message: 'Script error.' })

  expect(posted.slice(1)).toEqual([
    { type: 'broken', message: 'RangeError: nobody waits' },
    { type: 'broken', message: 'a word' },
    { type: 'broken', message: 'in a timer' },
    { type: 'broken', message: 'Script error.' },
  ])
})

test('does not call it broken when a forgotten promise hears of the abort', async () => {
  let signal: AbortSignal | undefined
  const { say, fire, posted } = serve([
    implement(echo, (_, context) => {
      signal = context.signal
      return new Promise(() => {})
    }),
  ])
  say({ type: 'run', request: callTo('echo', { text: 'a' }) })
  await settleDown()
  say({ type: 'abort', executionId: 'e1' })
  const before = posted.length

  fire('unhandledrejection', { reason: signal?.reason })
  expect(posted).toHaveLength(before)
  fire('unhandledrejection', { reason: new Error('something else') })

  expect(posted.at(-1)).toEqual({ type: 'broken', message: 'something else' })
})

test('says so when it is sent a call that it cannot read', () => {
  const { say, posted } = serve([implement(echo, () => 1)])

  say({ type: 'run', request: { ...callTo('echo', {}), resources: { file: 'not bytes' } } })
  say('something else')

  expect(posted.slice(1)).toEqual([
    { type: 'broken', message: 'The worker was sent a call that it cannot read.' },
  ])
})

test('refuses misuse with a word about what to do', () => {
  expect(() => serve([implement(echo, () => 1), implement(echo, () => 2)])).toThrow(
    'Tool "echo" is implemented twice in serveTools([…]).',
  )
  expect(() => serveTools([implement(echo, () => 1)])).toThrow(
    'serveTools belongs into the script of a worker',
  )
})

function serve(implementations: readonly Implementation[]) {
  // The same form from the other side: what a worker hears is what the page posts.
  const { addEventListener, postMessage, posted, say, fire } = createFakeWorker()
  serveOn({ addEventListener, postMessage }, implementations)
  return { posted, say, fire }
}

function threw(message: string): object {
  const settlement: object = expect.objectContaining({
    kind: 'threw',
    errorKind: 'failed',
    message,
  })
  return settlement
}
