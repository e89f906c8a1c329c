import { afterEach, expect, test, vi } from 'vitest'
import { createAgent } from '../../agent/create-agent.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { scriptedModel } from '../../testing/scripted.ts'
import { callTo, createRecorder, settleDown } from '../fixtures/calls.fixtures.ts'
import {
  createFakeWorker,
  type FakeWorker,
  readyMessage,
} from '../fixtures/fake-worker.fixtures.ts'
import { echo } from '../fixtures/tools.fixtures.ts'
import type { Execution } from '../host.ts'
import { createWorkerHost } from './worker-host.ts'
import type { WorkerKeeping } from './worker-pool.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** What is left of the listeners of a worker that was ended: one, for what it still throws. */
const onlySilence = 1

test('[W4] fresh: each call has its own, and none waits', async () => {
  const { workers, runCall, clock } = await create('fresh')

  await runCall('a')
  await runCall('b')

  expect(workers.map((worker) => worker.terminations())).toEqual([1, 1])
  expect(clock.pending()).toBe(0)
})

test('[W5] spare: the next is started soon after a call has started, and is used once', async () => {
  const { workers, begin, end, runCall, clock } = await create('spare')
  const first = begin()
  expect(workers).toHaveLength(1)
  workers[0]?.say(readyMessage('echo'))
  await settleDown()
  expect(workers).toHaveLength(1)

  workers[0]?.say({ type: 'running', executionId: 'e1' })
  clock.advance(49)
  expect(workers).toHaveLength(1)
  clock.advance(1)
  expect(workers).toHaveLength(2)
  workers[1]?.say(readyMessage('echo'))
  await end(first, workers[0])
  await runCall('b')

  // The second call took the waiting one, and had a third started.
  expect(workers).toHaveLength(3)
  expect(workers.map((worker) => worker.terminations())).toEqual([1, 1, 0])
})

test('[W6] reuse: a worker whose call ended by itself takes the next; one that was stopped does not', async () => {
  const { workers, begin, end, runCall } = await create('reuse')

  await runCall('a')
  await runCall('b')
  expect(workers).toHaveLength(1)
  expect(workers[0]?.posted.filter((one) => JSON.stringify(one).includes('"run"'))).toHaveLength(2)
  const third = begin()
  await settleDown()
  third.execution.stop()
  await end(third, workers[0])

  expect(workers[0]?.terminations()).toBe(1)
  await runCall('d')
  expect(workers).toHaveLength(2)
})

test('[W6] reuse: at most four wait', async () => {
  const { workers, host } = await create('reuse')
  const executions = Array.from({ length: 6 }, () => host.open(echo, { graceMs: 250 }))
  const ended = executions.map((execution, index) =>
    execution.run(
      { ...callTo('echo', { text: 'a' }), executionId: `own${index}` },
      createRecorder(),
    ),
  )
  for (const worker of workers) worker.say(readyMessage('echo'))
  await settleDown()

  for (const [index, worker] of workers.entries()) {
    const settlement = { kind: 'returned', result: { content: [] } }
    worker.say({ type: 'settled', executionId: `own${index}`, settlement })
  }
  await Promise.all(ended)

  expect(workers.map((worker) => worker.terminations())).toEqual([0, 0, 0, 0, 1, 1])
})

test('[W6] [W10] reuse: no call is ended for what the calls before it in its worker have posted', async () => {
  const { workers, begin, end, clock } = await create('reuse')
  const ends: string[] = []

  for (let n = 1; n <= 5; n++) {
    const call = begin()
    const worker = workers.find((one) => one.terminations() === 0)
    worker?.say(readyMessage('echo'))
    await settleDown()
    for (let i = 0; i < 900; i++) worker?.say({ type: 'alive', executionId: `e${n}` })
    ends.push((await end(call, worker)).kind)
    // The page itself is even with its workers again.
    clock.advance(200)
  }

  expect(ends).toEqual(Array(5).fill('returned'))
  expect(workers.length).toBeLessThan(5)
})

test('[W7] a waiting worker is ended after 30 s, when it fails, and when it is released', async () => {
  const { workers, runCall, host, clock } = await create('reuse')
  await runCall('a')
  clock.advance(29_999)
  expect(workers[0]?.terminations()).toBe(0)
  clock.advance(1)
  expect(workers[0]?.terminations()).toBe(1)

  await runCall('b')
  workers[1]?.say({ type: 'broken', message: 'A timer of the call before.' })
  expect(workers[1]?.terminations()).toBe(1)

  await runCall('c')
  host.release?.()
  expect(workers[2]?.terminations()).toBe(1)
  expect(clock.pending()).toBe(0)
  expect(workers.map((worker) => worker.listeners())).toEqual([
    onlySilence,
    onlySilence,
    onlySilence,
  ])
})

test('[W10] a waiting worker is ended when it floods the page, and the next call gets another one', async () => {
  const { workers, runCall } = await create('reuse')
  await runCall('a')

  for (let i = 0; i < 3000; i++) workers[0]?.say({ mine: true })
  expect(workers[0]?.terminations()).toBe(1)

  await runCall('b')
  expect(workers).toHaveLength(2)
})

test('[W7] a waiting worker is ended when the agent is disposed', async () => {
  const { workers, runCall, host, clock } = await create('reuse')
  const agent = createAgent({ model: scriptedModel(), tools: host })
  await runCall('a')
  expect(workers[0]?.terminations()).toBe(0)

  agent.dispose()

  expect(workers[0]?.terminations()).toBe(1)
  expect(clock.pending()).toBe(0)
})

test('a worker that runs a call is not kept after a release', async () => {
  const { workers, begin, end, host, runCall } = await create('reuse')
  const call = begin()
  workers[0]?.say(readyMessage('echo'))
  await settleDown()

  host.release?.()
  await end(call, workers[0])

  expect(workers[0]?.terminations()).toBe(1)
  await runCall('b')
  expect(workers).toHaveLength(2)
})

test('[W7] a waiting worker is ended when the page is hidden, and none waits there', async () => {
  const page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  const { workers, runCall } = await create('reuse')
  await runCall('a')

  page.hidden = true
  page.dispatchEvent(new Event('visibilitychange'))
  expect(workers[0]?.terminations()).toBe(1)
  await runCall('b')

  expect(workers[1]?.terminations()).toBe(1)
})

test('[W5] spare: the next is started at the end of a call that is shorter, and not after a release', async () => {
  const { workers, begin, end, host, clock } = await create('spare')
  const first = begin()
  workers[0]?.say(readyMessage('echo'))
  await settleDown()
  workers[0]?.say({ type: 'running', executionId: 'e1' })
  expect(workers).toHaveLength(1)
  await end(first, workers[0])
  expect(workers).toHaveLength(2)

  const second = begin()
  workers[1]?.say(readyMessage('echo'))
  await settleDown()
  workers[1]?.say({ type: 'running', executionId: 'e2' })
  host.release?.()
  await end(second, workers[1])
  clock.advance(1000)

  expect(workers).toHaveLength(2)
  expect(clock.pending()).toBe(0)
})

test('spare: none is started when a call is ended because the agent is disposed', async () => {
  const { workers, begin, host, clock } = await create('spare')
  const call = begin()
  workers[0]?.say(readyMessage('echo'))
  await settleDown()
  workers[0]?.say({ type: 'running', executionId: 'e1' })

  call.execution.close()
  host.release?.()
  clock.advance(1000)

  expect(workers).toHaveLength(1)
})

test('a spare that cannot start fails no call', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { workers, begin, end, runCall, clock } = await create('spare')
  const first = begin()
  workers[0]?.say(readyMessage('echo'))
  await settleDown()
  workers[0]?.say({ type: 'running', executionId: 'e1' })
  clock.advance(50)
  workers[1]?.fire('error', { message: 'Out of luck.' })
  expect(workers[1]?.terminations()).toBe(1)

  expect(await end(first, workers[0])).toMatchObject({ kind: 'returned' })
  expect(await runCall('b')).toMatchObject({ kind: 'returned' })
})

interface Begun {
  readonly execution: Execution
  readonly done: ReturnType<Execution['run']>
}

async function create(keep: WorkerKeeping) {
  const clock = fakeClock()
  const workers: FakeWorker[] = []
  const spawn = () => {
    const worker = createFakeWorker()
    workers.push(worker)
    return worker
  }
  const host = createWorkerHost([echo], spawn, { clock, keep })
  let calls = 0
  const begin = (): Begun => {
    calls += 1
    const execution = host.open(echo, { graceMs: 250 })
    const request = { ...callTo('echo', { text: 'a' }), executionId: `e${calls}` }
    return { execution, done: execution.run(request, createRecorder()) }
  }
  const end = async ({ done }: Begun, worker: FakeWorker | undefined) => {
    const settlement = { kind: 'returned', result: { content: [] } }
    worker?.say({ type: 'settled', executionId: `e${calls}`, settlement })
    return done
  }
  return {
    ...{ clock, workers, host, begin, end },
    /** A call that runs and ends, in the worker that it got. */
    runCall: async (_name: string) => {
      const begun = begin()
      const worker = workers.find((one) => one.terminations() === 0)
      worker?.say(readyMessage('echo'))
      await settleDown()
      worker?.say({ type: 'running', executionId: `e${calls}` })
      return end(begun, worker)
    },
  }
}
