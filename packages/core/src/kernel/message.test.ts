import { expect, test } from 'vitest'
import { call, text } from './log.fixtures.ts'
import { addUsage, callsOf, noUsage, readArgs, textOf } from './message.ts'

const tooDeep = 'Invalid arguments: they are too deep or a number is too large.'
const tooMuch = 'Invalid arguments: they have more than 50000 values or 5000000 characters.'

test.for([
  ['', {}],
  [' \n', {}],
  ['{}', {}],
  ['{"a":1,"b":[null,"x",{"c":-2.5e3}]}', { a: 1, b: [null, 'x', { c: -2500 }] }],
  ['{"n":1.7976931348623157e308}', { n: Number.MAX_VALUE }],
] as const)('reads %j as an object', ([argsText, args]) => {
  expect(readArgs(argsText)).toEqual({ ok: true, args })
})

test.for(['[]', 'null', '1', 'true', '"{}"', '[{}]'])('refuses %j: no object', (argsText) => {
  expect(readArgs(argsText)).toEqual({
    ok: false,
    problem: 'Invalid arguments: they are not an object.',
  })
})

test.for([
  '{',
  '{"a":1',
  "{'a':1}",
  '{"a":1,}',
  '{} {}',
  '{"a":NaN}',
  'undefined',
  '<a/>',
  '{"a":01}',
])('refuses %j: no JSON', (argsText) => {
  expect(readArgs(argsText)).toEqual({
    ok: false,
    problem: 'Invalid arguments: they are not valid JSON.',
  })
})

test.for(['{"n":1e999}', '{"a":[{"n":-1e999}]}'])(
  '[I6] refuses %j: no number that JSON could write again',
  (argsText) => {
    expect(readArgs(argsText)).toEqual({
      ok: false,
      problem: tooDeep,
    })
  },
)

test('[E20] refuses what no message to a worker may hold: too many levels, or characters', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`

  for (const levels of [200, 300, 600, 40_000])
    expect(readArgs(nested(levels))).toEqual({ ok: false, problem: tooDeep })
  const long = JSON.stringify({ a: 'x'.repeat(5_000_000) })
  expect(readArgs(long)).toEqual({ ok: false, problem: tooMuch })
})

test('[E20] refuses arguments of more values than a page reads at once', () => {
  const list = (values: number) => `{"a":[${'0,'.repeat(values - 2)}0]}`

  expect(readArgs(list(50_000)).ok).toBe(true)
  expect(readArgs(list(50_001))).toEqual({
    ok: false,
    problem: tooMuch,
  })
  expect(readArgs(JSON.stringify({ a: '[{,"\\'.repeat(100_000) })).ok).toBe(true)
})

test('keeps names of inherited members as plain fields', () => {
  const reading = readArgs('{"__proto__":{"x":1},"constructor":2}')

  expect(reading.ok && Object.keys(reading.args)).toEqual(['__proto__', 'constructor'])
  expect(JSON.stringify(reading)).toBe('{"ok":true,"args":{"__proto__":{"x":1},"constructor":2}}')
})

test('[L5] reads arguments on a page that gives every object an enumerable field', () => {
  Object.defineProperty(Object.prototype, 'inherited', {
    ...{ value: {}, enumerable: true, configurable: true },
  })
  const reading = readArgs('{"a":{"b":1}}')
  Reflect.deleteProperty(Object.prototype, 'inherited')

  expect(reading).toEqual({ ok: true, args: { a: { b: 1 } } })
})

test('[I31] adds usages; a figure that neither side has stays absent', () => {
  const cached = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3 }
  const paid = { inputTokens: 10, outputTokens: 20, cacheWriteTokens: 30, cost: 0.5 }

  expect(addUsage(noUsage, noUsage)).toEqual({ inputTokens: 0, outputTokens: 0 })
  expect(addUsage(cached, noUsage)).toEqual(cached)
  expect(addUsage(cached, paid)).toEqual({
    inputTokens: 11,
    outputTokens: 22,
    cacheReadTokens: 3,
    cacheWriteTokens: 30,
    cost: 0.5,
  })
})

test('finds the text and the calls of an answer', () => {
  const content = [
    text('One, '),
    call('call_1'),
    { type: 'thinking', text: 'hm' } as const,
    text('two.'),
    call('call_2'),
  ]

  expect(textOf(content)).toBe('One, two.')
  expect(callsOf(content).map(({ toolCallId }) => toolCallId)).toEqual(['call_1', 'call_2'])
})
