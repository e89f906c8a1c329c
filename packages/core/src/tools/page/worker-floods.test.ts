import { afterEach, expect, test, vi } from 'vitest'
import { type FakeClock, fakeClock } from '../../testing/fake-clock.ts'
import { callTo, createRecorder, settleDown } from '../fixtures/calls.fixtures.ts'
import {
  createFakeWorker,
  createLoopWorker,
  readyMessage,
} from '../fixtures/fake-worker.fixtures.ts'
import { echo } from '../fixtures/tools.fixtures.ts'
import { implement } from '../worker/implement.ts'
import { createFloodGauge } from './flood-gauge.ts'
import { createWorkerHost } from './worker-host.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const id = { executionId: 'e1' }

/** A message of every kind, also of none. Each is one that a worker may post now and then. */
const kinds: readonly (readonly [kind: string, message: object])[] = [
  ['alive', { type: 'alive', ...id }],
  ['running', { type: 'running', ...id }],
  ['ready', readyMessage('echo')],
  ['update', { type: 'update', ...id, partial: { content: [] } }],
  ['progress', { type: 'progress', ...id, progress: { value: 1 } }],
  ['log', { type: 'log', ...id, lines: [{ level: 'info', text: 'a', t: 1 }], dropped: 0 }],
  ['custom', { type: 'custom', ...id, name: 'a', data: 1, durable: false }],
  ['settled, but of another call', settledMessage('e2', 'forged')],
  ['settled, but unreadable', { type: 'settled', ...id, settlement: {} }],
  ['its own', { mine: true }],
]

/** What is left of the listeners of a worker that was ended: one, for what it still throws. */
const onlySilence = 1

test.for(kinds)(
  '[W10] ends a worker that floods the page with messages: %s',
  async ([, message]) => {
    const { worker, recorder, done } = await running()

    for (let i = 0; i < 3000; i++) worker.say(message)

    expect(await done).toEqual({ kind: 'crashed', message: expect.stringMatching(/2000 messages/) })
    expect(recorder.notices.length).toBeLessThanOrEqual(2001)
    expect(worker.terminations()).toBe(1)
    expect(worker.listeners()).toBe(onlySilence)
  },
)

test('[W10] all kinds of messages count together', async () => {
  const { worker, done } = await running()

  for (let i = 0; i < 300; i++) for (const [, message] of kinds) worker.say(message)

  expect(await done).toEqual({ kind: 'crashed', message: expect.stringMatching(/2000 messages/) })
})

test('[W10] ends a worker that floods the page before it is ready', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { worker, execution } = open()

  for (let i = 0; i < 3000; i++) worker.say({ mine: i })

  await expect(execution.ready).rejects.toThrow('2000 messages')
})

test('[W10] a worker that posts as fast as it may is not ended', async () => {
  const { worker, clock, done } = await running()

  // Every 16 ms as many as may be on their way, for a minute.
  for (let ms = 0; ms < 60_000; ms += 16) {
    for (let i = 0; i < 8; i++) worker.say({ type: 'progress', ...id, progress: { value: i } })
    clock.advance(16)
  }
  worker.say(settledMessage('e1', 'fine'))

  expect(await done).toEqual(returned('fine'))
})

test('[W10] [I40] the data of what is posted to an ended worker is never looked at', async () => {
  const { worker, done } = await running()
  let looks = 0
  const event = {
    get data() {
      looks += 1
      return { mine: true }
    },
  }

  for (let i = 0; i < 300_000; i++) worker.fire('message', event)

  expect(await done).toMatchObject({ kind: 'crashed' })
  expect(looks).toBeLessThanOrEqual(2001)
})

test('[W10] [I40] a few messages that take long are a flood, too', async () => {
  const { worker, clock, done } = await running()
  let posted = 0

  while (worker.terminations() === 0 && posted < 100) {
    posted += 1
    worker.fire('message', {
      get data() {
        // What a message costs is the time of its reading.
        clock.advance(300)
        return { mine: true }
      },
    })
    clock.advance(0)
  }

  expect(posted).toBe(7)
  expect(await done).toMatchObject({ kind: 'crashed' })
})

test.for([
  { what: 'small messages', workers: 8, msEach: 0.1, everyMs: 1.1 },
  { what: 'messages that take a while', workers: 8, msEach: 0.8, everyMs: 6.4 },
  { what: 'messages that take long, of few workers', workers: 3, msEach: 10, everyMs: 30 },
])(
  '[W10] [I40] ends several workers that flood, though each has only a part of the page: $what',
  async ({ workers, msEach, everyMs }) => {
    const clock = fakeClock()
    const all = await Promise.all(Array.from({ length: workers }, () => running(clock)))
    const isOpen = () => all.filter(({ worker }) => worker.terminations() === 0)

    // Each takes its turn, and the page does nothing else.
    let rounds = 0
    while (isOpen().length > 0 && rounds < 2000) {
      rounds += 1
      for (const { worker } of isOpen()) {
        worker.fire('message', slow(clock, msEach))
        clock.advance(everyMs / workers - msEach)
      }
    }

    expect(rounds).toBeLessThan(1200)
    expect(await Promise.all(all.map(({ done }) => done))).toEqual(
      Array(workers).fill({ kind: 'crashed', message: expect.stringMatching(/2000 messages/) }),
    )
  },
)

test('[W10] [I40] finds out workers that flood without reading what they post', async () => {
  const clock = fakeClock()
  const all = await Promise.all(Array.from({ length: 8 }, () => running(clock)))
  const isOpen = () => all.filter(({ worker }) => worker.terminations() === 0)

  // On a page that gets little of the processor each takes this long.
  for (let round = 0; isOpen().length > 0 && round < 500; round++) {
    for (const { worker } of isOpen()) worker.fire('message', slow(clock, 60))
  }

  expect(isOpen()).toEqual([])
  expect(clock.monotonic()).toBeLessThan(1000)
})

test('[W10] [I40] ends a worker whose messages keep the page from its other work', async () => {
  const clock = stallingClock()
  const { worker, done } = await running(clock)

  // Nothing of it is the reading of a message.
  for (let i = 0; i < 200; i++) {
    worker.say({ mine: true })
    clock.stall(10)
  }

  expect(worker.terminations()).toBe(1)
  expect(await done).toEqual({ kind: 'crashed', message: expect.stringMatching(/2000 messages/) })
})

test('[W10] [W11] a worker is not ended for a page that stood still', async () => {
  const clock = stallingClock()
  const { worker, done } = await running(clock)

  for (let i = 0; i < 24; i++) worker.say({ type: 'progress', ...id, progress: { value: i } })
  for (let second = 0; second < 600; second++) {
    clock.stall(1000)
    worker.say({ type: 'alive', ...id })
  }
  worker.say(settledMessage('e1', 'fine'))
  clock.advance(16)

  expect(worker.terminations()).toBe(1)
  expect(await done).toEqual(returned('fine'))
})

test('[W10] what a worker has posted before it was allowed more does not count against it', () => {
  const clock = stallingClock()
  const gauge = createFloodGauge(clock)

  for (let i = 0; i < 90; i++) gauge.noteArrival()
  gauge.noteCredit()
  clock.stall(600)
  for (let i = 0; i < 24; i++) gauge.noteArrival()

  expect([gauge.isBehind(), gauge.isFlood()]).toEqual([true, false])
})

test('[W10] a message that waits for its turn comes before what follows it', async () => {
  const clock = fakeClock()
  const { worker, recorder, done } = await running(clock)

  worker.fire('message', slow(clock, 600))
  worker.say({ type: 'progress', ...id, progress: { status: 'waits' } })
  worker.say(settledMessage('e1', 'fine'))
  worker.fire('error', { message: 'Thrown afterwards.' })
  expect(recorder.notices).toEqual([])
  clock.advance(0)
  clock.advance(0)

  expect(recorder.notices).toEqual([{ type: 'progress', progress: { status: 'waits' } }])
  expect(await done).toEqual(returned('fine'))
  expect(clock.pending()).toBe(0)
})

test('[W10] a worker that waits for the page is not ended for the floods of others', async () => {
  const clock = fakeClock()
  const honest = await running(clock)
  const others = await Promise.all([running(clock), running(clock), running(clock)])

  for (let round = 0; round < 200; round++) {
    for (const { worker } of others) worker.fire('message', slow(clock, 5))
    clock.advance(0)
    // As many as may be on their way.
    if (round === 100) for (let i = 0; i < 25; i++) honest.worker.fire('message', slow(clock, 1))
  }
  honest.worker.say(settledMessage('e1', 'fine'))
  clock.advance(0)

  expect(others.map(({ worker }) => worker.terminations())).toEqual([1, 1, 1])
  expect(await honest.done).toEqual(returned('fine'))
})

test('[W9] acknowledges later what took long, so that an honest worker waits', async () => {
  const { worker, clock } = await running()
  const slow = {
    get data() {
      clock.advance(100)
      return { type: 'progress', ...id, progress: { value: 1 } }
    },
  }
  const credits = () => worker.posted.slice(1)

  for (let i = 0; i < 8; i++) {
    worker.fire('message', slow)
    clock.advance(0)
  }
  clock.advance(792)
  expect(credits()).toEqual([])
  clock.advance(32)

  expect(credits()).toEqual([{ type: 'credit', ...id, messages: 8 }])
})

test.for([
  { what: 'many events', events: 100, chars: 1, msEach: 25 },
  { what: 'big events', events: 30, chars: 500_000, msEach: 150 },
])(
  '[W9] [W10] an honest worker is not ended, however slowly the page takes what it says: $what',
  async ({ events, chars, msEach }) => {
    const clock = fakeClock()
    const tool = implement(echo, (_, { custom }) => {
      for (let n = 0; n < events; n++) custom('said', 'a'.repeat(chars))
      return { text: 'done' }
    })
    const host = createWorkerHost([echo], () => createLoopWorker([tool]), { clock })
    let heard = 0
    let isOver = false

    const done = host
      .open(echo, { graceMs: 250 })
      .run(callTo('echo', { text: 'a' }), ({ type }) => {
        if (type !== 'custom') return
        heard += 1
        clock.advance(msEach)
      })
      .finally(() => (isOver = true))
    while (!isOver) {
      await settleDown()
      clock.advance(100)
    }

    expect(await done).toMatchObject({ kind: 'returned' })
    expect(heard).toBe(events)
  },
)

function open(clock = fakeClock()) {
  const worker = createFakeWorker()
  const execution = createWorkerHost([echo], () => worker, { clock }).open(echo, { graceMs: 250 })
  return { clock, worker, execution, recorder: createRecorder() }
}

async function running(clock = fakeClock()) {
  const opened = open(clock)
  const { worker, execution, recorder } = opened
  worker.say(readyMessage('echo'))
  const done = execution.run(callTo('echo', { text: 'a' }), recorder)
  await settleDown()
  return { ...opened, done }
}

/** A message whose reading takes a while. */
function slow(clock: FakeClock, ms: number) {
  return {
    get data() {
      clock.advance(ms)
      return { mine: true }
    },
  }
}

/** A clock whose time can go on without its timers, as on a page that has no turn for them. */
function stallingClock() {
  const clock = fakeClock()
  let stalledMs = 0
  return {
    ...clock,
    monotonic: () => clock.monotonic() + stalledMs,
    stall: (ms: number) => {
      stalledMs += ms
    },
  }
}

function settledMessage(executionId: string, text: string) {
  return { type: 'settled', executionId, settlement: returned(text) }
}

function returned(text: string) {
  return { kind: 'returned', result: { content: [{ type: 'text', text }] } }
}
