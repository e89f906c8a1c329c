import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, maxMessageBytes, packMessage, unpackMessage } from './pack.ts'

const overTheWire = async (message: unknown) => unpackMessage(await bytesOf(packMessage(message)))

test('[F1] JSON and bytes arrive as they were', async () => {
  const bytes = fc.uint8Array({ maxLength: 20 }).map((array): ArrayBuffer => array.slice().buffer)
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      bytes,
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('node'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).node
  await fc.assert(
    fc.asyncProperty(tree, async (data) => {
      expect(await overTheWire({ data })).toEqual(jsonOf({ data }))
    }),
  )
})

test('[F1] a Blob arrives with its type, and what is undefined is left out', async () => {
  const blob = new Blob(['a,b'], { type: 'text/csv' })
  expect(await overTheWire(runInNewContext('({ of: "another realm" })'))).toEqual({
    of: 'another realm',
  })

  const message = await overTheWire([blob, { gone: undefined }])

  expect(message).toEqual([expect.any(Blob), {}])
  const [arrived]: readonly unknown[] = Array.isArray(message) ? message : []
  expect(arrived).toMatchObject({ size: 3, type: 'text/csv' })
  expect(arrived instanceof Blob && (await arrived.text())).toBe('a,b')
})

const cycle: unknown[] = []
cycle.push(cycle)

test.for<[string, unknown, string]>([
  ['a Map', { context: { users: new Map() } }, 'The value at context.users is a Map:'],
  ['a function', { context: () => {} }, 'The value at context is a Function:'],
  ['no number', [Number.NaN], 'The value at 0 is the number NaN:'],
  ['a view', new Uint8Array(), 'The message is a Uint8Array:'],
  ['a cycle', { cycle }, 'The value at cycle.0.0.0.0 is nested too deeply.'],
])('[F6] %s is refused in a sentence that says where it is', ([, message, text]) => {
  expect(() => packMessage(message)).toThrow(new RegExp(`^${text.replaceAll('.', '\\.')}`))
})

test.for<[string, unknown, string]>([
  ['files', [new ArrayBuffer(maxMessageBytes)], 'It has 32.0 MB with its files'],
  ['a Blob', [new Blob([new ArrayBuffer(40_000_000)])], 'It has 40.0 MB with its files'],
  ['text', 'a'.repeat(9_000_000), 'Its data has 9.0 MB as JSON'],
  ['many files', Array.from({ length: 1001 }, () => new ArrayBuffer()), 'It has 1001 files'],
])('[F6] too much is refused with the limit and how much there was: %s', ([, message, text]) => {
  expect(() => packMessage(message)).toThrow(text)
  expect(() => packMessage(message)).toThrow('a message of the fleet at most')
})

/** Small to post, and endless to walk. */
test.for<[string, unknown, string]>([
  [
    'a list of four billion',
    Object.assign([], { length: 2 ** 32 - 1 }),
    ' values, and a message of the fleet at most 100000.',
  ],
  [
    'one list in 2^60 places',
    doubled(60, (inner) => [inner, inner]),
    ' values, and a message of the fleet at most 100000.',
  ],
  [
    'one object in 2^60 places',
    doubled(60, (a) => ({ a, b: a })),
    ' values, and a message of the fleet at most 100000.',
  ],
  [
    'one object of nothing in many places',
    Array(40_000).fill(Object.fromEntries(Array(50).entries())),
    ' values, and a message of the fleet at most 100000.',
  ],
  ['one text in many places', Array(90_000).fill('a'.repeat(90_000)), '32.0 MB as JSON'],
  ['one key in many places', Array(9000).fill({ ['a'.repeat(90_000)]: 0 }), '32.0 MB as JSON'],
])('[F6] [F10] what code posts is measured before it is walked: %s', ([, message, text]) => {
  expect(() => packMessage({ type: 'log', message })).toThrow(text)
})

test('[F6] a sentence about a value is short, however long its place is', () => {
  const key = 'a'.repeat(1_000_000)

  expect(() => packMessage({ [key]: 1n })).toThrow(/^The value at a{200} is a BigInt:/)
})

test('[F1] [F6] as many values as are read are sent, and of more the sender says so', async () => {
  const zeros = (count: number) => Array<number>(count).fill(0)
  const empties = (count: number) => Array.from({ length: count }, () => [])
  const files = Array.from({ length: 250 }, () => new ArrayBuffer())
  // The most of each that fit.
  const most: readonly ((less: number) => unknown)[] = [
    (less) => zeros(99_997 - less),
    (less) => empties(49_998 - less),
    (less) => ({ list: zeros(98_245 - less), files }),
  ]
  for (const make of most) {
    expect(await overTheWire(make(0))).toEqual(make(0))
    expect(() => packMessage(make(-1))).toThrow(
      ' values, and a message of the fleet at most 100000.',
    )
  }
})

test('[F10] foreign bytes are read, or are none: no reading throws, or reaches a prototype', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      unpackMessage(bytes)
    }),
  )
  const entries = fc.array(
    fc.tuple(
      fc.array(fc.oneof(fc.constantFrom('__proto__', 'constructor', 'a', 'length'), fc.nat(3))),
      fc.oneof(fc.nat(5), fc.double()),
      fc.oneof(fc.constant(null), fc.string()),
    ),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), entries, (message, files) => {
      unpackMessage(wire({ message, files }, 5))
    }),
  )
  expect(Object.keys(Object.prototype)).toEqual([])
})

test.for<[string, number, unknown]>([
  ['a field of the prototype', 1, { message: {}, files: [[['__proto__', 'polluted'], 1, null]] }],
  ['a field that is not there', 1, { message: {}, files: [[['a'], 1, null]] }],
  ['more bytes than there are', 1, { message: { a: null }, files: [[['a'], 2, null]] }],
  ['fewer bytes than there are', 1, { message: { a: null }, files: [] }],
  ['a negative size', 0, { message: { a: null }, files: [[['a'], -1, null]] }],
  ['no list of files', 0, { message: {} }],
  ['a file as the length of a list', 0, { message: [1], files: [[['length'], 0, null]] }],
  ['a file in the place of a value', 0, { message: { a: 1 }, files: [[['a'], 0, null]] }],
  ['many levels', 0, { message: nested(300), files: [] }],
  ['many values', 0, { message: Array(100_001).fill(0), files: [] }],
])('[F10] a message with %s is none', ([, bytes, packed]) => {
  expect(unpackMessage(wire(packed, bytes))).toBeUndefined()
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('[F10] commas in a text are no values', async () => {
  const text = ',[{"\\'.repeat(60_000)

  expect(await overTheWire({ text })).toEqual({ text })
})

test('[F1] a message of as many levels as are sent arrives', async () => {
  expect(await overTheWire(nested(210))).toEqual(nested(210))
  expect(() => packMessage(nested(211))).toThrow('nested too deeply')
})

function doubled(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = {}
  for (let level = 0; level < levels; level += 1) value = wrap(value)
  return value
}

function nested(levels: number): unknown {
  let value: unknown = 0
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

/** A message as any client could write it, with so many bytes after it. */
function wire(packed: unknown, bytes: number): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(packed))
  const whole = new Uint8Array(4 + json.length + bytes)
  new DataView(whole.buffer).setUint32(0, json.length)
  whole.set(json, 4)
  return whole
}

/** What JSON makes of a value, buffers kept: it has no -0. */
function jsonOf(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return value
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, jsonOf(field)]))
  }
  return value === 0 ? 0 : value
}
