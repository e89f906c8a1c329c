import { expect, onTestFinished, test, vi } from 'vitest'
import { createDeferred } from '../../internal/deferred.ts'
import { createManualEnvironment } from '../../runtime/environment.fixtures.ts'
import { behaveAt } from '../fixtures/behave.fixtures.ts'
import { callTo, createRecorder } from '../fixtures/calls.fixtures.ts'
import {
  createFakeWorker,
  type FakeWorker,
  readyMessage,
} from '../fixtures/fake-worker.fixtures.ts'
import { echo } from '../fixtures/tools.fixtures.ts'
import { inWorkers } from './in-workers.ts'

const options = { graceMs: 250 }
const call = callTo('echo', { text: 'fine' })
const returned = { kind: 'returned', result: { content: [{ type: 'text', text: 'fine' }] } }

function createHost() {
  const workers: FakeWorker[] = []
  const host = inWorkers([echo], () => {
    const worker = createFakeWorker()
    workers.push(worker)
    return worker
  })
  return { host, workers }
}

test('the first call waits for the code that runs it, and is then like any other', async () => {
  const { host, workers } = createHost()
  const execution = host.open(echo, options)
  const done = execution.run(call, createRecorder())
  expect(workers).toEqual([])
  await vi.dynamicImportSettled()

  workers[0]?.say(readyMessage('echo'))
  await execution.ready
  await expect.poll(() => workers[0]?.posted).toHaveLength(1)
  workers[0]?.say({ type: 'settled', executionId: 'e1', settlement: returned })

  expect(await done).toEqual(returned)
  host.open(echo, options)
  expect(workers).toHaveLength(2)
})

test.for(['stop', 'close'] as const)(
  '[I20] %s before the code is there: nothing runs, and no worker is left',
  async (end) => {
    const { host, workers } = createHost()
    const execution = host.open(echo, options)
    const done = execution.run(call, createRecorder())

    execution[end]()

    expect(await done).toEqual({ kind: 'stopped', how: 'cooperative' })
    expect(workers.map((worker) => worker.terminations())).toEqual([1])
    expect(workers[0]?.posted).toEqual([])
  },
)

test('code that does not load fails the call with a sentence, and is tried again with the next', async () => {
  const code = './worker-host.ts'
  vi.doMock(code, () => Promise.reject(new TypeError('Failed to fetch')))
  onTestFinished(() => void vi.doUnmock(code))
  const { host, workers } = createHost()

  const lost = host.open(echo, options)
  await expect(lost.ready).rejects.toThrow(
    'a part of the app could not be loaded; if it stays so, reload the page',
  )
  expect(await lost.run(call, createRecorder())).toEqual({
    kind: 'crashed',
    message: 'a part of the app could not be loaded; if it stays so, reload the page',
  })

  vi.doUnmock(code)
  host.open(echo, options)
  await expect.poll(() => workers).toHaveLength(1)
})

test('[D81] code that never comes fails the call after 30 s, and starts no worker when it comes', async () => {
  const code = './worker-host.ts'
  const gate = createDeferred<void>()
  vi.doMock(code, async (original) => {
    await gate.promise
    return original()
  })
  onTestFinished(() => void vi.doUnmock(code))
  const { clock } = createManualEnvironment()
  const workers: FakeWorker[] = []
  const host = inWorkers(
    [echo],
    () => {
      const worker = createFakeWorker()
      workers.push(worker)
      return worker
    },
    { clock },
  )
  const execution = host.open(echo, options)
  const done = execution.run(call, createRecorder())

  clock.advance(30_000)

  await expect(execution.ready).rejects.toThrow(
    'a part of the app could not be loaded; if it stays so, reload the page',
  )
  expect(await done).toMatchObject({ kind: 'crashed' })
  gate.resolve()
  await vi.dynamicImportSettled()
  expect(workers).toEqual([])
})

test('refuses misuse with a sentence about what to do', () => {
  const start = () => createFakeWorker()

  expect(() => inWorkers([], start)).toThrow('inWorkers needs at least one tool.')
  expect(() => inWorkers([echo, echo], start)).toThrow('two tools named "echo"')
  expect(() => inWorkers([behaveAt('page')], start)).toThrow('inPage([implement(behave, …)])')
  // @ts-expect-error: a worker is not a function that starts one
  expect(() => inWorkers([echo], createFakeWorker())).toThrow('() => new Worker(…)')
  // @ts-expect-error: no way to keep workers
  expect(() => inWorkers([echo], start, { keep: 'warm' })).toThrow(
    "keep must be 'fresh' or 'spare' or 'reuse'",
  )
})
