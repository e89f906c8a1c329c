import { expect, test, vi } from 'vitest'
import { watchedAgent } from '../../agent/agent.fixtures.ts'
import { createDeferred } from '../../internal/deferred.ts'
import { createManualEnvironment } from '../../runtime/environment.fixtures.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { call, say, scriptedModel } from '../../testing/scripted.ts'
import { settleDown } from '../fixtures/calls.fixtures.ts'
import {
  createFakeWorker,
  createLoopWorker,
  type FakeWorker,
  readyMessage,
} from '../fixtures/fake-worker.fixtures.ts'
import { echo } from '../fixtures/tools.fixtures.ts'
import { implement } from '../worker/implement.ts'
import type { WorkerLike } from './worker-boot.ts'
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
  clock.advance(1)

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
  // None is ready for a second, and then for two.
  clock.advance(3000)
  expect(workers).toHaveLength(12)
  for (let next = 10; next < 39; next++) workers[next]?.say(readyMessage('echo'))

  // The last was closed before its turn.
  expect(workers).toHaveLength(39)
})

test.for([
  ['two cores, scripts of one second', 2, 1000],
  ['a core and a half, scripts of 1.4 seconds', 1.5, 1400],
  ['eight cores, scripts of seven seconds', 8, 7000],
] as const)(
  '[W19] a worker that waits for a core is not taken for one that hangs: %s',
  async ([, cores, costMs]) => {
    const { workers, executions, clock } = open(100)
    const worked = new Map<FakeWorker, number>()
    let most = 0

    while (worked.size < 100 || [...worked.values()].some((ms) => ms < costMs)) {
      const busy = workers.filter((one) => (worked.get(one) ?? 0) < costMs)
      most = Math.max(most, busy.length)
      for (const one of busy) {
        const ms = (worked.get(one) ?? 0) + 50 * Math.min(1, cores / busy.length)
        worked.set(one, ms)
        if (ms >= costMs && one.terminations() === 0) one.say(readyMessage('echo'))
      }
      clock.advance(50)
    }

    await expect(Promise.all(executions.map(({ ready }) => ready))).resolves.toHaveLength(100)
    expect(most).toBeLessThan(20)
  },
)

test('[I15] [W19] a worker that hangs is ended in time, though others get ready all the while', async () => {
  vi.spyOn(console, 'error').mockReturnValueOnce()
  const { workers, executions, clock } = open(40)

  for (let next = 1; next < 40; next++) {
    workers[next]?.say(readyMessage('echo'))
    clock.advance(500)
  }

  await expect(executions[0]?.ready).rejects.toThrow('not ready within 10 s')
})

test('[W19] a closed queue leaves no timer', async () => {
  const { workers, executions, clock } = open(40)
  for (const worker of workers) worker.say(readyMessage('echo'))
  await settleDown()

  for (const { close } of executions) close()

  expect(clock.pending()).toBe(0)
  expect(workers.every((worker) => worker.terminations() === 1)).toBe(true)
})

test.each([64, 200])(
  '[I7] [I14] [W19] 200 calls in one answer, %i at once, all succeed, and 8 workers start at a time',
  async (maxConcurrency) => {
    const { environment, host, most } = countedWorkers(maxConcurrency)
    const texts = Array.from({ length: 200 }, (_, n) => `text ${n}`)
    const model = scriptedModel(
      texts.map((text) => call('echo', { text })),
      [say('Done.')],
    )
    const options = { model, tools: host, maxConcurrency, maxCallsPerTurn: 200 }
    const { agent, eventsOf } = watchedAgent(options, environment)

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Done.' })

    const outcomes = eventsOf('tool_execution_end').map(({ outcome }) => outcome)
    expect(outcomes).toEqual(texts.map(() => 'succeeded'))
    const results = model.requests[1]?.messages.filter(({ role }) => role === 'toolResult')
    expect(results?.map(({ content }) => content)).toEqual(
      texts.map((text) => [{ type: 'text', text }]),
    )
    expect(most()).toEqual({ starting: 8, alive: maxConcurrency, spawned: 200, left: 0 })
  },
)

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

/** Workers that run `echo` in this thread, once there were so many of them, and how many there were at a time. */
function countedWorkers(together: number) {
  const environment = createManualEnvironment()
  const count = { starting: 0, alive: 0, spawned: 0, left: 0 }
  const alive = new Set<WorkerLike>()
  const starting = new Set<WorkerLike>()
  const allThere = createDeferred<void>()
  const implementation = implement(echo, async ({ text }) => {
    await allThere.promise
    return text
  })
  const spawn = () => {
    const loop = createLoopWorker([implementation])
    const terminate = () => {
      alive.delete(worker)
      starting.delete(worker)
      loop.terminate()
    }
    const worker = { ...loop, terminate }
    worker.addEventListener('message', () => starting.delete(worker))
    alive.add(worker)
    starting.add(worker)
    count.spawned += 1
    count.alive = Math.max(count.alive, alive.size)
    if (alive.size === together) allThere.resolve()
    count.starting = Math.max(count.starting, starting.size)
    return worker
  }
  const host = createWorkerHost([echo], spawn, { clock: environment.clock })
  return { environment, host, most: () => ({ ...count, left: alive.size }) }
}
