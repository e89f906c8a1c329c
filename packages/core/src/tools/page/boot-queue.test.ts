import { expect, test, vi } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { callTo, createRecorder, settleDown } from '../fixtures/calls.fixtures.ts'
import {
  createFakeWorker,
  type FakeWorker,
  readyMessage,
} from '../fixtures/fake-worker.fixtures.ts'
import { echo } from '../fixtures/tools.fixtures.ts'
import { createWorkerHost } from './worker-host.ts'

test('[W19] starts the next worker when an earlier one is ready, and loses none', async () => {
  const { workers, executions } = open(200)
  expect(workers).toHaveLength(8)

  for (let i = 0; i < 200; i++) {
    workers[i]?.say(readyMessage('echo'))
    expect(workers).toHaveLength(Math.min(200, i + 9))
  }

  await Promise.all(executions.map(({ ready }) => ready))
})

test('[W19] the time in the queue is not counted as a slow start', async () => {
  const { workers, executions, clock } = open(16)
  clock.advance(900)
  workers[0]?.say(readyMessage('echo'))
  expect(workers).toHaveLength(9)

  clock.advance(9_999)
  workers[8]?.say(readyMessage('echo'))

  await expect(executions[8]?.ready).resolves.toBe(undefined)
  await expect(executions[1]?.ready).rejects.toThrow('not ready within 10 s')
})

test('[I15] [W19] workers that hang at their start, fail or are not wanted any more hold up no others', () => {
  vi.spyOn(console, 'error').mockReturnValueOnce()
  const { workers, executions, clock } = open(40)

  workers[0]?.fire('error')
  expect(workers).toHaveLength(9)
  executions[1]?.close()
  expect(workers).toHaveLength(10)
  executions[39]?.close()
  clock.advance(1000)
  expect(workers).toHaveLength(18)
  clock.advance(3000)

  // The last was closed before its turn.
  expect(workers).toHaveLength(39)
})

test('[W19] a closed queue leaves no timer', async () => {
  const { workers, executions, clock } = open(40)
  for (const worker of workers) worker.say(readyMessage('echo'))
  await settleDown()

  for (const { close } of executions) close()

  expect(clock.pending()).toBe(0)
  expect(workers.every((worker) => worker.terminations() === 1)).toBe(true)
})

test('[I14] [W19] calls that are more than may start at once all run at once in the end', async () => {
  const { workers, executions } = open(64)
  const request = callTo('echo', { text: 'a' })
  for (const { run } of executions) void run(request, createRecorder())

  for (const worker of workers) worker.say(readyMessage('echo'))
  await settleDown()

  expect(workers).toHaveLength(64)
  expect(workers.every(({ posted }) => posted.length === 1)).toBe(true)
})

function open(calls: number) {
  const clock = fakeClock()
  const workers: FakeWorker[] = []
  const spawn = () => {
    const worker = createFakeWorker()
    workers.push(worker)
    return worker
  }
  const host = createWorkerHost([echo], spawn, { clock })
  const executions = Array.from({ length: calls }, () => host.open(echo, { graceMs: 250 }))
  return { clock, workers, executions }
}
