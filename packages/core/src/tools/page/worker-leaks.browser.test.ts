import { afterAll, expect, test } from 'vitest'
import { createAgent } from '../../agent/create-agent.ts'
import { call, say, scriptedModel } from '../../testing/scripted.ts'
import { node } from '../fixtures/browser-commands.fixtures.ts'
import { callTo, createRecorder } from '../fixtures/calls.fixtures.ts'
import { faultTool } from '../fixtures/faults.fixtures.ts'
import { nothing, type WatchedWorkers, watchWorkers } from '../fixtures/watched-workers.fixtures.ts'
import type { Settlement, ToolHost } from '../host.ts'
import { createWorkerHost } from './worker-host.ts'
import type { WorkerKeeping } from './worker-pool.ts'

const fault = faultTool()

/** Bundled, as in a build, because loading the many modules would take most of the time. */
const script = await node.faultTools()
const scriptUrl = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
const start = () => new Worker(scriptUrl, { type: 'module' })
afterAll(() => URL.revokeObjectURL(scriptUrl))

/** What one worker leaves behind is counted exactly; `npm run soak:workers` takes 1,000. */
const count = 20
/** More at once would not be faster: two cores start five workers in about the time of five starts. */
const atOnce = 5

type Cycle = (host: ToolHost) => Promise<Settlement>

const closedWhileStarting: Cycle = (host) => {
  const execution = open(host)
  const done = execution.run(callTo('fault', { how: 'return' }), createRecorder())
  execution.close()
  return done
}
const closedWhileWaiting: Cycle = async (host) => {
  const execution = open(host)
  await execution.ready
  execution.close()
  return execution.run(callTo('fault', { how: 'return' }), createRecorder())
}
const stoppedWhile =
  (how: string, graceMs = 10_000): Cycle =>
  async (host) => {
    const execution = open(host, graceMs)
    const recorder = createRecorder()
    const done = execution.run(callTo('fault', { how }), recorder)
    await recorder.received('update')
    execution.stop()
    return done
  }
const endedBy =
  (how: string): Cycle =>
  (host) =>
    open(host).run(callTo('fault', { how }), createRecorder())

const cooperative: Settlement = { kind: 'stopped', how: 'cooperative' }
const terminated: Settlement = { kind: 'stopped', how: 'terminated' }

test.for([
  { kind: 'closed while starting', cycle: closedWhileStarting, as: cooperative },
  { kind: 'closed while waiting for a call', cycle: closedWhileWaiting, as: cooperative },
  {
    kind: 'stopped while running',
    cycle: stoppedWhile('wait for the signal'),
    as: cooperative,
  },
  {
    kind: 'killed while ignoring its signal',
    cycle: stoppedWhile('never reply', 5),
    as: terminated,
  },
  { kind: 'crashed', cycle: endedBy('reject unhandled'), as: { kind: 'crashed' } },
  { kind: 'closed by its code', cycle: endedBy('close itself'), as: { kind: 'crashed' } },
  { kind: 'failed', cycle: endedBy('throw'), as: { kind: 'threw' } },
  { kind: 'finished', cycle: endedBy('return'), as: { kind: 'returned' } },
])('[I20] 20 workers, each $kind, leave nothing behind', async ({ cycle, as }) => {
  const watch = watchWorkers()
  const host = hostOf(watch, 'fresh')

  const settlements = await repeat(count, () => cycle(host))

  for (const settlement of settlements) expect(settlement).toMatchObject(as)
  expect(watch.started()).toBe(count)
  expect(watch.remains()).toEqual(nothing)
})

// A terminated loop runs on for 2 s in Chromium, so there are fewer of them.
test('[I20] workers that were killed in an endless loop leave nothing behind', async () => {
  const watch = watchWorkers()
  const host = hostOf(watch, 'fresh')

  for (let i = 0; i < 3; i++) expect(await stoppedWhile('loop', 5)(host)).toEqual(terminated)

  expect(watch.started()).toBe(3)
  expect(watch.remains()).toEqual(nothing)
})

test.for([
  { keep: 'spare', started: count + 1 },
  { keep: 'reuse', started: 1 },
] as const)(
  '[I20] 20 calls to workers that wait leave nothing behind after release(): $keep',
  async ({ keep, started }) => {
    const watch = watchWorkers()
    const host = hostOf(watch, keep)

    for (let i = 0; i < count; i++) {
      expect(await endedBy('return')(host)).toMatchObject({ kind: 'returned' })
    }
    expect(watch.remains()).toMatchObject({ workers: 1, timers: expect.any(Number) })
    // A spare that has not started yet has one more.
    await expect.poll(() => watch.remains()).toMatchObject({ documentListeners: 1 })
    host.release?.()

    expect(watch.started()).toBe(started)
    expect(watch.remains()).toEqual(nothing)
  },
)

test.for([
  { keep: 'spare', kind: 'killed', cycle: stoppedWhile('never reply', 5) },
  { keep: 'reuse', kind: 'killed', cycle: stoppedWhile('never reply', 5) },
  { keep: 'reuse', kind: 'crashed', cycle: endedBy('reject unhandled') },
] as const)('[I20] does not keep a worker that was $kind: $keep', async ({ keep, cycle }) => {
  const watch = watchWorkers()
  const host = hostOf(watch, keep)

  await repeat(count, () => cycle(host))
  host.release?.()

  expect(watch.started()).toBeGreaterThanOrEqual(count)
  expect(watch.remains()).toEqual(nothing)
})

test('[I20] 99 calls that only wait in the queue are cancelled without a worker', async () => {
  const watch = watchWorkers()
  const calls = Array.from({ length: 100 }, (_, n) => call('fault', { how: 'never reply', n }))
  const model = scriptedModel(calls, [say('Well.')])
  const agent = createAgent({
    model,
    tools: hostOf(watch, 'fresh'),
    maxConcurrency: 1,
    maxCallsPerTurn: 100,
  })
  const outcomes = new Map<string, string>()
  const begun = new Promise<string>((resolve) => {
    agent.subscribe((event) => {
      if (event.type === 'tool_execution_update') resolve(event.toolCallId)
      if (event.type === 'tool_execution_end') outcomes.set(event.toolCallId, event.outcome)
    })
  })

  const done = agent.prompt('Go.')
  const running = await begun
  const ids = agent.getState().toolCalls.active.map(({ toolCallId }) => toolCallId)
  const waiting = ids.filter((id) => id !== running)
  for (const id of [...waiting, running]) expect(agent.cancelTool(id)).toBe(true)
  const ended = await done
  agent.dispose()

  expect(waiting).toHaveLength(99)
  expect([...outcomes.values()]).toEqual(Array.from({ length: 100 }, () => 'cancelled'))
  expect(ended).toMatchObject({ reason: 'stop', text: 'Well.' })
  expect(watch.started()).toBe(1)
  // Where many calls end, the page has its turn after the last of them, too.
  await expect.poll(() => watch.remains()).toEqual(nothing)
})

function hostOf(watch: WatchedWorkers, keep: WorkerKeeping) {
  return createWorkerHost([fault], () => watch.spawn(start), { keep })
}

function open(host: ToolHost, graceMs = 5) {
  return host.open(fault, { graceMs })
}

/** Does it so many times, some of them at once. */
async function repeat<Value>(times: number, run: () => Promise<Value>): Promise<readonly Value[]> {
  const values: Value[] = []
  const lane = async () => {
    for (let i = 0; i < times / atOnce; i++) values.push(await run())
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return values
}
