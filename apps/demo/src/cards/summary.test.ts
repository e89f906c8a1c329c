import { expect, test, vi } from 'vitest'
import { demoCall } from '../tools/demo-call.fixtures.ts'
import type { DemoCall } from '../tools/host-tools.ts'
import { labelOf, plainFields } from './call-summary.ts'
import { summarise } from './summary.ts'

const asked = { ...demoCall, hasValidArgs: true } as const
const plotted = { kind: 'bar' as const, title: 'Zones', labels: ['a'], values: [1] }
const asks: readonly (readonly [string, DemoCall])[] = [
  [
    'SELECT * FROM zones',
    { ...asked, toolName: 'sql_query', args: { sql: 'SELECT *\n  FROM zones' } },
  ],
  ['sales 2024.csv', { ...asked, toolName: 'load_table', args: { file: 'sales 2024.csv' } }],
  ['a.bin, MD5', { ...asked, toolName: 'hash_file', args: { file: 'a.bin', algorithm: 'md5' } }],
  ['a.bin, SHA-256', { ...asked, toolName: 'hash_file', args: { file: 'a.bin' } }],
  [
    'estimate of π, 20 million trials',
    { ...asked, toolName: 'monte_carlo', args: { experiment: 'pi', trials: 20_000_000 } },
  ],
  [
    'part 2 of 4, estimate of π',
    { ...asked, toolName: 'monte_carlo', args: { experiment: 'pi', parts: 4, part: 2 } },
  ],
  [
    'shared birthday, 23 people',
    { ...asked, toolName: 'monte_carlo', args: { experiment: 'birthday' } },
  ],
  ['2 dice, 7 or more', { ...asked, toolName: 'monte_carlo', args: { experiment: 'dice' } }],
  ['6 * 7', { ...asked, toolName: 'run_js', args: { code: '6 * 7' } }],
  ['a reload', { ...asked, toolName: 'search_docs', args: { query: 'a reload' } }],
  ['7 of 8', { ...asked, toolName: 'render_fractal', args: { column: 2, row: 1 } }],
  ['a.csv', { ...asked, toolName: 'compress_file', args: { file: 'a.csv' } }],
  [
    'a.png, a part, 80 wide, turned by 90°, grayscale, as webp',
    {
      ...asked,
      toolName: 'edit_image',
      args: {
        ...{ file: 'a.png', crop: { x: 0, y: 0, width: 9, height: 9 }, width: 80, rotate: 90 },
        ...{ grayscale: true, format: 'webp' },
      },
    },
  ],
  ['Zones', { ...asked, toolName: 'plot', args: plotted }],
  ['ms 500', { ...asked, toolName: 'dev_sleep', args: { ms: 500 } }],
  [
    'ms 500, on true',
    { ...demoCall, toolName: 'other', args: { ms: 500, deep: { a: 1 }, on: true } },
  ],
  ['', { ...demoCall, toolName: 'other', args: {} }],
  ['sql 5', { ...demoCall, toolName: 'sql_query', args: { sql: 5 } }],
]

test.each(asks)('says that %j was asked', (words, call) => {
  expect(summarise(call).asked).toBe(words)
})

test('says what was asked while it is still being written', () => {
  const writing = { ...demoCall, status: 'input_streaming' } as const
  const query: DemoCall = {
    ...writing,
    toolName: 'sql_query',
    argsText: '{"sql":"SELECT \\"a\\" FR',
  }
  const hash: DemoCall = {
    ...writing,
    toolName: 'hash_file',
    argsText: '{"file":"a.bin","algorithm":"m',
  }

  expect(summarise(query)).toEqual({ asked: 'SELECT "a" FR', code: true })
  expect(summarise(hash)).toEqual({ asked: 'a.bin, m' })
})

const succeeded = { ...demoCall, status: 'succeeded', hasEnded: true } as const
const answers: readonly (readonly [string, DemoCall])[] = [
  [
    '1 row',
    {
      ...succeeded,
      toolName: 'sql_query',
      output: { columns: ['a'], rows: [[1]], rowCount: 1, truncated: false },
    },
  ],
  [
    '1,234 rows',
    {
      ...succeeded,
      toolName: 'load_table',
      output: { table: 't', file: 't.csv', rows: 1234, bytes: 9, columns: [], notes: [] },
    },
  ],
  [
    '≈ 0.507297',
    {
      ...succeeded,
      toolName: 'monte_carlo',
      output: {
        experiment: 'birthday',
        estimate: 0.507297,
        standardError: 0.1,
        trials: 9,
        hits: 5,
      },
    },
  ],
  [
    '0123456789ab',
    {
      ...succeeded,
      toolName: 'hash_file',
      output: { file: 'a', bytes: 1, algorithm: 'md5', hash: '0123456789abcdef' },
    },
  ],
  ['42', { ...succeeded, toolName: 'run_js', output: { value: '42', type: 'number' } }],
  [
    '3.0 KB',
    {
      ...succeeded,
      toolName: 'compress_file',
      output: { file: 'a', bytes: 9000, name: 'a.gz', compressedBytes: 3000 },
    },
  ],
  [
    '0 places',
    { ...succeeded, toolName: 'search_docs', output: { sections: 9, files: 1, hits: [] } },
  ],
  [
    '27 % in the set',
    { ...succeeded, toolName: 'render_fractal', output: { width: 9, height: 9, inside: 0.27 } },
  ],
  [
    '80 × 60',
    {
      ...succeeded,
      toolName: 'edit_image',
      output: { file: 'a', name: 'b', width: 80, height: 60, bytes: 1 },
    },
  ],
]

const whole = {
  artifactId: 'a',
  name: 'all.txt',
  mediaType: 'text/plain',
  isFullResult: true,
} as const

test('says the size of all that was returned, not of the part that is kept on the card', () => {
  const content = [{ type: 'text', text: 'x'.repeat(1000) }] as const
  const artifacts = [{ ...whole, bytes: 50_000_000 }]
  const call = { ...succeeded, toolName: 'dev_huge' } as const

  expect(summarise({ ...call, result: { content } }).got).toBe('1.0 KB')
  expect(summarise({ ...call, result: { content, artifacts } }).got).toBe('50.0 MB')
})

test('says what a call has found so far', () => {
  const partial = { content: [{ type: 'text', text: '3.14150 ± 0.0012' }] } as const

  expect(summarise({ ...demoCall, toolName: 'monte_carlo', partial }).got).toBe('3.14150 ± 0.0012')
})

test.each(answers)('says that %j was the answer', (words, call) => {
  expect(summarise(call).got).toBe(words)
})

test('says why a call failed, and how a cancelled one ended', () => {
  const result = { content: [{ type: 'text', text: 'No such\ntable.' }] } as const
  const ended = { ...demoCall, toolName: 'other', hasEnded: true, isError: true, result } as const

  expect(summarise({ ...ended, status: 'failed' }).got).toBe('No such table.')
  expect(summarise({ ...ended, status: 'cancelled', how: 'terminated' }).got).toBe(
    'by you · terminated',
  )
  const partial = { content: [{ type: 'text', text: '3.14 ± 0.01' }] } as const
  expect(summarise({ ...ended, status: 'cancelled', how: 'cooperative', partial }).got).toBe(
    'by you · at 3.14 ± 0.01',
  )
})

test('says how far a call is', () => {
  const running = { ...demoCall, toolName: 'other' } as const
  const progress = { value: 1_200_000, total: 2_400_000, unit: 'bytes' }

  expect(summarise({ ...running, progress }).got).toBe('50 % · 1.2 MB of 2.4 MB')
  expect(summarise({ ...running, progress: { value: 7, unit: 'rows' } }).got).toBe('7 rows')
  const partial = { content: [{ type: 'text', text: '3.14 ± 0.01' }] } as const
  expect(summarise({ ...running, progress, partial }).got).toBe('50 % · 3.14 ± 0.01')
})

test('cuts a line and a name as they are shown, whatever a call says', () => {
  const args = { [`a${'\u202E'}`.repeat(300)]: '\u202Eb'.repeat(3000) }

  expect(summarise({ ...demoCall, toolName: 'other', args }).asked).toHaveLength(240)
  expect(labelOf({ label: 'a'.repeat(1000) })).toBe(`${'a'.repeat(120)}…`)
})

test('reads input that is nested without end nearly as fast as other input', () => {
  const timeOf = (argsText: string): number => {
    const startedAt = performance.now()
    summarise({ ...demoCall, toolName: 'other', args: undefined, argsText })
    return performance.now() - startedAt
  }
  const leastOf = (argsText: string): number =>
    Math.min(...Array.from({ length: 20 }, () => timeOf(argsText)))

  // It was read in 700 times as long.
  expect(leastOf('['.repeat(2000))).toBeLessThan(100 * leastOf(`{"text":"${'word '.repeat(400)}`))
})

test('a card reads few of the fields of an input that has many', () => {
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, at]))
  const get = vi.fn(Reflect.get)

  expect(plainFields(new Proxy(fields, { get }))).toEqual(['field0 0', 'field1 1'])
  expect(get.mock.calls.length).toBeLessThan(100)
})
