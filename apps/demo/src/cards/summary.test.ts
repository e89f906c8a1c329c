import type { Json, ToolCallView } from '@offthread/core'
import { expect, test } from 'vitest'
import { summarise } from './summary.ts'

test.each([
  ['sql_query', { sql: 'SELECT *\n  FROM zones' }, 'SELECT * FROM zones'],
  ['load_table', { file: 'sales 2024.csv' }, 'sales 2024.csv'],
  ['hash_file', { file: 'a.bin', algorithm: 'md5' }, 'a.bin, MD5'],
  ['hash_file', { file: 'a.bin' }, 'a.bin, SHA-256'],
  ['monte_carlo', { experiment: 'pi', trials: 20_000_000 }, 'estimate of π, 20 million trials'],
  ['monte_carlo', { experiment: 'birthday' }, 'shared birthday, 23 people'],
  ['plot', { kind: 'bar', title: 'Zones', labels: [], values: [] }, 'Zones'],
  ['other', { ms: 500, deep: { a: 1 }, on: true }, 'ms 500, on true'],
  ['other', {}, ''],
] as const)('says what %s was asked', (toolName, args, asked) => {
  expect(summarise(call({ toolName, args })).asked).toBe(asked)
})

test('says what was asked while it is still being written', () => {
  const view = call({ toolName: 'sql_query', argsText: '{"sql":"SELECT \\"a\\" FR' })

  expect(summarise(view)).toEqual({ asked: 'SELECT "a" FR', code: true })
})

test.each([
  ['sql_query', { rowCount: 1 }, '1 row'],
  ['load_table', { rows: 1234 }, '1,234 rows'],
  ['monte_carlo', { estimate: 0.507297 }, '≈ 0.507297'],
  ['hash_file', { hash: '0123456789abcdef' }, '0123456789ab'],
] as const)('says what came of %s', (toolName, structuredContent, got) => {
  const result = { content: [], structuredContent }

  expect(summarise(call({ toolName, status: 'succeeded', hasEnded: true, result })).got).toBe(got)
})

test('says why a call failed, and how a cancelled one ended', () => {
  const result = { content: [{ type: 'text', text: 'No such\ntable.' }] } as const
  const ended = { hasEnded: true, isError: true, result } as const

  expect(summarise(call({ ...ended, status: 'failed' })).got).toBe('No such table.')
  expect(summarise(call({ ...ended, status: 'cancelled', how: 'terminated' })).got).toBe(
    'worker terminated',
  )
})

type Shown = Partial<Omit<ToolCallView, 'args' | 'hasValidArgs' | 'output'>>

function call(shown: Shown & { readonly args?: Json }): ToolCallView {
  return {
    toolCallId: 'c1',
    toolName: 'other',
    label: 'Other',
    messageId: 'm1',
    status: 'running',
    hasEnded: false,
    hasValidArgs: false,
    argsText: '',
    attempt: 1,
    logs: { lines: [], dropped: 0 },
    isError: false,
    truncatedForModel: false,
    times: {},
    ...shown,
  }
}
