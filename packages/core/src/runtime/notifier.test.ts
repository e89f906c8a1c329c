import { expect, onTestFinished, test, vi } from 'vitest'
import type { AgentEvent } from '../kernel/events.ts'
import { createNotifier } from './notifier.ts'

test('[I30] calls every listener for every event in order, though one throws', () => {
  const reported: unknown[] = []
  const { received, notifier, receive } = create((error) => reported.push(error))
  notifier.subscribe(() => {
    throw new Error('bad listener')
  })
  notifier.subscribe(receive('a'))

  notifier.add(event(1))
  notifier.add(event(2))
  notifier.flush()

  expect(received).toEqual(['a1', 'a2'])
  expect(reported).toMatchObject([{ message: 'bad listener' }, { message: 'bad listener' }])
})

test('[I30] events that a listener causes are delivered after those before them', () => {
  const { received, notifier, receive } = create()
  notifier.subscribe(({ seq }) => {
    if (seq !== 1) return
    notifier.add(event(3))
    notifier.flush()
  })
  notifier.subscribe(receive('a'))

  notifier.add(event(1))
  notifier.add(event(2))
  notifier.flush()

  expect(received).toEqual(['a1', 'a2', 'a3'])
})

test('a listener that has left gets nothing more, not even the event that made it leave', () => {
  const { received, notifier, receive } = create()
  let leave = () => {}
  notifier.subscribe(() => leave())
  leave = notifier.subscribe(receive('a'))
  notifier.subscribe(receive('b'))

  notifier.add(event(1))
  notifier.flush()

  expect(received).toEqual(['b1'])
})

test('a listener that is added during an event gets the next one', () => {
  const { received, notifier, receive } = create()
  notifier.subscribe(({ seq }) => {
    if (seq === 1) notifier.subscribe(receive('a'))
  })

  notifier.add(event(1))
  notifier.add(event(2))
  notifier.flush()

  expect(received).toEqual(['a2'])
})

test('one listener can subscribe twice and leave once', () => {
  const { received, notifier, receive } = create()
  const listener = receive('a')
  notifier.subscribe(listener)
  notifier.subscribe(listener)()

  notifier.add(event(1))
  notifier.flush()

  expect(received).toEqual(['a1'])
})

test('an error that a listener throws is reported as an uncaught error of the page', () => {
  const thrown = new Error('bad listener')
  const callbacks: (() => void)[] = []
  const spy = vi
    .spyOn(globalThis, 'queueMicrotask')
    .mockImplementation((one) => callbacks.push(one))
  onTestFinished(() => spy.mockRestore())
  const notifier = createNotifier()
  notifier.subscribe(() => {
    throw thrown
  })

  notifier.add(event(1))
  notifier.flush()

  expect(callbacks).toHaveLength(1)
  expect(callbacks[0]).toThrow(thrown)
})

function create(report: (error: unknown) => void = () => {}) {
  const received: string[] = []
  const receive = (name: string) => (one: AgentEvent) => {
    received.push(`${name}${one.seq}`)
  }
  return { received, receive, notifier: createNotifier(report) }
}

function event(seq: number): AgentEvent {
  const envelope = { v: 1, seq, ts: 0, sessionId: 's', runId: null, turn: 0 } as const
  return { ...envelope, type: 'warning', code: 'test', message: `Event ${seq}.` }
}
