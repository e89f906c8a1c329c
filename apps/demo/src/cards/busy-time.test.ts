import { expect, test } from 'vitest'
import { busyTime } from './busy-time.ts'

const call = (acceptedAt?: number, endedAt?: number) => ({
  times: {
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(endedAt !== undefined && { endedAt }),
  },
})

test.each([
  ['calls side by side count once', [call(10, 40), call(0, 30)], { ms: 40 }],
  ['what lies in another changes nothing', [call(0, 90), call(20, 30)], { ms: 90 }],
  ['one that was not accepted takes no time', [call(), call(5, 10)], { ms: 5 }],
  ['a call that goes on has a clock', [call(0, 30), call(10)], { since: 0 }],
  [
    'the time before a retry does not count',
    [{ ...call(1000, 1030), earlier: [call(0, 20)] }, call(0, 50)],
    { ms: 80 },
  ],
  ['nor while the retry goes on', [{ ...call(1000), earlier: [call(0, 20)] }], { since: 980 }],
])('%s', (_, calls, time) => {
  expect(busyTime(calls)).toEqual(time)
})
