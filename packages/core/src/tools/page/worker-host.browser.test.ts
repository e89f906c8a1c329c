import { expect, onTestFinished, test } from 'vitest'
import { isObject } from '../../internal/json.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { checkTools } from '../check-tools.ts'
import { defineTool, type Tool } from '../definition.ts'
import { behaveAt } from '../fixtures/behave.fixtures.ts'
import { callTo, createRecorder, settleDown } from '../fixtures/calls.fixtures.ts'
import {
  countPrimes,
  echo,
  forgotten,
  heavy,
  inspect,
  misbehave,
} from '../fixtures/tools.fixtures.ts'
import { hostContract } from '../host.contract.ts'
import { serveTools } from '../worker/serve.ts'
import type { WorkerLike } from './worker-boot.ts'
import { createWorkerHost } from './worker-host.ts'

const startTools = () =>
  new Worker(new URL('../fixtures/tools.fixtures.worker.ts', import.meta.url), { type: 'module' })
const startBehave = () =>
  new Worker(new URL('../fixtures/behave.fixtures.worker.ts', import.meta.url), { type: 'module' })
const startTwice = () =>
  new Worker(new URL('../fixtures/twice.fixtures.worker.ts', import.meta.url), { type: 'module' })
const startSilent = () =>
  new Worker(new URL('../fixtures/silent.fixtures.worker.ts', import.meta.url), { type: 'module' })

hostContract('inWorkers, in real workers', (clock) => {
  return createWorkerHost([behaveAt('worker')], watched(startBehave).spawn, { clock })
})

test('runs four calls at the same time, each in a worker of its own', async () => {
  const { spawn, started } = watched(startTools)
  const host = createWorkerHost([misbehave], spawn)

  const settlements = await Promise.all(
    ['c1', 'c2', 'c3', 'c4'].map((toolCallId) =>
      host
        .open(misbehave, { graceMs: 250 })
        .run({ ...callTo('misbehave', { how: 'meet the others' }), toolCallId }, createRecorder()),
    ),
  )

  expect(settlements).toEqual(settlements.map(() => returned('c1,c2,c3,c4')))
  expect(started()).toBe(4)
})

test('runs typed code, and code that is imported only when it is called', async () => {
  const primes = call(countPrimes, { n: 20 })
  const doubled = call(heavy, { n: 21 })

  expect(await primes.done).toMatchObject({ result: { structuredContent: { count: 8 } } })
  expect(await doubled.done).toMatchObject({ result: { structuredContent: 42 } })
  expect(doubled.recorder.notices).toContainEqual(
    expect.objectContaining({
      type: 'log',
      lines: [expect.objectContaining({ text: 'doubling 21' })],
    }),
  )
})

test('[I20] [P1] ends an endless loop by force after the grace period', async () => {
  const { done, execution, recorder, clock } = call(misbehave, { how: 'loop for ever' })
  await recorder.received('update')

  execution.stop()
  clock.advance(249)
  await settleDown()
  clock.advance(1)

  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
})

test.for(['wait for the signal', 'compute and yield'])(
  '[I20] lets code stop by itself: %s',
  async (how) => {
    const { done, execution, recorder } = call(misbehave, { how })
    await recorder.received('update')

    // The test's clock does not move, so only the code itself can end the call.
    execution.stop()

    expect(await done).toEqual({ kind: 'stopped', how: 'cooperative' })
  },
)

test.for([
  ['throw in a timer', 'Thrown in a timer.'],
  ['reject unhandled', 'Rejected, without a handler.'],
] as const)(
  '[I15] [W11] crashes when the code fails outside of its call: %s',
  async ([how, message]) => {
    const { done } = call(misbehave, { how })

    expect(await done).toEqual({ kind: 'crashed', message: expect.stringContaining(message) })
  },
)

test('[W11] crashes when the code closes its worker', async () => {
  const { done } = call(misbehave, { how: 'close itself' })

  expect(await done).toEqual({ kind: 'crashed', message: 'The code closed its worker.' })
})

test('ends a worker that posts without waiting for credit', async () => {
  const { done } = call(misbehave, { how: 'flood past the library' })

  expect(await done).toEqual({
    kind: 'crashed',
    message:
      'The worker posted more than the page can take: 2000 messages at once, or fewer big ones.',
  })
})

test('[W13] keeps the class, the code and the causes of an error', async () => {
  const { done } = call(misbehave, { how: 'throw with a cause' })

  expect(await done).toMatchObject({
    kind: 'threw',
    message: 'It did not work.',
    details: {
      name: 'PaymentError',
      code: 'E_PAY',
      stack: expect.stringContaining('.ts'),
      cause: { name: 'AbortError', message: 'Not now.' },
    },
  })
})

test('[W12] forwards the console to the log', async () => {
  const { done, recorder } = call(misbehave, { how: 'write to the console' })

  expect(await done).toEqual(returned('written'))
  const lines = recorder.notices.flatMap((one) => (one.type === 'log' ? one.lines : []))
  expect(lines.map(({ level, text }) => `${level}: ${text}`)).toEqual([
    'info: {"rows":3}',
    'warn: careful',
  ])
})

test('[W9] posts no more than 8 messages that the page does not acknowledge, and the last update', async () => {
  const posted: string[] = []
  const host = createWorkerHost([misbehave], () => deaf(startTools(), posted), {
    clock: fakeClock(),
  })
  const execution = host.open(misbehave, { graceMs: 250 })

  const settlement = await execution.run(
    callTo('misbehave', { how: 'flood patiently' }),
    createRecorder(),
  )

  expect(settlement).toEqual(returned('flooded'))
  const notices = posted.filter((type) => !['ready', 'running', 'alive', 'settled'].includes(type))
  expect(notices).toEqual(Array(9).fill('update'))
})

test('posts few of many updates, and always the last', async () => {
  const { done, recorder, messages } = call(misbehave, { how: 'flood' })

  expect(await done).toEqual(returned('flooded'))

  const updates = recorder.updates()
  expect(updates.at(-1)).toBe('update 20000')
  expect(updates.length).toBeLessThan(1000)
  expect(messages()).toBeLessThan(3000)
  const logs = recorder.notices.filter((one) => one.type === 'log')
  const kept = logs.flatMap(({ lines }) => lines)
  const dropped = logs.reduce((sum, log) => sum + log.dropped, 0)
  expect(kept.length + dropped).toBe(20_000)
  expect(kept.at(-1)?.text).toBe('line 20000')
})

test('names the part of a result that is not serialisable', async () => {
  const { done } = call(misbehave, { how: 'return a function' })

  expect(await done).toEqual({
    kind: 'threw',
    errorKind: 'invalid_result',
    message:
      'The result of "misbehave" cannot be used: the result was not serialisable: a function at nested[0].callback is not JSON.',
  })
})

test('cuts a text of 50 MB to 1 MB before it leaves the worker', async () => {
  const { done, largest } = call(misbehave, { how: 'return 50 MB' })

  const settlement = await done

  const text =
    settlement.kind === 'returned' && settlement.result.content[0]?.type === 'text'
      ? settlement.result.content[0].text
      : ''
  expect(text).toMatch(/^x+\n… 49\.0 MB cut …\nx+$/)
  expect(new Blob([text]).size).toBeLessThanOrEqual(1_000_000)
  expect(largest()).toBeLessThan(1_001_000)
})

test('brings bytes back', async () => {
  const { done } = call(misbehave, { how: 'return bytes' })

  const settlement = await done

  const { artifacts = [] } = settlement.kind === 'returned' ? settlement.result : {}
  expect(artifacts[0]).toMatchObject({ name: 'a.csv', mediaType: 'text/csv' })
  const texts = artifacts.map(({ data }) => new Blob([data]).text())
  expect(await Promise.all(texts)).toEqual(['a,b\n1,2\n', 'moved'])
})

test('moves bytes beside the input', async () => {
  const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])
  const { execution, recorder } = open(inspect)

  const settlement = await execution.run(
    callTo(
      'inspect',
      {},
      {
        blob: new Blob(['text']),
        buffer: new Uint8Array([1, 2, 3]).buffer,
        module: await WebAssembly.compile(wasm),
      },
    ),
    recorder,
  )

  expect(settlement).toMatchObject({
    result: { structuredContent: { blob: 'text', buffer: [1, 2, 3], module: [] } },
  })
})

test.each([true, false])('moves buffers and bitmaps only if it may: %s', async (mayMove) => {
  const { name, description, inputSchema } = inspect
  const tool = defineTool({ name, description, inputSchema, transferResources: mayMove })
  const buffer = new Uint8Array([7, 8]).buffer
  const bitmap = await createImageBitmap(new ImageData(3, 2))
  const { execution, recorder } = open(tool)

  const request = callTo('inspect', {}, { buffer, bitmap, blob: new Blob(['still here']) })
  const settlement = await execution.run(request, recorder)

  expect(settlement).toMatchObject({
    result: { structuredContent: { buffer: [7, 8], bitmap: '3 × 2', blob: 'still here' } },
  })
  expect([buffer.byteLength, bitmap.width]).toEqual(mayMove ? [0, 0] : [2, 3])
})

test("[I34] finds the call's messages among garbage that its code posts", async () => {
  const { done, recorder } = call(misbehave, { how: 'post garbage' })

  expect(await done).toEqual(returned('honest'))
  expect(recorder.notices).toEqual([{ type: 'running' }])
})

const loadProblem = 'The worker script could not be loaded'
const startText = (text: string, type = 'text/javascript') => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  onTestFinished(() => URL.revokeObjectURL(url))
  return () => new Worker(url, { type: 'module' })
}

test('says that a script does not exist', async () => {
  await expectNotReady(() => new Worker('/no/such/script.js', { type: 'module' }), loadProblem)
})

test('says that a module was started as a classic script', async () => {
  const url = new URL('../fixtures/tools.fixtures.worker.ts', import.meta.url)

  await expectNotReady(() => new Worker(url), "start it with new Worker(…, { type: 'module' })")
})

test('says that a script has a syntax error', async () => {
  await expectNotReady(startText('const = 1'), loadProblem)
})

test('says that a script is no script', async () => {
  await expectNotReady(startText('<!doctype html>', 'text/html'), loadProblem)
})

test('reports what a script threw at its top level', async () => {
  await expectNotReady(startText('throw new RangeError("at the top")'), 'RangeError: at the top')
})

test('reports that a worker may not come from another origin', async () => {
  const start = () => new Worker('https://elsewhere.example/tools.js', { type: 'module' })

  await expectNotReady(start, 'write crossOriginWorker(address) in place of new Worker(…).')
})

test('ends a script that never serves its tools', async () => {
  const { spawn } = watched(startSilent)
  const clock = fakeClock()
  const execution = createWorkerHost([echo], spawn, { clock }).open(echo, { graceMs: 250 })

  clock.advance(10_000)

  await expect(execution.ready).rejects.toThrow('not ready within 10 s')
})

test('[I33] [W20] ends a script that serves two lists of tools: both would answer the call', async () => {
  const tool = behaveAt('worker')
  const { spawn } = watched(startTwice)
  const execution = createWorkerHost([tool], spawn).open(tool, { graceMs: 250 })

  const done = execution.run(callTo('behave', { how: 'return' }), createRecorder())

  expect(await done).toEqual({
    kind: 'crashed',
    message: expect.stringContaining(
      'serveTools was called twice in one worker: give it all tools',
    ),
  })
})

test('[I33] [W20] a script that runs twice in one worker answers once', async () => {
  const tool = behaveAt('worker')
  const address = new URL('../fixtures/behave.fixtures.worker.ts', import.meta.url).href
  const importing = [1, 2].map((copy) => `await import('${address}?copy=${copy}');`)
  const script = URL.createObjectURL(new Blob(importing, { type: 'text/javascript' }))
  onTestFinished(() => URL.revokeObjectURL(script))
  const { spawn, started } = watched(() => new Worker(script, { type: 'module' }))
  const says: unknown[] = []
  const host = createWorkerHost([tool], () => {
    const worker = spawn()
    worker.addEventListener('message', (event) => {
      if ('data' in event && isObject(event.data)) says.push(event.data['type'])
    })
    return worker
  })

  const execution = host.open(tool, { graceMs: 250 })
  expect(await execution.run(callTo('behave', { how: 'return' }), createRecorder())).toMatchObject({
    kind: 'returned',
  })

  expect(started()).toBe(1)
  expect(says).toEqual(['ready', 'running', 'settled'])
})

test('names the tool that no worker implements, by a call and by checkTools', async () => {
  const { spawn } = watched(startTools)
  const host = createWorkerHost([echo, forgotten], spawn)

  await expect(host.open(forgotten, { graceMs: 250 }).ready).rejects.toThrow(
    'The worker does not implement "forgotten". It implements: echo, count_primes, misbehave, heavy, inspect. Add implement(forgotten, …) to serveTools([…]).',
  )
  await expect(checkTools(host)).rejects.toThrow('The worker does not implement "forgotten".')
  await checkTools(createWorkerHost([echo, heavy], spawn))
})

test('serves tools in a worker only', () => {
  expect(() => serveTools([])).toThrow('On a page, use inPage([…]).')
})

async function expectNotReady(start: () => Worker, why: string): Promise<void> {
  const { spawn } = watched(start)
  const execution = createWorkerHost([echo], spawn).open(echo, { graceMs: 250 })

  await expect(execution.ready).rejects.toThrow(why)
  expect(await execution.run(callTo('echo', { text: 'a' }), createRecorder())).toEqual({
    kind: 'crashed',
    message: expect.stringContaining(why),
  })
}

function open(tool: Tool) {
  const clock = fakeClock()
  const recorder = createRecorder()
  const watch = watched(startTools)
  const execution = createWorkerHost([tool], watch.spawn, { clock }).open(tool, { graceMs: 250 })
  return { ...watch, clock, recorder, execution }
}

function call(tool: Tool, input: { readonly [key: string]: string | number }) {
  const opened = open(tool)
  const { execution, recorder } = opened
  return { ...opened, done: execution.run(callTo(tool.name, input), recorder) }
}

/** A worker whose messages the page does not acknowledge. */
function deaf(worker: Worker, posted: string[]): WorkerLike {
  worker.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) =>
    posted.push(data.type),
  )
  return {
    postMessage: (message, transfer = []) => {
      if (!isObject(message) || message['type'] !== 'credit') worker.postMessage(message, transfer)
    },
    terminate: () => worker.terminate(),
    addEventListener: (type, listener) => worker.addEventListener(type, listener),
    removeEventListener: (type, listener) => worker.removeEventListener(type, listener),
  }
}

/** Counts workers and their messages; at the end of every test none may be left. */
function watched(start: () => Worker) {
  const alive = new Set<Worker>()
  let started = 0
  let messages = 0
  let largest = 0
  onTestFinished(() => expect(alive.size).toBe(0))
  return {
    started: () => started,
    messages: () => messages,
    /** Characters of the largest message, as JSON. */
    largest: () => largest,
    spawn: () => {
      const worker = start()
      const terminate = worker.terminate.bind(worker)
      started++
      alive.add(worker)
      worker.terminate = () => {
        alive.delete(worker)
        terminate()
      }
      worker.addEventListener('message', ({ data }) => {
        messages++
        largest = Math.max(largest, JSON.stringify(data).length)
      })
      return worker
    },
  }
}

function returned(text: string) {
  return { kind: 'returned', result: { content: [{ type: 'text', text }] } }
}
