import { expect, test } from 'vitest'
import type { Json } from '../../internal/json.ts'
import type { AgentEvent, EventOf } from '../../kernel/events.ts'
import { emptyState } from '../../kernel/state.ts'
import { type FakeClock, fakeClock } from '../../testing/fake-clock.ts'
import { createLiveShare } from './share-live.ts'
import type { Said } from './wish.ts'

const envelope = { v: 1, ts: 0, seq: -1, sessionId: 's', runId: 'r', turn: 1 } as const

test('[D3] [I40] what is long is posted at once, so that no message to followers is of any length', () => {
  const { emit, said, clock } = watched()

  for (let n = 1; n <= 30; n += 1) emit(update(n, 3_000_000))
  clock.advance(50)

  const lengths = said.map((one) => JSON.stringify(one).length)
  expect(Math.max(...lengths)).toBeLessThan(7_000_000)
  expect(eventsIn(said)).toHaveLength(30)
})

const objects = Array.from({ length: 50_000 }, () => ({}))

test.for<[string, (sub: number) => AgentEvent]>([
  ['data of many objects', (sub) => custom(sub, objects)],
  ['data of a long text', (sub) => custom(sub, 'a'.repeat(300_000))],
  ['log lines', (sub) => log(sub, Array(1000).fill(''))],
])('[D3] [I40] no message to followers holds the page: %s', ([, eventOf]) => {
  const { emit, said, clock } = watched()

  for (let n = 1; n <= 60; n += 1) emit(eventOf(n))
  clock.advance(50)

  const lengths = said.map((one) => JSON.stringify(one).length)
  expect(Math.max(...lengths)).toBeLessThan(600_000)
  expect(eventsIn(said)).toHaveLength(60)
})

test('[D3] what is short is posted together', () => {
  const { emit, said, clock } = watched()

  for (let n = 1; n <= 60; n += 1) emit(update(n, 1000))
  expect(said).toEqual([])
  clock.advance(50)

  expect(said).toHaveLength(1)
  expect(eventsIn(said)).toHaveLength(60)
})

test('[D3] a page in the background, whose timers come late, posts what comes when 50 ms are over', () => {
  const clock = fakeClock()
  const { emit, said } = watched({ ...clock, setTimer: () => () => {} })

  emit(update(1, 10))
  emit(update(2, 10))
  clock.advance(60)
  emit(update(3, 10))

  expect(eventsIn(said)).toHaveLength(3)
})

test('[D3] [I39] what a call said is posted before its end is stored, so that no short call is silent elsewhere', () => {
  const { emit, said, clock } = watched()

  emit(update(1, 10))
  emit(update(2, 10))
  emit({ ...envelope, seq: 0, type: 'session_opened', bootId: 'b' })
  expect(eventsIn(said)).toHaveLength(2)
  clock.advance(50)

  expect(said).toHaveLength(1)
})

test('[D3] notices without lines take no room: only their sum is kept for a follower that comes late', () => {
  const { emit, said, share } = watched()

  for (let n = 1; n <= 2000; n += 1) emit(log(n, []))
  emit(log(2001, ['a']))
  for (let n = 2002; n <= 3000; n += 1) emit(log(n, []))
  said.length = 0
  share.start()

  const [caughtUp] = said.filter((one) => one.say === 'catch_up')
  expect(caughtUp?.events).toMatchObject([
    { lines: [{ text: 'a' }], dropped: 2001 },
    { lines: [], dropped: 999 },
  ])
})

/** What an owner posts while a follower is there. */
function watched(clock: FakeClock = fakeClock()) {
  const said: Said[] = []
  let emit = (_event: AgentEvent) => {}
  const subscribe = (listener: (event: AgentEvent) => void) => {
    emit = listener
    return () => {}
  }
  const state = () => emptyState('s')
  const share = createLiveShare({ state, subscribe }, (one) => said.push(one), clock)
  share.start()
  said.length = 0
  return { said, clock, share, emit: (event: AgentEvent) => emit(event) }
}

function eventsIn(said: readonly Said[]): readonly AgentEvent[] {
  return said.flatMap((one) => (one.say === 'live' ? one.events : []))
}

function update(sub: number, length: number): EventOf<'tool_execution_update'> {
  const content = [{ type: 'text', text: 'a'.repeat(length) }] as const
  const named = { toolCallId: 't', toolName: 'n' }
  return { ...envelope, ...named, sub, type: 'tool_execution_update', partialResult: { content } }
}

function custom(sub: number, data: Json): AgentEvent {
  return { ...envelope, sub, type: 'tool_custom', toolCallId: 't', toolName: 'n', name: 'a', data }
}

function log(sub: number, texts: readonly string[]): EventOf<'tool_log'> {
  const lines = texts.map((text) => ({ level: 'info', text, t: 0 }) as const)
  return { ...envelope, sub, type: 'tool_log', toolCallId: 't', lines, dropped: 1 }
}
