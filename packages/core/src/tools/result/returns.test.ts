import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { callTo, createRecorder } from '../fixtures/calls.fixtures.ts'
import { createLoopWorker } from '../fixtures/fake-worker.fixtures.ts'
import { createWorkerHost } from '../page/worker-host.ts'
import { ToolError } from '../tool-error.ts'
import { implement } from '../worker/implement.ts'
import { settleReturned, settleThrown } from './settle-returned.ts'
import { toolResult } from './tool-result.ts'

const inputSchema = z.object({})
const free = defineTool({ name: 'free', description: '', inputSchema })
const typed = defineTool({
  name: 'typed',
  description: '',
  inputSchema,
  outputSchema: z.strictObject({ n: z.number() }),
})

const text = (value: string) => ({ type: 'text', text: value })

test.for<readonly [what: string, value: unknown, result: object]>([
  [
    'data with a message',
    toolResult({ output: { n: 1 }, message: 'Found one.' }),
    { content: [text('Found one.'), text('{"n":1}')], structuredContent: { n: 1 } },
  ],
  ['data alone', toolResult({ output: [1] }), { content: [text('[1]')], structuredContent: [1] }],
  ['text as data', toolResult({ output: 'a' }), { content: [text('a')] }],
  [
    'text as data with a message',
    toolResult({ output: 'a', message: 'One letter:' }),
    { content: [text('One letter:'), text('a')], structuredContent: 'a' },
  ],
  ['a success with a message', toolResult({ message: 'Sent.' }), { content: [text('Sent.')] }],
  [
    'a success with data',
    toolResult({ output: { id: 7 }, message: 'Sent.' }),
    { content: [text('Sent.'), text('{"id":7}')], structuredContent: { id: 7 } },
  ],
  ['a bare success', toolResult({}), { content: [] }],
])('[S001-9] reads %s', async ([, value, result]) => {
  expect(await settleReturned(value, free)).toEqual({ kind: 'returned', result })
})

test('[S001-9] checks the data of a response by outputSchema', async () => {
  expect(await settleReturned(toolResult({ output: { n: 1 } }), typed)).toMatchObject({
    kind: 'returned',
    result: { structuredContent: { n: 1 } },
  })
  expect(await settleReturned(toolResult({ output: { n: 'one' } }), typed)).toMatchObject({
    errorKind: 'invalid_result',
    message: expect.stringContaining('It does not fit outputSchema: n: '),
  })
})

test.for([
  [ToolError.failed('a'), 'failed'],
  [ToolError.notFound('a'), 'not_found'],
  [ToolError.invalidArgs('a'), 'invalid_args'],
  [ToolError.cancelled('a'), 'cancelled'],
] as const)(
  '[S001-9] [S003-4] handles an error that is returned like one that is thrown: $1',
  async ([error, errorKind]) => {
    const settlement = await settleReturned(error, typed)

    expect(settlement).toMatchObject({ kind: 'threw', errorKind, message: 'a' })
    expect(settlement).toEqual(settleThrown(error))
  },
)

test('[S003-4] recognises an error of another copy of the package, and takes no data for one', async () => {
  const foreign = Object.assign(new Error('a'), { name: 'ToolError', kind: 'not_found' })
  const data = { name: 'ToolError', kind: 'not_found', message: 'a' }

  expect(await settleReturned(foreign, free)).toMatchObject({ errorKind: 'not_found' })
  expect(await settleReturned(data, free)).toMatchObject({
    kind: 'returned',
    result: { structuredContent: data },
  })
  // Any other error was hardly meant to be a result.
  expect(await settleReturned(new Error('a'), free)).toMatchObject({ errorKind: 'invalid_result' })
})

test('[S003-5] accepts output with a bad exit code as a result: only an error is a failure', async () => {
  const ran = { exitCode: 1, stdout: '', stderr: 'no such file' }

  expect(await settleReturned(ran, free)).toMatchObject({
    kind: 'returned',
    result: { structuredContent: ran },
  })
})

class Table {
  readonly rows = [1, 2]
  readonly #secret = 'hidden'
  toJSON() {
    return { rows: this.rows, length: this.#secret.length }
  }
  toLlmContent() {
    return `${this.rows.length} rows`
  }
}

class Report {
  readonly #pages = 3
  readonly toLlmContent = () => 'a report'
  toJSON() {
    return { ...this, pages: this.#pages }
  }
}

test.for<readonly [what: string, value: unknown, result: object]>([
  [
    'a string',
    { n: 1, toLlmContent: () => 'one' },
    { content: [text('one')], structuredContent: { n: 1 } },
  ],
  [
    'blocks',
    {
      n: 1,
      toLlmContent: () => [text('a'), { type: 'image', mediaType: 'image/png', data: 'AA' }],
    },
    {
      content: [text('a'), { type: 'image', mediaType: 'image/png', data: 'AA' }],
      structuredContent: { n: 1 },
    },
  ],
  ['nothing', { n: 1, toLlmContent: () => [] }, { content: [], structuredContent: { n: 1 } }],
  [
    'a promise',
    { n: 1, toLlmContent: () => Promise.resolve('one') },
    { content: [text('one')], structuredContent: { n: 1 } },
  ],
  [
    'by its own fields',
    {
      n: 1,
      toLlmContent(this: { n: number }) {
        return `n is ${this.n}`
      },
    },
    { content: [text('n is 1')], structuredContent: { n: 1 } },
  ],
  [
    'from an instance of a class',
    new Table(),
    { content: [text('2 rows')], structuredContent: { rows: [1, 2], length: 6 } },
  ],
  [
    'from an instance that holds it in a field',
    new Report(),
    { content: [text('a report')], structuredContent: { pages: 3 } },
  ],
  [
    'inside a response',
    toolResult({ output: { n: 1, toLlmContent: () => 'one' }, message: 'Look:' }),
    { content: [text('Look:'), text('one')], structuredContent: { n: 1 } },
  ],
  [
    'under content that was given',
    toolResult({ output: { n: 1, toLlmContent: () => 'one' }, content: 'other' }),
    { content: [text('other')], structuredContent: { n: 1 } },
  ],
  [
    'as data',
    { toLlmContent: 'a field' },
    {
      content: [text('{"toLlmContent":"a field"}')],
      structuredContent: { toLlmContent: 'a field' },
    },
  ],
])(
  '[S001-1] [S001-9] lets an output define what the model reads: %s',
  async ([, value, result]) => {
    expect(await settleReturned(value, free)).toEqual({ kind: 'returned', result })
  },
)

test('[S001-9] checks by outputSchema what is not toLlmContent', async () => {
  expect(await settleReturned({ n: 1, toLlmContent: () => 'one' }, typed)).toEqual({
    kind: 'returned',
    result: { content: [text('one')], structuredContent: { n: 1 } },
  })
  expect(await settleReturned({ n: '1', toLlmContent: () => 'one' }, typed)).toMatchObject({
    errorKind: 'invalid_result',
  })
})

test.for<readonly [toLlmContent: () => unknown, problem: string]>([
  [
    () => {
      throw new RangeError('too many rows')
    },
    'its toLlmContent failed: too many rows',
  ],
  [() => Promise.reject(new Error('later')), 'its toLlmContent failed: later'],
  [() => 7, 'its toLlmContent failed: content must be a string or a list of'],
  [() => undefined, 'its toLlmContent failed: content must be'],
  [() => ({ type: 'text', text: 'a' }), 'its toLlmContent failed: content must be'],
  [() => [{ type: 'video' }], 'its toLlmContent failed: content must be'],
])('[S001-9] fails a result whose toLlmContent is useless: %#', async ([toLlmContent, problem]) => {
  expect(await settleReturned({ n: 1, toLlmContent }, free)).toEqual({
    kind: 'threw',
    errorKind: 'invalid_result',
    message: expect.stringContaining(`The result of "free" cannot be used: ${problem}`),
  })
})

test.for<readonly [value: unknown, content: readonly object[]]>([
  [undefined, []],
  ['', []],
  [[], [text('[]')]],
  [{ content: [] }, []],
  [toolResult({}), []],
  [toolResult({ content: [] }), []],
])('[S002-10] accepts an empty result as a success: %j', async ([value, content]) => {
  expect(await settleReturned(value, free)).toMatchObject({ kind: 'returned', result: { content } })
})

test('[S000-15] [S003-3] never puts details into what the model reads', async () => {
  const details = { secret: 'for the page' }
  for (const value of [
    toolResult({ content: 'a', details }),
    toolResult({ output: { n: 1 }, details }),
    toolResult({ output: { toLlmContent: () => 'a' }, details }),
    { content: [text('a')], details },
  ]) {
    const settlement = await settleReturned(value, free)
    if (settlement.kind !== 'returned') throw new Error(settlement.message)
    const { result } = settlement
    expect(result.details).toEqual(details)
    expect(JSON.stringify(result.content)).not.toContain('for the page')
  }
})

test('[S001-1] calls toLlmContent where the tool runs: only plain data leaves the worker', async () => {
  const code = implement(free, () => ({ rows: [1, 2], toLlmContent: () => 'two rows' }))
  const host = createWorkerHost([free], () => createLoopWorker([code]))

  const settlement = await host
    .open(free, { graceMs: 250 })
    .run(callTo('free', {}), createRecorder())

  expect(settlement).toEqual({
    kind: 'returned',
    result: { content: [text('two rows')], structuredContent: { rows: [1, 2] } },
  })
})

test('lets a tool cut its own result: one that fits is left alone', async () => {
  const long = 'x'.repeat(50_000)

  expect(await settleReturned(long, free)).toEqual({
    kind: 'returned',
    result: { content: [text(long)] },
  })
})

test('does not compile with other answers than the output by its schema', () => {
  implement(typed, () => ToolError.failed('a'))
  implement(typed, async () => (Math.random() > 2 ? ToolError.cancelled('a') : { n: 1 }))
  implement(typed, () => ({ n: 1, toLlmContent: () => 'one' }))
  implement(typed, () => toolResult({ output: { n: 1 }, message: 'one' }))
  implement(typed, () => toolResult({ output: { n: 1 } }))
  implement(free, () => toolResult({ message: 'done' }))
  implement(free, () => ({ toLlmContent: () => 7 }))
  // @ts-expect-error: the data has another form
  implement(typed, () => toolResult({ output: { n: 'one' } }))
  // @ts-expect-error: there is no data
  implement(typed, () => toolResult({ message: 'done' }))
  // @ts-expect-error: not every error is a failure the tool reports on purpose
  implement(typed, () => new Error('a'))
})
