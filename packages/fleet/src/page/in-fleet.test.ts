import type { CallNotice, Clock } from '@offthread/core/host'
import { fakeClock } from '@offthread/core/testing'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { callTo } from '../../../core/src/tools/fixtures/calls.fixtures.ts'
import { leaveTrace } from '../fixtures/deeds.fixtures.ts'
import { fakeNats } from '../fixtures/fake-nats.fixtures.ts'
import { settled } from '../fixtures/settled.fixtures.ts'
import { type OpenAnswer, writeHandshake } from '../wire/handshake.ts'
import { createLink, type Link } from '../wire/link.ts'
import { packMessage } from '../wire/pack.ts'
import { FleetError } from './fleet-error.ts'
import { inFleet } from './in-fleet.ts'
import { createRemoteThread } from './remote-thread.ts'

const open = 'offthread.tools.default.open'
const claim = {
  version: 1,
  type: 'claim',
  process: 'p',
  processId: 'a'.repeat(20),
} as const satisfies OpenAnswer
const ready = { type: 'ready', protocolVersion: 1, toolNames: ['leave_trace'] }

/** A page, and a process that does as a test says. */
function page({
  answer = claim,
  clock = fakeClock(),
  maxPayload = 1e6,
}: {
  answer?: OpenAnswer
  clock?: Clock
  maxPayload?: number
} = {}) {
  const nats = fakeNats()
  const host = inFleet([leaveTrace], nats.connection, { clock })
  const post = (reply: string) => (frame: Uint8Array) => nats.connection.publish(reply, frame)
  const process = new Promise<{
    readonly link: Link
    readonly frame: (frame: Uint8Array) => void
  }>((resolve) =>
    nats.on(open, ({ reply = '' }) => {
      nats.connection.publish(reply, writeHandshake(answer))
      const nothing = () => {}
      const link = createLink({
        ...{ publish: post(reply), maxPayload, answers: false, pauseMs: 0, now: () => 0 },
        ...{ failed: nothing, closed: nothing, broken: nothing },
      })
      resolve({ link, frame: post(reply) })
    }),
  )
  const notices: CallNotice[] = []
  const execution = host.open(leaveTrace, { graceMs: 250 })
  const request = callTo('leave_trace', { file: '', how: '' })
  const run = (more: object = {}) =>
    execution.run({ ...request, ...more }, (notice) => notices.push(notice))
  return { nats, host, process, execution, run, notices }
}

test('[F10] a claim that names another subject than one of the fleet is no claim', async () => {
  const { nats, process, execution } = page({ answer: { ...claim, processId: 'a.b' } })

  await process
  await settled()
  execution.close()

  expect(
    nats.published.every((subject) => /^(offthread\.tools\.default\.open|_INBOX)/.test(subject)),
  ).toBe(true)
})

test('[F10] whatever a process sends, its call ends or goes on, and nothing throws', async () => {
  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => ({ bytes })),
    fc.jsonValue({ maxDepth: 3 }).map((message) => ({ message })),
    fc
      .record({
        type: fc.constantFrom('ready', 'log', 'update', 'progress', 'custom', 'settled', 'broken'),
        executionId: fc.constantFrom('e1', 'other'),
        lines: fc.jsonValue({ maxDepth: 2 }),
        partial: fc.jsonValue({ maxDepth: 3 }),
        settlement: fc.jsonValue({ maxDepth: 3 }),
        toolNames: fc.array(fc.string()),
      })
      .map((message) => ({ message })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { maxLength: 5 }), async (sent) => {
      const { process, execution, run } = page()
      const { link, frame } = await process
      link.send(packMessage(ready))
      const done = run()
      await settled()
      for (const one of sent) {
        if ('bytes' in one) frame(one.bytes)
        else link.send(packMessage(one.message))
      }
      await settled()
      execution.close()

      expect(await done).toMatchObject({
        kind: expect.stringMatching(/returned|threw|crashed|stopped/),
      })
    }),
    { numRuns: 50 },
  )
})

test('[F10] a flood in the place of an answer goes to an inbox that is not read any more', async () => {
  const nats = fakeNats()
  const clock = fakeClock()
  const inboxes: string[] = []
  nats.on(open, ({ reply = '' }) => inboxes.push(reply))
  const execution = inFleet([leaveTrace], nats.connection, { clock }).open(leaveTrace, {
    graceMs: 250,
  })
  await expect.poll(() => inboxes).toHaveLength(1)

  for (let n = 0; n < 3000; n += 1) nats.connection.publish(inboxes[0] ?? '', new Uint8Array(9))
  await settled()
  clock.advance(50)
  await settled()

  expect(inboxes).toHaveLength(2)
  expect(inboxes[1]).not.toBe(inboxes[0])
  execution.close()
})

/** A frame with its kind, its number and what follows. */
const frameOf = (kind: number, number: number, rest: readonly number[] = []) =>
  Uint8Array.of(kind, 0, 0, number >> 8, number & 255, ...rest)

test.for([
  ['pieces of a later message', frameOf(0, 999, Array<number>(1000).fill(0))],
  ['pieces that were there before', frameOf(0, 0)],
  ['last pieces that were there before', frameOf(1, 0)],
  ['states', frameOf(2, 1, Array<number>(8).fill(0))],
  ['states that ask for all again', frameOf(2, 1, [0, 0, 0, 0, 0, 0, 0, 1])],
] as const)('[F10] [W10] a flood of frames ends its call: %s', async ([, flood]) => {
  const { process, run } = page()
  const { link, frame } = await process
  link.send(packMessage(ready))
  const done = run()
  await settled()

  for (let n = 0; n < 3000; n += 1) frame(flood)

  expect(await done).toEqual({ kind: 'crashed', message: expect.stringMatching(/2000 messages/) })
})

test.for([
  ['large', 100_000, 2500],
  ['small', 10_000, 25_000],
] as const)(
  '[F10] [W10] messages of %s pieces without end end their call',
  async ([, length, count]) => {
    const { process, run } = page()
    const { link, frame } = await process
    link.send(packMessage(ready))
    const done = run()
    await settled()

    const perMessage = 30_000_000 / length
    for (let n = 1; n <= count; n += 1) {
      const isLast = n % perMessage === 0
      const piece = new Uint8Array(length)
      piece[0] = isLast ? 1 : 0
      new DataView(piece.buffer).setUint32(1, n)
      frame(piece)
      if (isLast) await settled()
    }

    expect(await done).toEqual({ kind: 'crashed', message: expect.stringMatching(/2000 messages/) })
  },
)

test('[W10] a message of many small pieces is no flood', async () => {
  const { process, run } = page({ maxPayload: 1024 })
  const { link } = await process
  link.send(packMessage(ready))
  const done = run()
  await settled()

  const settlement = { kind: 'returned', result: { content: [] } }
  link.send(packMessage({ type: 'other', data: 'a'.repeat(7_000_000) }))
  link.send(packMessage({ type: 'settled', executionId: 'e1', settlement }))

  expect(await done).toEqual(settlement)
})

test('[F3] a call is posted once, to the process that claimed it', async () => {
  const { nats, process, run } = page()
  const { link } = await process
  link.send(packMessage(ready))
  const done = run()
  await settled()
  const settlement = { kind: 'returned', result: { content: [] } }
  link.send(packMessage({ type: 'settled', executionId: 'e1', settlement }))

  expect(await done).toEqual(settlement)
  const calls = nats.published.filter((subject) => subject.includes('.call.'))
  // The call itself, and the end of its thread.
  expect(calls).toEqual([calls[0], calls[0]])
  expect(calls[0]).toMatch(/^offthread\.tools\.default\.call\.a{20}\.[a-z0-9]{24}$/)
})

test('[F2] [F10] the name of a process is cut to a line', async () => {
  const { process, run, notices } = page({ answer: { ...claim, process: 'x'.repeat(1500) } })
  const { link } = await process
  link.send(packMessage(ready))
  void run()
  await settled()

  expect(notices).toMatchObject([
    { type: 'log', lines: [{ text: `Runs in the process ${'x'.repeat(100)}.` }] },
  ])
})

test('[F6] what no other machine can be sent fails its call before it ran', async () => {
  const { process, run } = page()
  const { link } = await process
  link.send(packMessage(ready))

  expect(await run({ context: { users: new Map() } })).toMatchObject({
    kind: 'threw',
    message:
      'The call could not be sent to its worker: The value at request.context.users is a Map: another machine can be sent JSON, ArrayBuffers and Blobs only. It did not run.',
  })
})

test('[F11] a process that takes nothing of what it is sent fails its call', () => {
  const nats = fakeNats()
  const failed = vi.fn<(error: Error) => void>()
  const { send, close } = createRemoteThread({
    ...{ connection: nats.connection, claim: { process: 'p', subject: 'calls.p' }, failed },
    ...{ heartbeatMs: 2000, clock: fakeClock(), message: () => {} },
  })
  const file = new ArrayBuffer(30_000_000)

  send({ n: 1, file })
  send({ n: 2, file })
  expect(failed).not.toHaveBeenCalled()
  send({ n: 3, file })

  expect(nats.published.length).toBeLessThanOrEqual(8)
  expect(failed).toHaveBeenCalledExactlyOnceWith(
    new FleetError(
      'silent',
      'The process p does not take what it is sent: more than 64.0 MB wait for it.',
    ),
  )
  close()
})

test('[F4] a page that was frozen reads what has come before it misses a sign of life', async () => {
  const clock = fakeClock()
  let slept = 0
  const { process, execution } = page({
    clock: { ...clock, monotonic: () => clock.monotonic() + slept },
  })
  const { link } = await process
  await settled()
  let isOver = false
  execution.ready.catch(() => {
    isOver = true
  })

  slept = 600_000
  clock.advance(6000)
  await settled()
  expect(isOver).toBe(false)
  link.send(packMessage(ready))

  await execution.ready
  clock.advance(6000)
  await expect(execution.run(callTo('leave_trace', {}), () => {})).resolves.toMatchObject({
    kind: 'crashed',
  })
})

test('[F7] an inbox that is not allowed, and a connection that ends, are sentences', async () => {
  const forbidden = page()
  forbidden.nats.forbid()
  await expect(forbidden.host.check()).rejects.toMatchObject({
    kind: 'connection',
    message: expect.stringMatching(
      /may not subscribe to its inbox _INBOX\..*Permissions Violation/,
    ),
  })

  const ended = page()
  await ended.process
  ended.nats.end()
  await expect(ended.execution.ready).rejects.toThrow(
    'The connection to the NATS server has ended.',
  )
})

test('a call that is closed while its connection opens asks for nothing', async () => {
  const nats = fakeNats()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const connect = vi.fn(() => opened.then(() => nats.connection))
  const execution = inFleet([leaveTrace], connect).open(leaveTrace, { graceMs: 250 })
  await expect.poll(() => connect).toHaveBeenCalled()

  execution.close()
  open()
  await settled()

  expect(nats.published).toEqual([])
})

test('[F7] a fleet has the name of a word', () => {
  expect(() => inFleet([leaveTrace], fakeNats().connection, { fleet: 'a.*' })).toThrow(
    'A fleet cannot be called "a.*": use 1 to 64 letters, digits, "_" or "-".',
  )
})
