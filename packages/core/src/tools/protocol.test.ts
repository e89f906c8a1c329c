import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readArgs } from '../kernel/message.ts'
import { callTo } from './fixtures/calls.fixtures.ts'
import {
  type PageMessage,
  readPageMessage,
  readWorkerMessage,
  type WorkerMessage,
} from './protocol.ts'
import { settleReturned } from './result/settle-returned.ts'

const executionId = 'e1'
const content = [{ type: 'text', text: 'a' } as const]

const workerMessages: readonly WorkerMessage[] = [
  { type: 'ready', protocolVersion: 1, toolNames: ['a', 'b'] },
  { type: 'broken', message: 'why' },
  { type: 'running', executionId },
  { type: 'update', executionId, partial: { content, details: { a: [1, null] } } },
  { type: 'update', executionId, partial: { content: [] } },
  {
    type: 'progress',
    executionId,
    progress: { message: 'a', status: 'b', value: 1, total: 2, unit: 'MB' },
  },
  { type: 'log', executionId, lines: [{ level: 'warn', text: 'a', t: 3 }], dropped: 2 },
  { type: 'custom', executionId, name: 'a', data: [{ b: true }], durable: true },
  {
    type: 'settled',
    executionId,
    settlement: {
      kind: 'returned',
      result: { content, details: 1, structuredContent: { a: 1 }, terminate: true },
    },
  },
  {
    type: 'settled',
    executionId,
    settlement: { kind: 'threw', errorKind: 'not_found', message: 'why', details: { name: 'E' } },
  },
]

const pageMessages: readonly PageMessage[] = [
  { type: 'abort', executionId },
  {
    type: 'run',
    request: callTo('a', { n: [1] }, { file: new Blob(['a']), bytes: new ArrayBuffer(2) }),
  },
  {
    type: 'run',
    request: { ...callTo('a', {}), updateIntervalMs: 0, context: new Map([['tenant', 'a']]) },
  },
]

test.for(workerMessages)(
  '[S001-12] passes on messages of a worker, unchanged: $type',
  (message) => {
    expect(readWorkerMessage(structuredClone(message), executionId)).toEqual(message)
  },
)

test.for(pageMessages)('reads messages of the page: $type', (message) => {
  expect(readPageMessage(structuredClone(message))).toEqual(message)
})

test('keeps artifacts', () => {
  const artifact = { name: 'a', mediaType: 'text/plain', data: new Blob(['a']) }
  const settlement = { kind: 'returned', result: { content: [], artifacts: [artifact] } }

  expect(readWorkerMessage({ type: 'settled', executionId, settlement }, executionId)).toEqual({
    type: 'settled',
    executionId,
    settlement,
  })
  const forged = {
    kind: 'returned',
    result: { content: [], artifacts: [{ ...artifact, data: 'a' }] },
  }
  expect(readWorkerMessage({ type: 'settled', executionId, settlement: forged }, executionId)).toBe(
    undefined,
  )
})

test('[W18] takes no bytes that the page cannot keep', () => {
  const read = (data: unknown) =>
    readWorkerMessage(
      {
        type: 'settled',
        executionId: 'c',
        settlement: {
          kind: 'returned',
          result: { content: [], artifacts: [{ name: 'a', mediaType: 'b', data }] },
        },
      },
      'c',
    )

  expect(read(new ArrayBuffer(4))).toBeDefined()
  expect(read(Reflect.construct(ArrayBuffer, [4, { maxByteLength: 64 }]))).toBeUndefined()
  expect(read(new SharedArrayBuffer(4))).toBeUndefined()
})

test('[I6] [I34] [W18] what lines were left out is a count, and stays one when many are added up', () => {
  const read = (dropped: number) =>
    readWorkerMessage({ type: 'log', executionId, lines: [], dropped }, executionId)

  for (const none of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(read(none)).toBeUndefined()
  }
  expect(read(7)).toMatchObject({ dropped: 7 })
  expect(read(-0)).toMatchObject({ dropped: 0 })
  expect(read(Number.MAX_VALUE)).toMatchObject({ dropped: 1_000_000_000 })
})

const long = 'x'.repeat(3_000_000)
const file = { name: long, mediaType: long, data: new ArrayBuffer(1) }
const longMedia = [
  { type: 'image', mediaType: long, data: 'a' },
  { type: 'document', mediaType: 'application/pdf', data: 'a', name: long },
]

test.for<[string, number, object]>([
  ['why it broke', 2000, { type: 'broken', message: long }],
  ['names of tools', 2000, { type: 'ready', protocolVersion: 1, toolNames: [long] }],
  ['progress', 2000, { type: 'progress', progress: { message: long, status: long, unit: long } }],
  ['lines', 2000, { type: 'log', lines: [{ level: 'info', text: long, t: 1 }], dropped: 0 }],
  ['the name of an event', 2000, { type: 'custom', name: long, data: 1, durable: true }],
  ['names and types of media', 2000, { type: 'update', partial: { content: longMedia } }],
  ['names and types of files', 2000, settledWith({ content: [], artifacts: [file] })],
  [
    'what was thrown',
    1_000_000,
    { type: 'settled', settlement: { kind: 'threw', errorKind: 'failed', message: long } },
  ],
])('[I40] [W18] forged texts are cut: %s', ([, most, message]) => {
  const read = readWorkerMessage({ ...message, executionId }, executionId)

  const lengths: number[] = []
  JSON.stringify(read, (_, field: unknown) => {
    if (typeof field === 'string') lengths.push(field.length)
    return field
  })
  expect(Math.max(...lengths)).toBe(most)
})

test('[I40] what is kept of a long line takes the room of a short one', () => {
  setFlagsFromString('--expose-gc')
  const usedBytes = () => {
    runInNewContext('gc()')
    return getHeapStatistics().used_heap_size
  }
  const before = usedBytes()

  const kept = Array.from({ length: 20 }, (_, t) => {
    const lines = [{ level: 'info', text: `${t} `.repeat(2_000_000), t }]
    const message = structuredClone({ type: 'log', executionId, lines, dropped: 0 })
    return readWorkerMessage(message, executionId)
  })

  expect(usedBytes() - before).toBeLessThan(20_000_000)
  expect(kept).toHaveLength(20)
})

test.for(['', ' \n'])(
  '[I34] [E21] what failed with the text %j has one for the model',
  (message) => {
    const settlement = { kind: 'threw', errorKind: 'failed', message }

    expect(
      readWorkerMessage({ type: 'settled', executionId, settlement }, executionId),
    ).toMatchObject({ settlement: { message: 'The tool failed.' } })
  },
)

test('leaves out unknown fields', () => {
  const message = { type: 'running', executionId, isAdmin: true, __proto__: { polluted: true } }

  expect(readWorkerMessage(message, executionId)).toStrictEqual({ type: 'running', executionId })
})

test('[I34] ignores messages of another call', () => {
  const message = {
    type: 'custom',
    executionId: 'e2',
    name: 'a',
    durable: true,
    get data() {
      throw new Error('It was read.')
    },
  }

  expect(readWorkerMessage(message, executionId)).toBe(undefined)
  expect(readWorkerMessage(message, undefined)).toBe(undefined)
})

test('[I34] refuses every message of which a part, at any depth, has the wrong type', () => {
  const broken = [...workerMessages, ...pageMessages].flatMap((message) =>
    pathsOf(message).map((path) => ({ path, message: replaced(message, path) })),
  )

  const accepted = broken.filter(
    ({ message }) => readWorkerMessage(message, executionId) ?? readPageMessage(message),
  )

  expect(broken.length).toBeGreaterThan(70)
  // Where no field is required, only the wrong part is left out.
  expect(accepted.map(({ path }) => path.join('.'))).toEqual([
    'progress.message',
    'progress.status',
    'progress.value',
    'progress.total',
    'progress.unit',
    'settlement.result.terminate',
    // The application's own data may be anything.
    'request.context',
  ])
})

test('[I34] never throws, whatever it is given', () => {
  const types = [...workerMessages, ...pageMessages].map(({ type }) => type)
  const fields = fc.dictionary(
    fc.constantFrom('executionId', 'partial', 'settlement', 'request', 'lines', 'kind', 'result'),
    fc.anything({
      withBigInt: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
    }),
  )
  const almost = fc
    .tuple(fields, fc.constantFrom(...types))
    .map(([rest, type]) => ({ ...rest, type }))

  fc.assert(
    fc.property(fc.oneof(fc.anything(), almost), (value) => {
      for (const message of [readWorkerMessage(value, executionId), readPageMessage(value)]) {
        if (message) expect(types).toContain(message.type)
      }
    }),
  )
})

/** Every path from a message down to a part of it. */
function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [
    [key],
    ...pathsOf(part).map((path) => [key, ...path]),
  ])
}

/** A copy with a function in one place, which no message may hold. */
function replaced(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return () => {}
  if (typeof value !== 'object' || value === null) return value
  const part = replaced(Reflect.get(value, key), rest)
  return Array.isArray(value)
    ? value.map((item: unknown, i) => (String(i) === key ? part : item))
    : { ...value, [key]: part }
}

test('[W18] the images of a result have a limit together: a forged one is refused, an honest one is cut to it', async () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'a'.repeat(4_000_000) } as const
  const content = Array.from({ length: 9 }, () => image)
  const settled = (settlement: unknown) =>
    readWorkerMessage({ type: 'settled', executionId: 'e1', settlement }, 'e1')

  expect(settled({ kind: 'returned', result: { content } })?.type).toBe('broken')

  const fitted = await settleReturned({ content }, { name: 'a', outputSchema: undefined })
  expect(settled(fitted)?.type).toBe('settled')
  const parts = fitted.kind === 'returned' ? fitted.result.content : []
  expect(parts.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 7 }, () => 'image'),
    ...['text', 'text'],
  ])
})

function settledWith(result: object) {
  return { type: 'settled', settlement: { kind: 'returned', result } }
}

test('[E20] takes the arguments of a call as long as they are valid', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const long = (chars: number) => `{"a":"${'x'.repeat(chars - 8)}"}`
  const numbers = `{"a":[${'1e20,'.repeat(49_000)}1]${' '.repeat(4_700_000)}}`
  const isTaken = (input: unknown) =>
    readPageMessage({ type: 'run', request: { ...callTo('a', {}), input } }) !== undefined

  for (const argsText of [nested(200), long(5_000_000), numbers]) {
    expect(readArgs(argsText).ok).toBe(true)
    expect(isTaken(JSON.parse(argsText))).toBe(true)
  }
  expect(readArgs(nested(201)).ok).toBe(false)
  expect(readArgs(long(5_000_001)).ok).toBe(false)
})
