import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repetitionsOf, withRepeat, withTwins } from './repeats.ts'
import type { Repeat } from './state.ts'
import { announcedCall } from './tool-call.ts'

const call = (n: number) => ({ toolName: 'add', argsText: `{"n":${n}}` })

test('counts equal calls, the last one first', () => {
  const repeats = [1, 2, 1, 3, 1].reduce((before, n) => withRepeat(before, call(n)), none)

  expect(repeats).toEqual([
    { ...call(1), count: 3 },
    { ...call(3), count: 1 },
    { ...call(2), count: 1 },
  ])
  expect([1, 2, 4].map((n) => repetitionsOf(repeats, call(n)))).toEqual([3, 1, 0])
})

test('a call is a different one if its name or its arguments differ, not if only their spelling does', () => {
  const repeats = withRepeat(none, {
    toolName: 'add',
    argsText: '{"a":1,"b":{"c":[1,2],"d":null}}',
  })
  const timesOf = (argsText: string, toolName = 'add') =>
    repetitionsOf(repeats, { toolName, argsText })

  expect(timesOf('{ "b": {"d": null, "c": [1, 2]}, "a": 1 }')).toBe(1)
  expect(timesOf('{"a":1,"b":{"c":[2,1],"d":null}}')).toBe(0)
  expect(timesOf('{"a":1,"b":{"c":[1,2],"d":null}}', 'draw')).toBe(0)
  expect(timesOf('{"a":1,')).toBe(0)
})

test('arguments of megabytes are compared as they were written', () => {
  const argsOf = (space: string) => `{${space}"text":"${'word '.repeat(200_000)}"}`
  const repeats = withRepeat(none, { toolName: 'add', argsText: argsOf('') })
  const timesOf = (space: string) =>
    repetitionsOf(repeats, { toolName: 'add', argsText: argsOf(space) })

  expect([timesOf(''), timesOf(' ')]).toEqual([1, 0])
})

test.each([1, 100_000])(
  'of equal calls in one answer the later ones are marked, %i words',
  (words) => {
    const of = (text: string) => `{"text":"${'word '.repeat(words)}${text}"}`
    const texts = ['one', 'two', 'one', 'other', 'one']

    const calls = withTwins(
      texts.map((text, at) =>
        announcedCall({ toolCallId: `call_${at}`, toolName: 'add', argsText: of(text) }, 'msg_1'),
      ),
    )

    expect(calls.map(({ isTwin }) => isTwin === true)).toEqual([false, false, true, false, true])
  },
)

test('keeps 32 different calls, those that were made last', () => {
  const calls = [0, ...Array.from({ length: 31 }, (_, index) => index + 1)]
  const full = calls.reduce((before, n) => withRepeat(before, call(n)), none)

  const refreshed = withRepeat(withRepeat(full, call(0)), call(32))

  expect(full).toHaveLength(32)
  expect(refreshed).toHaveLength(32)
  expect(repetitionsOf(refreshed, call(0))).toBe(2)
  expect(repetitionsOf(refreshed, call(1))).toBe(0)
  expect(repetitionsOf(refreshed, call(2))).toBe(1)
})

test('the memory does not grow, however long a run is', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 100 }), { maxLength: 300 }), (numbers) => {
      const repeats = numbers.reduce((before, n) => withRepeat(before, call(n)), none)
      const different = [...new Set(numbers.toReversed())].slice(0, 32)

      expect(repeats.map(({ argsText }) => argsText)).toEqual(
        different.map((n) => call(n).argsText),
      )
    }),
  )
})

const none: readonly Repeat[] = []
