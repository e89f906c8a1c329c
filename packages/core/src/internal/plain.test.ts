import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tryJson } from './json.ts'
import { toPlain } from './plain.ts'
import { readJson } from './read-json.ts'

test('gives what a trip through JSON gives, for everything that JSON can hold', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const plain = toPlain(value)
      expect(plain).toEqual(JSON.parse(JSON.stringify(value)))
      expect(readJson(plain)).toEqual(plain)
    }),
  )
})

test('follows the rules of JSON for what it leaves out and converts', () => {
  class Point {
    x = 1
    readonly method = undefined
  }
  const value = {
    gone: undefined,
    list: [undefined],
    holes: Object.assign([1], { 3: 2 }),
    no: Number.NaN,
    at: new Date(0),
    p: new Point(),
    boxed: [Object('a'), Object(1), Object(false)],
  }

  expect(toPlain(value)).toEqual({
    list: [null],
    holes: [1, null, null, 2],
    no: null,
    at: '1970-01-01T00:00:00.000Z',
    p: { x: 1 },
    boxed: ['a', 1, false],
  })
  expect(toPlain(undefined)).toBe(null)
})

test('[I40] refuses a list of any length before it is walked', () => {
  const endless = Object.assign([], { length: 2 ** 32 - 1 })

  expect(() => toPlain({ endless })).toThrow('more than 1000000 values at endless is not JSON')
})

test.each(['-0', '[-0]', '{"a":-0.0e5}', '[1, -1e-400]', `-0.${'0'.repeat(400)}1`, '-1.5E-0400'])(
  '[I6] JSON text that holds a zero with a sign has none when it is read: %s',
  (text) => {
    const read = tryJson(text)

    expect(JSON.parse(JSON.stringify(read))).toStrictEqual(read)
  },
)

test.each(['-0.5', '[-1]', '-1e-7', '-0.00000000001'])('other numbers stay: %s', (text) => {
  expect(tryJson(text)).toEqual(JSON.parse(text))
})

test('keeps a field called __proto__ an ordinary field', () => {
  const plain = toPlain(JSON.parse('{ "__proto__": { "admin": true } }'))

  expect(JSON.stringify(plain)).toBe('{"__proto__":{"admin":true}}')
  expect(Reflect.get({}, 'admin')).toBe(undefined)
})

const cyclic: { self?: unknown } = {}
cyclic.self = { again: cyclic }
const deep = Array.from({ length: 300 }).reduce((inner) => [inner], null)

test.for<readonly [value: unknown, problem: string]>([
  [{ a: [1n] }, 'a bigint at a[0] is not JSON'],
  [() => {}, 'a function at the top is not JSON'],
  [{ a: Symbol('s') }, 'a symbol at a is not JSON'],
  [{ a: { b: new Map() } }, 'a Map at a.b is not JSON'],
  [[new Uint8Array(2)], 'a Uint8Array at [0] is not JSON'],
  [{ e: new Error('x') }, 'an Error at e is not JSON'],
  [{ p: Promise.resolve() }, 'a Promise at p is not JSON'],
  [new Blob([]), 'a Blob at the top is not JSON'],
  [cyclic, 'a cycle at self.again is not JSON'],
])('names what is not JSON, and where: %#', ([value, problem]) => {
  expect(() => toPlain(value)).toThrow(problem)
  expect(readJson(value)).toBe(undefined)
})

test('refuses what is too deep to be data', () => {
  expect(() => toPlain(deep)).toThrow('more than 200 levels')
  expect(readJson(deep)).toBe(undefined)
})

test('does not take a value that occurs twice for a cycle', () => {
  const shared = { a: 1 }

  expect(toPlain([shared, shared])).toEqual([{ a: 1 }, { a: 1 }])
})

test('[I34] refuses a value whose text would be endless, in a bounded time', () => {
  const bomb = Array.from({ length: 60 }).reduce<object>((inner) => [inner, inner], {})

  expect(readJson(bomb)).toBe(undefined)
  expect(() => toPlain(bomb)).toThrow('more than 1000000 values')
})
