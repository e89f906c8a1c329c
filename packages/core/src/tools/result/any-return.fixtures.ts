import fc from 'fast-check'
import { ToolError } from '../tool-error.ts'
import { toolResult } from './tool-result.ts'

/** Stands where the model may not read. */
export const secret = 'details-are-for-the-page'

/** Something that the code of a tool returns or throws. */
export interface Shape {
  readonly value: unknown
  /** The secret is in a field of a result, not in data. */
  readonly hides: boolean
}

/** A new value each time, because some can be read only once. */
type Make = () => unknown

const big = 'ä'.repeat(1_300_000)

/** What is no data, breaks when it is looked at, or is too much. */
const evil: fc.Arbitrary<Make> = fc.constantFrom<Make[]>(
  () => 1n,
  () => () => 1,
  () => Symbol('s'),
  () => -0,
  () => Number.NaN,
  () => undefined,
  () => null,
  () => '',
  () => ' \n',
  () => '\ud83c',
  () => Object.assign([1], { 3: 2, more: 1 }),
  () => Object.assign([], { length: 2 ** 32 - 1 }),
  () => cycle(),
  () => new Map([['a', 1]]),
  () => new Date(Number.NaN),
  () => new Uint8Array(3),
  () => new Blob(['a']),
  () => Object.create(null),
  () => broken(),
  () => revoked(),
  () => ({ toJSON: fail }),
  () => ({ toJSON: () => undefined }),
  () => ({ toLlmContent: fail }),
  () => ({ toLlmContent: () => ({ content: 'a' }), n: 1 }),
  () => ({ ['__proto__']: { admin: true }, constructor: 1 }),
  () => nested(150),
  () => nested(500),
  () => big,
  () => ({ big }),
  () => Array.from({ length: 1_001 }, () => ({ type: 'text', text: 'a' })),
  () => Array.from({ length: 30_000 }, (_, n) => ({ n })),
  () => [{ type: 'image', mediaType: big, data: 'AAAA' }],
  () => [{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(5_000_004) }],
  () => [{ type: 'document', mediaType: 'text/plain', data: big, name: big }],
  () => [{ name: big, mediaType: big, data: 'a' }],
  () => [{ name: 'a', data: new ArrayBuffer(1) }],
  () => [{ name: 'a', data: {} }],
  () => ToolError.failed(big),
  () => new Error('no', { cause: new Error(big) }),
  () => new AggregateError(Array.from({ length: 3_000 }, () => new Error(big))),
)

const plain: fc.Arbitrary<Make> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => () => structuredClone(value))

const content: fc.Arbitrary<Make> = fc.constantFrom<Make[]>(
  () => 'said',
  () => [{ type: 'text', text: 'said', secret }],
  () => [{ type: 'image', data: 'AAAA', mimeType: 'image/png', secret }],
  () => [],
)

const hidden: fc.Arbitrary<Make> = fc.constantFrom<Make[]>(
  () => secret,
  () => ({ page: secret }),
  () => [[secret], big],
)

const field = (usual: fc.Arbitrary<Make>): fc.Arbitrary<Make> =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: evil })

const flag: fc.Arbitrary<Make> = fc.constantFrom<Make[]>(
  () => true,
  () => false,
  () => 'yes',
)

/** The fields of a result, in any selection. */
const fields = fc.record(
  {
    content: field(content),
    details: field(hidden),
    structuredContent: field(hidden),
    _meta: field(hidden),
    artifacts: field(fc.constant(() => [{ name: 'a', data: 'a' }])),
    isError: field(flag),
    terminate: field(flag),
  },
  { requiredKeys: [] },
)

const made = (all: Readonly<Record<string, Make>>): object =>
  Object.fromEntries(Object.entries(all).map(([name, make]) => [name, make()]))

/** An object that has content, and what the model may not read. */
const resultLike: fc.Arbitrary<Make> = fc
  .tuple(fields, content, hidden, fc.constantFrom('details', 'structuredContent', '_meta'))
  .map(([some, said, kept, name]) => () => ({ ...made(some), content: said(), [name]: kept() }))

const wrapped: fc.Arbitrary<Make> = fc.tuple(fields, field(plain)).map(
  ([some, output]) =>
    () =>
      toolResult({ ...made(some), output: output(), details: secret }),
)

const hiding: fc.Arbitrary<Make> = fc.oneof(
  resultLike,
  wrapped,
  fc.tuple(resultLike, field(plain)).map(([like, more]) => () => ({
    ...asObject(like()),
    more: more(),
  })),
  fields
    .filter((some) => !('content' in some) && Object.keys(some).length > 0)
    .map((some) => () => ({ ...made(some), details: secret })),
  fc.tuple(resultLike, field(plain)).map(([like, more]) => () => [more(), like()]),
  wrapped.map((make) => () => [make()]),
  wrapped.map((make) => () => ({ rows: [{ first: make() }] })),
  wrapped.map((make) => () => toolResult({ output: make() })),
  resultLike.map(
    (make) => () =>
      new (class {
        toJSON = make
      })(),
  ),
  resultLike.map((make) => () => ({ toJSON: () => ({ toJSON: make }) })),
)

/** Whatever a tool may return, most of it by mistake. */
export const anyReturn: fc.Arbitrary<() => Shape> = fc.oneof(
  { weight: 3, arbitrary: hiding.map((make) => () => ({ value: make(), hides: true })) },
  { weight: 1, arbitrary: field(plain).map((make) => () => ({ value: make(), hides: false })) },
  {
    weight: 1,
    arbitrary: fc
      .dictionary(fc.string({ maxLength: 5 }), field(plain), { maxKeys: 4 })
      .map((all) => () => ({ value: made(all), hides: false })),
  },
)

/** Whatever a tool may throw. */
export const anyThrown: fc.Arbitrary<Make> = fc.oneof(
  field(plain),
  fc
    .record(
      { name: field(plain), message: field(plain), code: field(plain), stack: field(plain) },
      { requiredKeys: [] },
    )
    .chain((all) =>
      fc
        .record({ cause: evil, errors: evil, kind: field(plain) }, { requiredKeys: [] })
        .map((more) => () => Object.assign(new Error('no'), made({ ...all, ...more }))),
    ),
)

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

function fail(): never {
  throw new RangeError('not you')
}

function cycle(): object {
  const one: { self?: unknown } = {}
  one.self = one
  return one
}

function broken(): object {
  return {
    get details(): never {
      throw new RangeError('not you')
    },
  }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function nested(levels: number): unknown {
  let inner: unknown = {}
  for (let level = 0; level < levels; level += 1) inner = [inner]
  return inner
}
