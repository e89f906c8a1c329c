import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partialJson } from './partial-json.ts'

test.for<[string, unknown]>([
  ['', undefined],
  ['  ', undefined],
  ['nonsense', undefined],
  ['{', {}],
  ['{"a"', {}],
  ['{"a":', {}],
  ['{"a":"', { a: '' }],
  ['{"a":"x\\', { a: 'x' }],
  ['{"a":"x\\u00', { a: 'x' }],
  ['{"a":"x\\u00e9', { a: 'xé' }],
  ['{"a":1', {}],
  ['{"a":1,', { a: 1 }],
  ['{"a":tru', {}],
  ['{"a":true}', { a: true }],
  ['{"a":[1,2', { a: [1] }],
  ['{"a":[{"b":"c"},{"b', { a: [{ b: 'c' }, {}] }],
  ['{"a":1} and more', { a: 1 }],
  ['{"a":x,"b":1}', {}],
  ['{a:1}', {}],
  ['[1 2]', [1, 2]],
])('[O8] %s is read as far as it is there', ([text, value]) => {
  expect(partialJson(text)).toEqual(value)
})

test('[O8] a field may have any name, and nothing is too deep to be read', () => {
  const value: unknown = partialJson('{"__proto__":{"x":1},"constructor":2,')

  expect(fieldsOf(value).map(([name]) => name)).toEqual(['__proto__', 'constructor'])
  expect(Object.prototype).not.toHaveProperty('x')
  expect(() => partialJson('['.repeat(100_000))).not.toThrow()
  const long = 'x'.repeat(16_000_000)
  expect(partialJson(`{"a":"${long}`)).toEqual({ a: long })
})

test('[O8] more values than a page reads at once are not read, as they are none in the end either', () => {
  expect(partialJson(`{"a":[${'0,'.repeat(40_000)}`)).toMatchObject({ a: { length: 40_000 } })
  expect(partialJson(`{"a":[${'0,'.repeat(60_000)}`)).toBeUndefined()
})

test('[O8] whole JSON is read as it is, and each beginning of it has nothing that it has not', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat({ max: 200 }), (json, cut) => {
      // A number or word at the very end may still grow.
      expect(partialJson(`${json} `)).toEqual(JSON.parse(json))
      expect(isBeginning(partialJson(json.slice(0, cut)), JSON.parse(json))).toBe(true)
    }),
  )
})

function isBeginning(part: unknown, whole: unknown): boolean {
  if (part === undefined) return true
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
  if (typeof part !== 'object' || part === null) return Object.is(part, whole) || part === whole
  const fields = new Map(fieldsOf(whole))
  return Object.entries(part).every(
    ([key, value]) => fields.has(key) && isBeginning(value, fields.get(key)),
  )
}

function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
