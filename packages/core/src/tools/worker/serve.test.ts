import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { isObject } from '../../internal/json.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { defineTool } from '../definition.ts'
import { callTo, settleDown } from '../fixtures/calls.fixtures.ts'
import { createFakeWorker } from '../fixtures/fake-worker.fixtures.ts'
import { echo, misbehave } from '../fixtures/tools.fixtures.ts'
import { toolResult } from '../result/tool-result.ts'
import type { ConsoleLike } from './call-log.ts'
import { type Implementation, implement } from './implement.ts'
import { serveOn, serveTools } from './serve.ts'
import type { WorkerScope } from './worker-scope.ts'

const checked = defineTool({
  name: 'checked',
  description: 'Can be asked what became of a call.',
  inputSchema: z.object({}),
  onInterrupt: 'check',
})

test('says at once which tools it has', () => {
  const { posted } = serve([implement(echo, ({ text }) => text), implement(misbehave, () => 1)])

  expect(posted).toEqual([{ type: 'ready', protocolVersion: 1, toolNames: ['echo', 'misbehave'] }])
})

test('runs one call at a time', async () => {
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
      settlement: threw('This worker runs another call.'),
    },
    { type: 'running', executionId: 'e1' },
    { type: 'settled', executionId: 'e1', settlement: returned },
  ])

  say({ type: 'run', request: { ...callTo('echo', { text: 'c' }), executionId: 'e3' } })
  await settleDown()
  expect(posted.at(-1)).toMatchObject({ executionId: 'e3', settlement: { kind: 'returned' } })
})

test('[S000-3] [S000-13] reports that it has no such tool', async () => {
  const { say, posted } = serve([implement(echo, () => 1)])

  say({ type: 'run', request: callTo('constructor', {}) })
  await settleDown()

  expect(posted.slice(1)).toEqual([
    { type: 'settled', executionId: 'e1', settlement: threw('No tool named "constructor" here.') },
  ])
})

test('[W14] moves the bytes of a result that can be moved, and copies the others', async () => {
  const buffer = new ArrayBuffer(4)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const artifacts = [buffer, buffer, memory.buffer].map((data) => ({ name: 'a', data }))
  const { port1: page, port2: worker } = new MessageChannel()
  onTestFinished(() => page.close())
  const settled = new Promise<unknown>((resolve) => {
    page.onmessage = ({ data }) => isOfType(data, 'settled') && resolve(data)
  })
  serveOn(worker, [implement(echo, () => toolResult({ content: '', artifacts }))])
  worker.start()

  page.postMessage({ type: 'run', request: callTo('echo', { text: '' }) })

  const arrived = [4, 4, 65_536].map((byteLength) => ({ data: { byteLength } }))
  expect(await settled).toMatchObject({ settlement: { result: { artifacts: arrived } } })
  expect(buffer.byteLength).toBe(0)
  expect(memory.buffer.byteLength).toBe(65_536)
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

test('reports errors that the code throws outside of its call', () => {
  const { fire, posted } = serve([implement(echo, () => 1)])

  fire('unhandledrejection', { reason: new RangeError('no handler') })
  fire('unhandledrejection', { reason: 'a word' })
  fire('error', { error: new Error('in a timer'), message: 'Uncaught' })
  fire('error', { error: null, message: 'Script error.' })

  expect(posted.slice(1)).toEqual([
    { type: 'broken', message: 'RangeError: no handler' },
    { type: 'broken', message: 'a word' },
    { type: 'broken', message: 'in a timer' },
    { type: 'broken', message: 'Script error.' },
  ])
})

test('does not report a promise that was left behind and rejects by the abort', async () => {
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

test('reports a call that it cannot read', () => {
  const { say, posted } = serve([implement(echo, () => 1)])

  say({ type: 'run', request: { ...callTo('echo', {}), resources: { file: 'not bytes' } } })
  say('something else')

  expect(posted.slice(1)).toEqual([
    { type: 'broken', message: 'The worker was sent a call that it cannot read.' },
  ])
})

test('refuses misuse with a sentence about what to do', () => {
  expect(() => serve([implement(echo, () => 1), implement(echo, () => 2)])).toThrow(
    'Tool "echo" is implemented twice in serveTools([…]).',
  )
  expect(() => serveTools([implement(echo, () => 1)])).toThrow(
    'serveTools belongs into the script of a worker',
  )
})

test('posts no more than 8 messages without an acknowledgement', async () => {
  const { say, posted, clock } = serve([
    implement(echo, (_, { onUpdate }) => {
      for (let i = 1; i <= 20; i++) {
        onUpdate({ content: `${i}` })
        clock.advance(50)
      }
      return new Promise(() => {})
    }),
  ])
  const updates = () => posted.filter((one) => isOfType(one, 'update'))

  say({ type: 'run', request: callTo('echo', { text: 'a' }) })
  await settleDown()
  expect(updates()).toHaveLength(8)
  say({ type: 'credit', executionId: 'another', messages: 8 })
  expect(updates()).toHaveLength(8)
  say({ type: 'credit', executionId: 'e1', messages: 8 })

  expect(updates()).toHaveLength(9)
  expect(updates().at(-1)).toMatchObject({ partial: { content: [{ text: '20' }] } })
})

test('gives a sign of life every second, from the call to its end', async () => {
  const { say, posted, clock } = serve([
    implement(
      echo,
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('stopped'))
        }),
    ),
  ])
  const beats = () => posted.filter((one) => isOfType(one, 'alive')).length

  clock.advance(5000)
  expect(beats()).toBe(0)
  say({ type: 'run', request: callTo('echo', { text: 'a' }) })
  await settleDown()
  clock.advance(3500)
  expect(beats()).toBe(3)
  say({ type: 'abort', executionId: 'e1' })
  await settleDown()
  clock.advance(5000)

  expect(beats()).toBe(3)
  expect(clock.pending()).toBe(0)
})

test('reports that the code closes its worker, before it does', () => {
  const closed: unknown[] = []
  const { scope, posted } = serve([implement(echo, () => 1)], {
    close: () => closed.push(...posted),
  })

  scope.close?.()

  expect(closed.at(-1)).toEqual({ type: 'broken', message: 'The code closed its worker.' })
})

test('forwards the console to the log of the call, and only while it runs', async () => {
  const written: unknown[] = []
  const method = (...values: unknown[]) => void written.push(values)
  const console = { debug: method, log: method, info: method, warn: method, error: method }
  const { say, posted, clock } = serve(
    [
      implement(echo, ({ text }) => {
        console.log(text, { n: 1 })
        clock.advance(50)
        console.warn('careful')
        clock.advance(50)
        console.error(new TypeError('no'))
        console.debug('detail')
        return 'done'
      }),
    ],
    { console },
  )

  say({ type: 'run', request: callTo('echo', { text: 'hello' }) })
  await settleDown()
  console.log('afterwards')

  const lines = posted.flatMap((one) => (isOfType(one, 'log') && 'lines' in one ? one.lines : []))
  expect(lines).toEqual([
    { level: 'info', text: 'hello {"n":1}', t: 0 },
    { level: 'warn', text: 'careful', t: 50 },
    { level: 'error', text: expect.stringMatching(/^TypeError: no\n/), t: 100 },
    { level: 'debug', text: 'detail', t: 100 },
  ])
  expect(written).toHaveLength(5)
  expect(console.log).toBe(method)
})

interface ServeOptions {
  readonly close?: () => void
  readonly console?: ConsoleLike
}

function serve(implementations: readonly Implementation[], options: ServeOptions = {}) {
  const { close, console } = options
  // The same messages from the other side: the worker receives what the page posts.
  const { addEventListener, postMessage, posted, say, fire } = createFakeWorker()
  const scope: WorkerScope = { addEventListener, postMessage, ...(close && { close }) }
  const clock = fakeClock()
  serveOn(scope, implementations, { clock, ...(console && { console }) })
  return { scope, clock, posted, say, fire }
}

function isOfType(message: unknown, type: string): message is object {
  return isObject(message) && message['type'] === type
}

function threw(message: string): object {
  const settlement: object = expect.objectContaining({
    kind: 'threw',
    errorKind: 'failed',
    message,
  })
  return settlement
}

test.for<[string, unknown, object]>([
  ['done', { status: 'done', result: 'found' }, { kind: 'returned' }],
  ['not done', { status: 'not_done' }, { kind: 'returned' }],
  ['not known', { status: 'unknown' }, { kind: 'threw', errorKind: 'interrupted' }],
  ['nonsense', { status: 'perhaps' }, { kind: 'threw', errorKind: 'interrupted' }],
  ['nothing', undefined, { kind: 'threw', errorKind: 'interrupted' }],
])('[D48] a worker asks the code what became of a call: %s', async ([says, fate, settlement]) => {
  const ran: string[] = []
  // Code that was not compiled may say anything.
  const code = { tool: checked, code: () => ran.push('again'), check: () => fate }
  const { say, posted } = serve([code])

  say({ type: 'run', request: { ...callTo('checked', {}), attempt: 2, isCheck: true } })
  await settleDown()

  expect(posted.at(-1)).toMatchObject({ type: 'settled', settlement })
  expect(ran).toEqual(says === 'not done' ? ['again'] : [])
})
