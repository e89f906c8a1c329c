import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createRecorder } from '../fixtures/calls.fixtures.ts'
import { coalesce } from './coalesce.ts'
import { createCredit } from './credit.ts'

const say = (text: string) => ({ content: [{ type: 'text', text }] as const })
const line = (text: string) => ({ level: 'info', text, t: 0 }) as const

test('[S003-7] [I39] sends the first at once, then the latest after 50 ms', () => {
  const { outlet, recorder, clock } = start()

  outlet.update(say('1'))
  expect(recorder.updates()).toEqual(['1'])
  outlet.update(say('2'))
  outlet.update(say('3'))
  outlet.progress({ value: 1 })
  outlet.progress({ value: 2 })
  clock.advance(49)
  expect(recorder.updates()).toEqual(['1'])
  clock.advance(1)

  expect(recorder.notices.slice(1)).toEqual([
    { type: 'update', partial: say('3') },
    { type: 'progress', progress: { value: 2 } },
  ])
  expect(clock.pending()).toBe(0)
})

test('sends also when no timer ever fires, at most once in 50 ms', () => {
  const { recorder, clock } = start()
  // The clock moves on, but in a busy thread no timer fires.
  const busy = coalesce(recorder, { clock: { ...clock, setTimer: () => () => {} } })

  for (let i = 0; i <= 1000; i++) {
    busy.update(say(String(i)))
    clock.advance(1)
  }

  expect(recorder.updates()).toHaveLength(21)
})

test('[S001-13] [I39] sends everything before the end, and nothing after', () => {
  const { outlet, recorder, clock } = start()
  outlet.update(say('1'))
  outlet.update(say('2'))

  void outlet.close()
  outlet.update(say('3'))
  void outlet.close()
  clock.advance(1000)

  expect(recorder.updates()).toEqual(['1', '2'])
  expect(clock.pending()).toBe(0)
})

test('[W9] keeps the last 500 lines of 50 ms, and counts the others', () => {
  const { outlet, recorder } = start()
  outlet.log(line('first'))

  for (let i = 0; i < 700; i++) outlet.log(line(String(i)))
  void outlet.close()

  const [, second] = recorder.notices
  expect(second).toMatchObject({ type: 'log', dropped: 200 })
  expect(second).toHaveProperty('lines.length', 500)
  expect(second).toHaveProperty('lines.0.text', '200')
})

test('[W9] sends at most 500 lines in one message', () => {
  const { outlet, recorder, clock } = start()
  outlet.log(line('first'))

  for (let i = 0; i < 900; i++) outlet.log(line(String(i)))
  clock.advance(50)

  const sizes = recorder.notices.map((one) => (one.type === 'log' ? one.lines.length : 0))
  expect(sizes).toEqual([1, 500, 400])
})

test('[W9] takes 500 lines for one message at the end, which needs no credit', () => {
  const clock = fakeClock()
  const recorder = createRecorder()
  const credit = createCredit()
  for (let i = 0; i < 8; i++) credit.spend({ type: 'running' })
  const outlet = coalesce(recorder, { clock, credit })

  for (let i = 0; i < 900; i++) outlet.log(line(String(i)))
  void outlet.close()

  expect(recorder.notices).toHaveLength(1)
  expect(recorder.notices[0]).toMatchObject({ type: 'log', dropped: 400 })
})

test('[W9] counts in their place the words and events of a flood that are left out', () => {
  const { outlet, recorder } = start()
  outlet.custom('first', 0, false)

  for (let i = 0; i < 2002; i++) outlet.custom('more', i, false)
  void outlet.close()

  const [first, gap, ...rest] = recorder.notices
  expect(first).toMatchObject({ data: 0 })
  expect(gap).toEqual({ type: 'log', lines: [], dropped: 2 })
  expect(rest.flatMap((one) => (one.type === 'custom' ? [one.data] : []))).toEqual(
    Array.from({ length: 2000 }, (_, i) => i + 2),
  )
})

/** A worker says 300 events of a million characters in one burst; only the one numbered 50 is to be stored. */
function sayMuch(isEnd: boolean) {
  const clock = fakeClock()
  const recorder = createRecorder()
  const credit = createCredit()
  const outlet = coalesce(recorder, { clock, credit })
  const million = 'x'.repeat(1_000_000)

  outlet.custom('first', 0, false)
  for (let i = 0; i < 300; i++) outlet.custom(String(i), million, i === 50)
  outlet.update(say('latest'))
  if (isEnd) void outlet.close()
  else clock.advance(50)
  for (let i = 0; i < 300; i++) credit.refill(1)

  return {
    names: recorder.notices.map((one) => (one.type === 'custom' ? one.name : one.type)),
    gaps: recorder.notices.flatMap((one) => (one.type === 'log' ? [one.dropped] : [])),
  }
}

test('[W9] leaves out the oldest of what has too many characters to wait in a worker, and counts them in their place', () => {
  const { names, gaps } = sayMuch(true)

  const newest = Array.from({ length: 63 }, (_, i) => String(i + 237))
  expect(names).toEqual(['first', 'log', '50', 'log', ...newest, 'update'])
  expect(gaps).toEqual([50, 186])
})

test('[W9] leaves them out while they are said, before the memory is full', () => {
  const { names, gaps } = sayMuch(false)

  expect(names.length).toBeLessThan(90)
  expect(names).toContain('50')
  expect(names.slice(-2)).toEqual(['299', 'update'])
  const events = names.filter((name) => name !== 'log' && name !== 'update' && name !== 'first')
  expect(events.length + gaps.reduce((sum, dropped) => sum + dropped)).toBe(300)
})

test('[W9] [S001-3] leaves out no word of 2,000 that are said in one burst, before the end or without it', () => {
  for (const isEnd of [true, false]) {
    const clock = fakeClock()
    const recorder = createRecorder()
    const credit = createCredit()
    const outlet = coalesce(recorder, { clock, credit })

    for (let i = 0; i < 2000; i++) outlet.progress({ status: `word ${i}` })
    if (isEnd) void outlet.close()
    else clock.advance(50)
    for (let i = 0; i < 2000; i++) credit.refill(1)

    expect(recorder.notices).toEqual(
      Array.from({ length: 2000 }, (_, i) => ({
        type: 'progress',
        progress: { status: `word ${i}` },
      })),
    )
  }
})

test('[W9] leaves out no event that is to be stored, and refuses one too many', () => {
  const { outlet, recorder } = start()
  outlet.custom('first', 0, true)

  for (let i = 1; i < 4200; i++) outlet.custom('more', i, i < 400 && i % 2 === 0)
  expect(() => outlet.custom('more', 0, true)).toThrow(TypeError)
  void outlet.close()

  const customs = recorder.notices.flatMap((one) => (one.type === 'custom' ? [one] : []))
  expect(customs.filter(({ durable }) => durable).map(({ data }) => data)).toEqual(
    Array.from({ length: 200 }, (_, i) => 2 * i),
  )
})

test('[S001-3] [I39] never replaces a word, and of the numbers that follow it all but the latest', () => {
  const { outlet, recorder, clock } = start()
  outlet.update(say('1'))

  outlet.progress({ status: 'reading', value: 1 })
  outlet.progress({ status: 'reading', value: 2 })
  outlet.custom('found', 7, false)
  outlet.progress({ status: 'reading', value: 3 })
  outlet.progress({ status: 'writing', value: 1 })
  outlet.progress({ status: 'done' })
  outlet.progress({ status: 'done' })
  clock.advance(50)

  expect(
    recorder.notices.slice(1).map((one) => (one.type === 'progress' ? one.progress : one.type)),
  ).toEqual([
    { status: 'reading', value: 1 },
    'custom',
    { status: 'reading', value: 3 },
    { status: 'writing', value: 1 },
    { status: 'done' },
    { status: 'done' },
  ])
})

test('[S001-6] [I39] a long interval holds back updates and numbers, but no word and no event', () => {
  const { outlet, recorder, clock } = start(10_000)
  const received = () =>
    recorder.notices.map((one) => (one.type === 'progress' ? one.progress : one.type))

  for (const value of [1, 2, 3]) outlet.progress({ status: 'reading', value })
  outlet.update(say('1'))
  clock.advance(5000)
  expect(received()).toEqual([{ status: 'reading', value: 1 }])
  outlet.progress({ status: 'writing' })
  outlet.custom('found', 7, false)
  outlet.update(say('2'))
  clock.advance(50)

  expect(received()).toEqual([
    { status: 'reading', value: 1 },
    { status: 'reading', value: 3 },
    'update',
    { status: 'writing' },
    'custom',
    'update',
  ])
  outlet.update(say('3'))
  outlet.log(line('a line'))
  clock.advance(9999)
  expect(recorder.updates()).toEqual(['1', '2'])
  clock.advance(1)
  expect(recorder.updates()).toEqual(['1', '2', '3'])
})

test('[S000-6] [S003-7] [I39] with an interval of 0 each report is sent at once, and waits in its order for credit', () => {
  const clock = fakeClock()
  const recorder = createRecorder()
  const credit = createCredit()
  const outlet = coalesce(recorder, { clock, credit, updateIntervalMs: 0 })

  for (let i = 1; i <= 20; i++) outlet.update(say(String(i)))
  expect(recorder.updates()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  credit.refill(8)
  expect(recorder.updates()).toHaveLength(16)
  void outlet.close()

  expect(recorder.updates()).toEqual(Array.from({ length: 20 }, (_, i) => String(i + 1)))
  expect(clock.pending()).toBe(0)
})

test('holds messages back that have no credit, and sends the latest when there is some again', () => {
  const clock = fakeClock()
  const recorder = createRecorder()
  const credit = createCredit()
  const outlet = coalesce(recorder, { clock, credit })

  for (let i = 1; i <= 20; i++) {
    outlet.update(say(String(i)))
    clock.advance(50)
  }
  expect(recorder.updates()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])

  credit.refill(1)
  expect(recorder.updates().at(-1)).toBe('20')
  outlet.update(say('21'))
  credit.refill(100)
  for (let i = 22; i <= 40; i++) {
    clock.advance(50)
    outlet.update(say(String(i)))
  }
  clock.advance(50)
  expect(recorder.updates()).toHaveLength(17)
})

test('sends the last update without credit', () => {
  const clock = fakeClock()
  const recorder = createRecorder()
  const outlet = coalesce(recorder, { clock, credit: createCredit() })
  for (let i = 1; i <= 20; i++) {
    outlet.update(say(String(i)))
    outlet.log(line(String(i)))
    clock.advance(50)
  }

  void outlet.close()

  expect(recorder.updates().at(-1)).toBe('20')
  const lines = recorder.notices.flatMap((one) => (one.type === 'log' ? one.lines : []))
  expect(lines.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, i) => `${i + 1}`))
  expect(clock.pending()).toBe(0)
})

function start(updateIntervalMs?: number) {
  const clock = fakeClock()
  const recorder = createRecorder()
  return { clock, recorder, outlet: coalesce(recorder, { clock, updateIntervalMs }) }
}
