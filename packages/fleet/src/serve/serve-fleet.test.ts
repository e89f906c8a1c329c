import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { fakeNats } from '../fixtures/fake-nats.fixtures.ts'
import { settled } from '../fixtures/settled.fixtures.ts'
import { readOpenAnswer, writeHandshake } from '../wire/handshake.ts'
import { createLink } from '../wire/link.ts'
import { packMessage, unpackMessage } from '../wire/pack.ts'
import { serveFleet } from './serve-fleet.ts'
import type { ToolThread } from './tool-thread.ts'

const open = 'offthread.tools.default.open'
const openFull = `${open}.full`

/** A process whose threads do as a test says, and its pages. */
function fleet({ maxCalls = 1 } = {}) {
  const nats = fakeNats()
  const threads: ReturnType<typeof fakeThread>[] = []
  const startThread = () => {
    const thread = fakeThread()
    threads.push(thread)
    return thread
  }
  const member = serveFleet({
    ...{ connection: nats.connection, fleet: 'default', name: 'p', maxCalls, startThread },
  })
  const ask = (callId: string, subject = open) => {
    const reply = `_INBOX.${callId}`
    const got: Uint8Array[] = []
    nats.on(reply, ({ data }) => got.push(data))
    const request = { version: 1, callId, heartbeatMs: 60_000 }
    nats.connection.publish(subject, writeHandshake(request), { reply })
    const answer = () => (got[0] ? readOpenAnswer(got[0]) : undefined)
    const post = (frame: Uint8Array) => {
      const claim = answer()
      const processId = claim?.type === 'claim' ? claim.processId : ''
      nats.connection.publish(`offthread.tools.default.call.${processId}.${callId}`, frame)
    }
    return { got, answer, post }
  }
  return { nats, threads, member, ask }
}

function fakeThread() {
  let say = (_message: unknown) => {}
  let end = (_why: string) => {}
  return {
    post: vi.fn<ToolThread['post']>(),
    onMessage: (listener: (message: unknown) => void) => {
      say = listener
    },
    onEnd: (listener: (why: string) => void) => {
      end = listener
    },
    terminate: vi.fn<ToolThread['terminate']>(() => Promise.resolve()),
    say: (message: unknown) => say(message),
    end: (why: string) => end(why),
  }
}

const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(20))
const [first = '', second = '', third = ''] = ids

test('[F5] a process that is full leaves the group, says so when it is asked, and is back when it has room', async () => {
  const { threads, ask } = fleet()
  const one = ask(first)
  await settled()
  expect(one.answer()).toMatchObject({ type: 'claim', process: 'p' })

  // No subscription has taken this one.
  const two = ask(second)
  const three = ask(third, openFull)
  await settled()
  expect(two.got).toEqual([new Uint8Array()])
  expect(three.answer()).toMatchObject({ type: 'refuse', reason: 'full' })

  threads[0]?.end('Gone.')
  await settled()
  const four = ask('d'.repeat(20))
  await settled()
  expect(four.answer()).toMatchObject({ type: 'claim' })
})

test('[F4] a thread that ends says why, and its place is free when it is gone', async () => {
  const { threads, ask } = fleet()
  const page = ask(first)
  await settled()
  threads[0]?.end('Out of memory.')
  await settled()

  const nothing = () => {}
  const link = createLink({
    ...{ publish: nothing, maxPayload: 1e6, answers: true, pauseMs: 0, now: () => 0 },
    ...{ failed: nothing, closed: nothing, broken: nothing },
  })
  const bytes = page.got.slice(1).flatMap((frame) => link.receive(frame) ?? [])
  expect(bytes.map(unpackMessage)).toEqual([{ type: 'broken', message: 'Out of memory.' }])
  expect(threads[0]?.terminate).toHaveBeenCalledOnce()
})

test('[F11] a thread that sends more than its page takes is ended, and the page reads what it said, and why', async () => {
  const { nats, threads, ask } = fleet()
  const page = ask(first)
  await settled()
  const message = { type: 'said', text: 'x'.repeat(3_000_000) }
  const before = nats.published.length

  for (let n = 0; n < 30; n += 1) threads[0]?.say({ ...message, n })
  await settled()

  expect(threads[0]?.terminate).toHaveBeenCalledOnce()
  // In frames of 1 MB, of which the page has acknowledged none.
  expect(nats.published.length - before).toBeLessThanOrEqual(8)

  const texts: unknown[] = []
  const nothing = () => {}
  const link = createLink({
    ...{ publish: page.post, maxPayload: 1e6, answers: true, pauseMs: 0, now: () => 0 },
    ...{ failed: nothing, closed: nothing, broken: nothing },
  })
  for (let read = 1; read < page.got.length; read += 1) {
    const bytes = link.receive(page.got[read] ?? new Uint8Array())
    if (bytes) texts.push(unpackMessage(bytes))
    await settled()
  }
  expect(texts.slice(0, -1)).toEqual(Array.from({ length: 21 }, (_, n) => ({ ...message, n })))
  expect(texts.at(-1)).toEqual({
    type: 'broken',
    message: expect.stringMatching(/sent more than 64.0 MB that the page has not taken/),
  })
  // Its place is free.
  const next = ask(second)
  await settled()
  expect(next.answer()).toMatchObject({ type: 'claim' })
})

test('[F10] whatever a page sends, its thread ends or goes on, and nothing throws', async () => {
  const frames = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => ({ bytes })),
    fc.jsonValue({ maxDepth: 3 }).map((message) => ({ message })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(frames, { maxLength: 6 }), async (sent) => {
      const { threads, ask, member } = fleet()
      const page = ask(first)
      await settled()
      const nothing = () => {}
      const link = createLink({
        ...{ publish: page.post, maxPayload: 1024, answers: true, pauseMs: 0, now: () => 0 },
        ...{ failed: nothing, closed: nothing, broken: nothing },
      })
      for (const one of sent) {
        if ('bytes' in one) page.post(one.bytes)
        else link.send(packMessage(one.message))
      }
      await settled()
      member.end()
      await settled()

      expect(threads[0]?.terminate).toHaveBeenCalledOnce()
    }),
    { numRuns: 50 },
  )
})

test('[F10] no request is taken that is none, asks for a known thread, or is to be answered elsewhere', async () => {
  const { nats, threads, ask } = fleet({ maxCalls: 9 })
  ask(first)
  await settled()
  const twin = ask(first)
  for (const [data, reply] of [
    [new Uint8Array(), '_INBOX.x'],
    [writeHandshake({ version: 1, callId: 'a.b', heartbeatMs: 100 }), '_INBOX.x'],
    [writeHandshake({ version: 1, callId: second, heartbeatMs: 100 }), 'offthread.session.x'],
    [writeHandshake({ version: 1, callId: third, heartbeatMs: 100 }), ''],
  ] as const) {
    nats.connection.publish(open, data, { reply })
  }
  await settled()

  expect(threads).toHaveLength(1)
  expect(twin.answer()).toMatchObject({ type: 'refuse' })
  expect(nats.published.filter((subject) => subject.startsWith('offthread.session'))).toEqual([])
})
