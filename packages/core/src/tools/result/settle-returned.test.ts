import { expect, test } from 'vitest'
import { z } from 'zod'
import { isObject } from '../../internal/json.ts'
import { toParts } from '../content.ts'
import { defineTool } from '../definition.ts'
import type { NewArtifact, Settlement } from '../host.ts'
import { readWorkerMessage } from '../protocol.ts'
import { ToolError } from '../tool-error.ts'
import { byteLength } from './cut-bytes.ts'
import { fitPartial } from './fit-to-size.ts'
import { settleReturned, settleThrown } from './settle-returned.ts'
import { toolResult } from './tool-result.ts'

const free = defineTool({ name: 'free', description: '', inputSchema: z.object({}) })
const typed = defineTool({
  name: 'typed',
  description: '',
  inputSchema: z.object({}),
  outputSchema: z.object({ n: z.number().default(7) }),
})
const spoken = defineTool({
  name: 'spoken',
  description: '',
  inputSchema: z.object({}),
  outputSchema: z.string(),
})

const text = (value: string) => ({ type: 'text', text: value }) as const

test.for<readonly [value: unknown, result: object]>([
  ['hello', { content: [text('hello')] }],
  [undefined, { content: [] }],
  [null, { content: [text('null')], structuredContent: null }],
  [[1, 2], { content: [text('[1,2]')], structuredContent: [1, 2] }],
  [[], { content: [text('[]')], structuredContent: [] }],
  [{ a: 1 }, { content: [text('{"a":1}')], structuredContent: { a: 1 } }],
  [[text('a'), text('b')], { content: [text('a'), text('b')] }],
  [
    { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], details: { w: 1 } },
    { content: [{ type: 'image', data: 'AAAA', mediaType: 'image/png' }], details: { w: 1 } },
  ],
  [
    [{ type: 'document', data: 'AAAA', mimeType: 'application/pdf', name: 'a.pdf', size: 3 }],
    { content: [{ type: 'document', data: 'AAAA', mediaType: 'application/pdf', name: 'a.pdf' }] },
  ],
  [
    { content: 'a', details: { w: 1 } },
    { content: [text('a')], details: { w: 1 } },
  ],
  // As MCP has it.
  [
    { content: [text('a')], structuredContent: { n: 1 }, isError: false, _meta: { w: 1 } },
    { content: [text('a')], structuredContent: { n: 1 } },
  ],
  // Data, although it has a field of that name.
  [
    { id: 7, details: 'large' },
    {
      content: [text('{"id":7,"details":"large"}')],
      structuredContent: { id: 7, details: 'large' },
    },
  ],
  [toolResult({ content: 'said', terminate: true }), { content: [text('said')], terminate: true }],
  [
    toolResult({ output: 'long', content: 'short' }),
    { content: [text('short')], structuredContent: 'long' },
  ],
  [
    toolResult({ output: { a: 1 }, details: [1] }),
    { content: [text('{"a":1}')], structuredContent: { a: 1 }, details: [1] },
  ],
])('[S000-15] [S003-3] makes a result of what was returned: %#', async ([value, result]) => {
  expect(await settleReturned(value, free)).toEqual({ kind: 'returned', result })
})

test('[S001-9] checks typed output, and passes on what the schema made of it', async () => {
  expect(await settleReturned({}, typed)).toEqual({
    kind: 'returned',
    result: { content: [text('{"n":7}')], structuredContent: { n: 7 } },
  })
  expect(await settleReturned(toolResult({ output: { n: 1 }, content: 'one' }), typed)).toEqual({
    kind: 'returned',
    result: { content: [text('one')], structuredContent: { n: 1 } },
  })
  expect(await settleReturned('said', spoken)).toEqual({
    kind: 'returned',
    result: { content: [text('said')], structuredContent: 'said' },
  })
})

test.for<readonly [value: unknown, problem: string]>([
  [{ n: 'one' }, 'It does not fit outputSchema: n: '],
  [toolResult({ content: 'no output' }), 'It does not fit outputSchema: '],
  [undefined, 'It does not fit outputSchema: '],
])('[S001-9] refuses output that does not fit its schema: %#', async ([value, problem]) => {
  expect(await settleReturned(value, typed)).toEqual({
    kind: 'threw',
    errorKind: 'invalid_result',
    message: expect.stringContaining(`The result of "typed" cannot be used: ${problem}`),
  })
})

test.for<readonly [value: unknown, problem: string]>([
  [{ a: 1n }, 'the result was not serialisable: a bigint at a is not JSON.'],
  [
    toolResult({ details: new Set() }),
    'details was not serialisable: a Set at the top is not JSON.',
  ],
  [new Response(''), 'the result was not serialisable: a Response at the top is not JSON.'],
  [
    { module: new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) },
    'the result was not serialisable: a WebAssembly.Module at module is not JSON.',
  ],
  [JSON.parse('{"content":1}'), ''],
])('refuses what cannot cross a boundary: %#', async ([value, problem]) => {
  const settlement = await settleReturned(value, free)

  if (problem === '') expect(settlement.kind).toBe('returned')
  else expect(settlement).toMatchObject({ message: expect.stringContaining(problem) })
})

test('an error keeps a code that is a text or a number, and no other', () => {
  const codeOf = (code: unknown) => {
    const settlement = settleThrown(Object.assign(new Error('No.'), { code }))
    return settlement.kind === 'threw' && isObject(settlement.details)
      ? settlement.details['code']
      : undefined
  }

  const codes = [7, 'E7', Number.NaN, Number.POSITIVE_INFINITY, 7n, {}].map(codeOf)

  expect(codes).toEqual([7, 'E7', undefined, undefined, undefined, undefined])
})

test('artifacts in no list, or of no type, are refused or named', async () => {
  const wrong = toolResult({ artifacts: 'all' as unknown as [] })
  const odd = toolResult({
    artifacts: [{ name: 'a', mediaType: 7 as unknown as string, data: '' }],
  })

  expect(await settleReturned(wrong, free)).toMatchObject({
    errorKind: 'invalid_result',
    message: expect.stringContaining('artifacts must be a list of { name, mediaType, data }'),
  })
  expect(resultOf(await settleReturned(odd, free)).artifacts).toMatchObject([{ mediaType: '7' }])
})

const big = 'ä'.repeat(1_000_000)
/** As JSON it has exactly as many bytes as data of a result may have. */
const fitting = { a: 'x'.repeat(999_992) }
const image = (size: number) => ({ type: 'image', data: 'A'.repeat(size), mediaType: 'image/png' })

test.for([
  ['parts with a note', times(1000, text('x'.repeat(2000)))],
  ['an image, and parts with a note', [...times(999, text('x'.repeat(2000))), image(4)]],
  ['giant images', times(3, image(6_000_000))],
  ['files and what was cut', { content: big, artifacts: times(1000, { name: big, data: 'b' }) }],
  ['giant data', toolResult({ output: big, details: { big } })],
  ['data that just fits', { content: 'a', details: fitting, structuredContent: fitting }],
  ['a failure', { content: big, isError: true, details: { big } }],
  ['an error', new ToolError('failed', big, { cause: new Error(big) })],
] as const)(
  '[W18] the most that is accepted of %s is no message over a limit',
  async ([, value]) => {
    const settlement = await settleReturned(value, free)

    const message = { type: 'settled', executionId: 'e1', settlement }
    expect(readWorkerMessage(message, 'e1')).toMatchObject({ type: 'settled' })
    const update = fitPartial({ content: Array.isArray(value) ? toParts(value) : [] })
    expect(
      readWorkerMessage({ type: 'update', executionId: 'e1', partial: update }, 'e1'),
    ).toBeTruthy()
  },
)

test('never rejects, even when the result is hostile', async () => {
  const hostile = {
    get field(): never {
      throw new RangeError('not you')
    },
  }

  expect(await settleReturned(hostile, free)).toMatchObject({
    errorKind: 'invalid_result',
    message: expect.stringContaining('not you'),
  })
})

test('[W17] cuts all texts together to 1 MB, and states what is gone', async () => {
  const big = 'x'.repeat(700_000)
  const all = [text(big), text(big), text(big)]
  const { content, artifacts } = resultOf(await settleReturned(all, free))

  const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
  expect(texts[0]).toBe(big)
  expect(texts[1]).toMatch(/^x+\n… 400\.\d KB cut …\nx+$/)
  expect(texts[2]).toMatch(/^\n\[1\.1 MB of the result were cut out of it\.\]$/)
  expect(byteLength(texts.join(''))).toBeLessThanOrEqual(1_000_000)
  const whole = { name: 'content.txt', mediaType: 'text/plain', isFullResult: true }
  expect(artifacts).toMatchObject([whole])
  expect(await textIn(artifacts?.[0])).toBe(big + big + big)
})

test('keeps what is too big once, and not in more files than help', async () => {
  const rows = { rows: ['x'.repeat(1_200_000)] }
  const notes = Array.from({ length: 30 }, (_, at) => ({
    type: 'document',
    mediaType: 'text/plain',
    name: `${at}.txt`,
    data: 'x'.repeat(60_000),
  }))

  const typed = resultOf(await settleReturned(rows, free))
  const many = resultOf(await settleReturned([text('x'.repeat(999_000)), ...notes], free))

  expect(typed.artifacts?.map(({ name }) => name)).toEqual(['structuredContent.json'])
  expect(many.artifacts).toHaveLength(20)
})

test('leaves out structured content and details that are too big, and says so', async () => {
  const big = { rows: ['€'.repeat(400_000)] }
  const value = toolResult({ output: big, content: 'many rows', details: { page: 1 } })

  const { artifacts, ...rest } = resultOf(await settleReturned(value, free))
  expect(rest).toEqual({
    content: [text('many rows')],
    details: { page: 1, dropped: ['structuredContent was 1.2 MB, more than 1.0 MB'] },
  })
  const json = { name: 'structuredContent.json', mediaType: 'application/json', isFullResult: true }
  expect(artifacts).toMatchObject([json])
  expect(await textIn(artifacts?.[0])).toBe(JSON.stringify(big))
  const detailed = toolResult({ content: 'a', details: big })
  expect(resultOf(await settleReturned(detailed, free))).toMatchObject({
    content: [text('a')],
    details: { dropped: ['details was 1.2 MB, more than 1.0 MB'] },
    artifacts: [{ name: 'details.json' }],
  })
})

test('leaves out an image that no provider would accept', async () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(5_000_004) }
  const note = text('[An image of 5.0 MB was left out: too big.]')

  const { content, artifacts } = resultOf(await settleReturned([image], free))

  expect(content).toEqual([note])
  expect(artifacts).toMatchObject([{ name: 'image.png', mediaType: 'image/png' }])
  expect(new Blob([artifacts?.[0]?.data ?? '']).size).toBe(3_750_003)
  const noImage = { ...image, data: '?'.repeat(5_000_004) }
  expect(resultOf(await settleReturned([noImage], free))).toEqual({ content: [note] })
})

test('leaves out a PDF that is too big, and cuts plain text in documents like any text', async () => {
  const pdf = { type: 'document', mediaType: 'application/pdf', data: 'A'.repeat(5_000_001) }
  const letter = { type: 'document', mediaType: 'text/plain', data: 'd'.repeat(1_500_000) }

  const { content } = resultOf(await settleReturned([pdf, text('Dear'), letter], free))

  expect(content).toEqual([
    text('[A document of 5.0 MB was left out: too big.]'),
    text('Dear'),
    { ...letter, data: expect.stringMatching(/^d+\n… .* cut …\nd+$/) },
    text('\n[500.1 KB of the result were cut out of it.]'),
  ])
})

test('[T3] takes a result that says isError for a failure', async () => {
  const value = { content: [text('No '), text('such city.')], details: { w: 1 }, isError: true }

  expect(await settleReturned(value, typed)).toEqual({
    kind: 'threw',
    errorKind: 'failed',
    message: 'No such city.',
    details: { w: 1 },
  })
  expect(await settleReturned({ content: [], isError: true }, free)).toMatchObject({
    kind: 'threw',
    message: 'The tool failed.',
  })
})

test('[T3] details of a failure that are too big are left out, and the failure stays', async () => {
  const details = { rows: 'x'.repeat(2_500_000) }

  expect(await settleReturned({ content: 'No.', isError: true, details }, free)).toEqual({
    kind: 'threw',
    errorKind: 'failed',
    message: 'No.',
    details: { dropped: ['details was 2.5 MB, more than 1.0 MB'] },
  })
})

test.for([undefined, null, '', ' \n', new Error(), new Error(' '), ToolError.failed('')])(
  '[E21] what is thrown without a text has one: %j',
  (thrown) => {
    expect(settleThrown(thrown)).toMatchObject({ message: 'The tool failed.' })
  },
)

test.for<readonly [value: object, problem: string]>([
  [
    { content: 'a', path: 'b', size: 1 },
    'it has content like a result, and unknown fields: "path", "size". Return toolResult(',
  ],
  [{ content: [text('a')], details: 1, secret: 2 }, 'unknown fields: "secret"'],
  [{ content: [{ type: 'audio', data: 'AA' }], details: 1 }, 'content must be a string or a list'],
  [{ content: null, details: 1 }, 'content must be a string or a list'],
  [{ details: { w: 1 } }, 'it has fields of a result, but no content.'],
  [{ content: [{ type: 'audio', data: 'AA' }], isError: true }, 'content must be a string or a'],
  [{ content: { rows: 1 }, terminate: true }, 'content must be a string or a list'],
  [{ output: { n: 1 }, details: { w: 1 } }, 'it has fields of a result, but no content.'],
  [{ message: 'Sent.', details: { w: 1 } }, 'it has fields of a result, but no content.'],
  [{ output: 1, message: 'One.', isError: true }, 'it has fields of a result, but no content.'],
  [[{ content: 'a', details: 1 }, { content: 'b' }], 'it is a list of results'],
  [[{ content: [text('a')], details: 1 }], 'it is a list of results'],
  [[{ content: 'a', structuredContent: 1 }], 'it is a list of results'],
  [[toolResult({ output: 1, details: 2 })], 'a toolResult at [0] is not JSON'],
  [{ a: [toolResult({ output: 1, details: 2 })] }, 'a toolResult at a[0] is not JSON'],
  [toolResult({ output: toolResult({ details: 2 }) }), 'a toolResult at the top is not JSON'],
  [{ content: 'a', isError: 'yes' }, 'isError must be true or false'],
  [{ content: 'a', artifacts: 'b' }, 'artifacts must be a list'],
  [{ content: 'a', artifacts: times(1001, { name: 'a', data: 'b' }) }, 'more than 1000 artifacts.'],
  [toolResult({ message: 'a', content: times(1000, text('b')) }), 'more than 1000 parts.'],
  [
    { content: 'a', isError: true, artifacts: [{ name: 'a', data: 'b' }] },
    'a failure keeps no artifacts',
  ],
])('[T2] refuses what only resembles a result: %#', async ([value, problem]) => {
  expect(await settleReturned(value, free)).toEqual({
    kind: 'threw',
    errorKind: 'invalid_result',
    message: expect.stringContaining(problem),
  })
})

test('[T2] takes what an outputSchema describes for data, whatever its fields are called', async () => {
  const page = defineTool({
    name: 'page',
    description: '',
    inputSchema: z.object({}),
    outputSchema: z.object({ content: z.string(), details: z.string(), url: z.string() }),
  })
  const output = { content: 'a', details: 'b', url: 'c' }

  expect(resultOf(await settleReturned(output, page)).structuredContent).toEqual(output)
  expect(
    resultOf(await settleReturned({ content: 'one', structuredContent: { n: 1 } }, typed)),
  ).toEqual({ content: [text('one')], structuredContent: { n: 1 } })
})

test('accepts bytes in every form', async () => {
  const value = toolResult({
    artifacts: [
      { name: 'a.txt', mediaType: 'text/plain', data: 'text' },
      { name: 'b', data: new Uint8Array([1, 2]) },
      { name: 'c', data: new Blob(['c'], { type: 'image/png' }) },
    ],
  })

  const { artifacts = [] } = resultOf(await settleReturned(value, free))

  const texts = await Promise.all(artifacts.map(textIn))
  expect(artifacts.map(({ name, mediaType }, at) => [name, mediaType, texts[at]])).toEqual([
    ['a.txt', 'text/plain', 'text'],
    ['b', 'application/octet-stream', '\u0001\u0002'],
    ['c', 'image/png', 'c'],
  ])
})

test.for([
  [ToolError.failed('a'), 'failed'],
  [ToolError.notFound('a'), 'not_found'],
  [ToolError.invalidArgs('a'), 'invalid_args'],
  [ToolError.cancelled('a'), 'cancelled'],
  [new RangeError('a'), 'failed'],
  [Object.assign(new Error('a'), { name: 'ToolError', kind: 'not_found' }), 'not_found'],
  [Object.assign(new Error('a'), { name: 'ToolError', kind: 'denied' }), 'failed'],
] as const)('[S003-4] distinguishes the kinds of errors: %#', ([error, errorKind]) => {
  expect(settleThrown(error)).toMatchObject({ kind: 'threw', errorKind, message: 'a' })
})

test.for([
  [ToolError.cancelled(), 'The tool cancelled its work.'],
  [new ToolError('cancelled', ''), 'The tool cancelled its work.'],
  [new ToolError('failed', ''), 'The tool failed.'],
  [ToolError.notFound(' '), 'What was asked for does not exist.'],
  [ToolError.invalidArgs(''), 'The arguments make no sense.'],
  [new RangeError(), 'RangeError'],
] as const)('[S003-4] [E21] an error without a text has one: %#', ([error, message]) => {
  expect(settleThrown(error)).toMatchObject({ message })
})

test('[T2] [I19] of a result that is thrown the model reads the content alone', () => {
  const details = { page: 1 }

  expect(settleThrown({ content: 'No.', details })).toEqual({
    kind: 'threw',
    errorKind: 'failed',
    message: 'No.',
    details,
  })
  expect(settleThrown(toolResult({ message: 'No.', details }))).toMatchObject({ message: 'No.' })
  expect(settleThrown({ details, isError: true })).toMatchObject({
    message: expect.stringMatching(
      /^The tool threw what cannot be used: it has fields of a result/,
    ),
  })
})

test.for([
  [
    'an AsyncGenerator',
    (async function* () {
      yield 1
    })(),
  ],
  ['an Array Iterator', [1].values()],
] as const)('what gives its values one by one is no result: %s', async ([kind, value]) => {
  expect(await settleReturned(value, free)).toMatchObject({
    errorKind: 'invalid_result',
    message: expect.stringContaining(`${kind} at the top is not JSON`),
  })
})

test('makes plain data of any thrown value: class, code, stack, causes', () => {
  const deep = new TypeError('deep', {
    cause: Object.assign(new RangeError('deeper'), { code: 7 }),
  })
  const error = new AggregateError([deep, 'a word'], 'x'.repeat(5000), { cause: deep })

  const settlement = settleThrown(error)

  expect(settlement).toMatchObject({
    message: `${'x'.repeat(5000)} (deep; a word)`,
    details: {
      name: 'AggregateError',
      stack: expect.stringContaining('Error: '),
      cause: {
        name: 'TypeError',
        message: 'deep',
        stack: expect.stringContaining('deep'),
        cause: { name: 'RangeError', message: 'deeper', code: 7 },
      },
      errors: [{ name: 'TypeError', message: 'deep' }, 'a word'],
    },
  })
  expect(structuredClone(settlement)).toEqual(settlement)
  expect(settleThrown('a word')).toEqual({ kind: 'threw', errorKind: 'failed', message: 'a word' })
  expect(settleThrown({ code: 1 })).toMatchObject({ message: '{"code":1}' })
  expect(settleThrown(1n)).toMatchObject({ message: expect.any(String) })
})

test.for<readonly [what: string, thrown: () => unknown, message: string]>([
  [
    'Promise.any',
    () => Promise.any([Promise.reject(new Error('Mirror 1 is down.')), Promise.reject('Timeout')]),
    'All promises were rejected (Mirror 1 is down; Timeout)',
  ],
  ['one without a message', () => Promise.reject(many(2)), 'AggregateError (Error 1; Error 2)'],
  [
    'results',
    () => {
      const details = { page: 1 }
      const results = [{ content: 'No.', details }, toolResult({ message: 'Nor here.', details })]
      return Promise.any(results.map((result) => Promise.reject(result)))
    },
    'All promises were rejected (No; Nor here)',
  ],
  [
    'one in another',
    () => Promise.reject(many(1, many(1))),
    'AggregateError (AggregateError (Error 1))',
  ],
  [
    'more than ten',
    () => Promise.reject(many(12)),
    `AggregateError (${Array.from({ length: 10 }, (_, at) => `Error ${at + 1}`).join('; ')}; 2 more)`,
  ],
])('[T1] the model reads what went wrong inside an error of several: %s', async (row) => {
  const [, run, message] = row
  const error: unknown = await Promise.resolve()
    .then(run)
    .catch((reason: unknown) => reason)
  expect(settleThrown(error)).toMatchObject({ message })
})

function many(count: number, inner?: Error): AggregateError {
  return new AggregateError(
    Array.from({ length: count }, (_, at) => inner ?? new Error(`Error ${at + 1}`)),
  )
}

const breaks = () => {
  throw new Error('no')
}
const breaking = { get: breaks, enumerable: true }

test('[E21] an error of many errors is no message over a limit', () => {
  const inside = (depth: number): Error => {
    const error = new AggregateError(
      Array.from({ length: depth }, () => inside(depth - 1)),
      'x'.repeat(5000),
    )
    return Object.assign(error, { name: 'n'.repeat(5000), stack: 's'.repeat(10_000) })
  }
  const settlement = settleThrown(inside(8))

  expect(readWorkerMessage({ type: 'settled', executionId: 'c', settlement }, 'c')).toEqual({
    type: 'settled',
    executionId: 'c',
    settlement,
  })
})

test.for<readonly [what: string, thrown: unknown]>([
  ['whose code breaks', Object.defineProperty(new Error('why'), 'code', breaking)],
  ['whose stack breaks', Object.defineProperty(new Error('why'), 'stack', breaking)],
  ['whose cause breaks', Object.defineProperty(new Error('why'), 'cause', breaking)],
  ['whose message breaks', Object.defineProperty(new Error('why'), 'message', breaking)],
  ['whose name is an object', Object.assign(new Error('why'), { name: { toString: breaks } })],
  ['whose message is an object', Object.assign(new Error(), { message: { toString: breaks } })],
  ['without its list of errors', Object.assign(new AggregateError([], 'why'), { errors: null })],
  ['that is a broken proxy', new Proxy(new Error('why'), { get: breaks, has: breaks })],
  ['with a kind that breaks', Object.defineProperty(ToolError.failed('why'), 'kind', breaking)],
])('[E21] settles a call by an error %s', async ([, error]) => {
  expect(settleThrown(error)).toMatchObject({ kind: 'threw', errorKind: 'failed' })
  expect(await settleReturned(error, free)).toMatchObject({ kind: 'threw' })
})

test('[W17] reads a thrown message as far as a result', () => {
  const { message } = thrown(new Error(`${'x'.repeat(2_000_000)}.`))

  expect(byteLength(message)).toBeLessThanOrEqual(1_000_000)
  expect(message).toMatch(/^x{600000,}\n… 1\.0 MB cut …\nx{200000,}\.$/)
  expect(thrown(new Error('x'.repeat(50_000))).message).toHaveLength(50_000)
})

function thrown(error: unknown) {
  const settlement = settleThrown(error)
  if (settlement.kind !== 'threw') throw new Error(JSON.stringify(settlement))
  return settlement
}

async function textIn(artifact: NewArtifact | undefined): Promise<string> {
  return new Blob([artifact?.data ?? '']).text()
}

function resultOf(settlement: Settlement) {
  if (settlement.kind !== 'returned') throw new Error(JSON.stringify(settlement))
  return settlement.result
}

function times<Item>(count: number, item: Item): readonly Item[] {
  return Array.from({ length: count }, () => item)
}
