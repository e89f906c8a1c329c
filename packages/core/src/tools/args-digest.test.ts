import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../internal/json.ts'
import { argsDigest } from './fixtures/args-digest.fixtures.ts'

test('is the SHA-256 of the three as JSON with sorted keys', async () => {
  const text = '["c1","pay",{"amount":5,"to":{"a":[1,null,true],"b":"é\\"\\ud800"}}]'
  const args = { to: { b: 'é"\ud800', a: [1, null, true] }, amount: 5 }

  const digest = argsDigest('c1', 'pay', args)

  expect(digest).toBe(await platformDigest(text))
  // A fixed value, because digests are in stored logs: no later version may compute another one.
  expect(argsDigest('', '', {})).toBe(
    '69258e064c5b0aa6ec5dd4b3a59a2b38386ae258fefd643c2f87022438516633',
  )
})

test('does not depend on the order of keys, nor on absent fields', () => {
  fc.assert(
    fc.property(anyArgs, (args) => {
      expect(argsDigest('c1', 'pay', reversed(args))).toBe(argsDigest('c1', 'pay', args))
      expect(argsDigest('c1', 'pay', { ...args, absent: undefined })).toBe(
        argsDigest('c1', 'pay', without(args, 'absent')),
      )
    }),
  )
})

test('stays the same when the arguments were stored and loaded again', () => {
  fc.assert(
    fc.property(anyArgs, (args) => {
      const stored: JsonObject = JSON.parse(JSON.stringify(args))
      expect(argsDigest('c1', 'pay', stored)).toBe(argsDigest('c1', 'pay', args))
    }),
  )
})

test('differs when anything differs', () => {
  fc.assert(
    fc.property(anyCall, anyCall, (a, b) => {
      const same = sortedText(a) === sortedText(b)
      expect(argsDigest(...a) === argsDigest(...b)).toBe(same)
    }),
  )
})

test.for<readonly [a: Call, b: Call]>([
  [
    ['c1', '{"a":1}', {}],
    ['c1', '', { a: 1 }],
  ],
  [
    ['c1', 'a","b', {}],
    ['c1","a', 'b', {}],
  ],
  [
    ['', 'c1', {}],
    ['c1', '', {}],
  ],
  [
    ['c1', 'pay', { a: '1' }],
    ['c1', 'pay', { a: 1 }],
  ],
  [
    ['c1', 'pay', { a: ['b', 'c'] }],
    ['c1', 'pay', { a: ['b,c'] }],
  ],
  [
    ['c1', 'pay', { a: [['b'], 'c'] }],
    ['c1', 'pay', { a: ['b', ['c']] }],
  ],
  [
    ['c1', 'pay', { a: [1, 2] }],
    ['c1', 'pay', { a: [2, 1] }],
  ],
  [
    ['c1', 'pay', { a: { 0: 1 } }],
    ['c1', 'pay', { a: [1] }],
  ],
  [
    ['c1', 'pay', { a: null }],
    ['c1', 'pay', {}],
  ],
  [
    ['c1', 'pay', { a: '\ud800' }],
    ['c1', 'pay', { a: '\ufffd' }],
  ],
  [
    ['c1', 'pay', JSON.parse('{"__proto__":{"a":1}}')],
    ['c1', 'pay', {}],
  ],
])('gives different calls different digests: %j', ([a, b]) => {
  expect(argsDigest(...a)).not.toBe(argsDigest(...b))
})

type Call = readonly [toolCallId: string, toolName: string, args: JsonObject]

// Few letters, and those of JSON itself, because they are the most likely to collide.
const anyText = fc.string({
  unit: fc.constantFrom('a', '"', ',', ':', '{', '}', '[', '\\'),
  maxLength: 4,
})
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.constantFrom(null, true, 0, 1, -1.5),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(anyText, tie('json'), { maxKeys: 3 }),
  ),
}))
const anyArgs = fc.dictionary(anyText, json, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>
const anyCall: fc.Arbitrary<Call> = fc.tuple(anyText, anyText, anyArgs)

function reversed(value: unknown): JsonObject {
  const copy: JsonObject = JSON.parse(
    JSON.stringify(value, (_, field: unknown) =>
      typeof field === 'object' && field !== null && !Array.isArray(field)
        ? Object.fromEntries(Object.entries(field).toReversed())
        : field,
    ),
  )
  return copy
}

function without(args: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => name !== key))
}

function sortedText([toolCallId, toolName, args]: Call): string {
  const sorted = JSON.stringify(args, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  )
  return JSON.stringify([toolCallId, toolName, sorted])
}

async function platformDigest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
