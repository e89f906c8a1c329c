import * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type Resources, type Tool, type ToolOptions } from './definition.ts'
import type { ToolSchema } from './tool-schema.ts'

const description = 'Does something.'

test('fills in the defaults', () => {
  const tool = defineTool({ name: 'a', description, inputSchema: z.object({}) })

  expect(tool).toMatchObject({
    label: 'a',
    place: 'worker',
    needsApproval: false,
    executionMode: 'parallel',
    timeoutMs: 60_000,
    retry: null,
    idempotent: false,
    onInterrupt: 'error',
    effects: 'writes',
    mayTerminate: false,
  })
  expect(tool).not.toHaveProperty('resources')
  expectTypeOf(tool.name).toEqualTypeOf<'a'>()
  expectTypeOf(tool.outputSchema).toEqualTypeOf<undefined>()
})

test('[S003-1] keeps the given options', () => {
  const resources = ({ n }: { n: number }): Resources => ({ bytes: new ArrayBuffer(n) })
  const tool = defineTool({
    name: 'a',
    label: 'An A',
    description,
    inputSchema: z.object({ n: z.number() }),
    place: 'client',
    needsApproval: true,
    executionMode: 'sequential',
    timeoutMs: null,
    retry: { maxAttempts: 3, baseMs: 0, capMs: 10 },
    idempotent: true,
    onInterrupt: 'rerun',
    effects: 'none',
    resources,
  })

  expect(tool).toMatchObject({
    label: 'An A',
    place: 'client',
    needsApproval: true,
    executionMode: 'sequential',
    timeoutMs: null,
    retry: { maxAttempts: 3, baseMs: 0, capMs: 10 },
    idempotent: true,
    onInterrupt: 'rerun',
    effects: 'none',
    resources,
  })
})

test('fills in the pauses of a retry', () => {
  const tool = defineTool({
    name: 'a',
    description,
    inputSchema: z.object({}),
    retry: { maxAttempts: 2 },
  })

  expect(tool.retry).toEqual({ maxAttempts: 2, baseMs: 1000, capMs: 30_000 })
})

test('gives needsApproval the checked input', async () => {
  const tool = defineTool({
    name: 'pay',
    description,
    inputSchema: z.object({ amount: z.string().transform(Number), to: z.string().default('me') }),
    needsApproval: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ amount: number; to: string }>()
      return Promise.resolve(input.amount > 100)
    },
  })

  // A tool with a typed input is still assignable to `Tool`.
  const tools: readonly Tool[] = [tool]
  const { needsApproval } = tool
  if (typeof needsApproval !== 'function') throw new Error('It is no function.')
  expectTypeOf(needsApproval).parameter(0).toEqualTypeOf<{ amount: number; to: string }>()
  expect(await needsApproval({ amount: 101, to: 'you' })).toBe(true)
  expect(tools).toHaveLength(1)
  defineTool({
    name: 'pay',
    description,
    inputSchema: z.object({ amount: z.number() }),
    // @ts-expect-error: the input has no such field
    needsApproval: ({ missing }) => missing === 1,
  })
})

test('[S003-1] gives the model the schema of the input before defaults and transforms', () => {
  const tool = defineTool({
    name: 'a',
    description,
    inputSchema: z.object({ n: z.number().default(1), at: z.string().transform(Number) }),
  })

  expect(tool.inputJsonSchema).toMatchObject({
    type: 'object',
    properties: { n: { type: 'number', default: 1 }, at: { type: 'string' } },
    required: ['at'],
  })
})

test.for(['', 'two words', 'ä', 'x'.repeat(65), '__proto__!'])(
  'refuses the name %j, and says which are valid',
  (name) => {
    expect(() => defineTool({ name, description, inputSchema: z.object({}) })).toThrow(
      `A tool cannot be called ${JSON.stringify(name)}: use 1 to 64 letters, digits, "_" or "-".`,
    )
  },
)

test('refuses a tool without a name', () => {
  // @ts-expect-error: a tool has a name
  expect(() => defineTool({ description, inputSchema: z.object({}) })).toThrow(
    'A tool cannot be called undefined: use 1 to 64 letters',
  )
})

type Options = Partial<ToolOptions<string, ToolSchema, undefined>>

test.for<readonly [options: Options, problem: string]>([
  ...[0, -1, Number.NaN, Infinity, 2 ** 31].map(
    (timeoutMs) =>
      [
        { timeoutMs },
        'timeoutMs of tool "a" must be more than 0 and at most 2147483647 milliseconds, or null for none.',
      ] as const,
  ),
  ...[0, 1, -2, 2.5, Number.NaN, Infinity].map(
    (maxAttempts) =>
      [
        { retry: { maxAttempts } },
        'retry.maxAttempts of tool "a" must be a whole number of at least 2; leave retry out for a single attempt.',
      ] as const,
  ),
  [{ retry: { maxAttempts: 2, baseMs: -1 } }, 'retry.baseMs of tool "a" must be from 0 to'],
  [{ retry: { maxAttempts: 2, baseMs: Number.NaN } }, 'retry.baseMs of tool "a" must be'],
  [{ retry: { maxAttempts: 2, capMs: Infinity } }, 'retry.capMs of tool "a" must be from 0 to'],
  ...[-1, Number.NaN, Infinity, 2 ** 31].map(
    (updateIntervalMs) =>
      [
        { updateIntervalMs },
        'updateIntervalMs of tool "a" must be from 0 to 2147483647 milliseconds, or null for that of the agent.',
      ] as const,
  ),
  [
    { place: JSON.parse('"server"') },
    `place of tool "a" must be 'worker' or 'page' or 'client' or 'isolated'.`,
  ],
  [
    { executionMode: JSON.parse('"alone"') },
    `executionMode of tool "a" must be 'parallel' or 'sequential'.`,
  ],
  [{ effects: JSON.parse('"some"') }, `effects of tool "a" must be 'none' or 'reads' or 'writes'.`],
  [
    { needsApproval: JSON.parse('"no"') },
    'needsApproval of tool "a" must be true, false or a function of the input.',
  ],
  [
    { onInterrupt: JSON.parse('"again"') },
    `onInterrupt of tool "a" must be 'error' or 'rerun' or 'check'.`,
  ],
  [
    { onInterrupt: 'rerun' },
    `onInterrupt of tool "a" must be 'check', or the tool idempotent, or its effects not 'writes'.`,
  ],
  [{ idempotent: JSON.parse('1') }, 'idempotent of tool "a" must be true or false.'],
  [
    { outputSchema: JSON.parse('{ "type": "object" }') },
    'outputSchema of tool "a" must be a Standard Schema.',
  ],
])('refuses a senseless option, and says what to do: %j', ([options, problem]) => {
  const define = () => defineTool({ name: 'a', description, inputSchema: z.object({}), ...options })

  expect(define).toThrow(TypeError)
  expect(define).toThrow(problem)
})

test('refuses a schema that cannot be sent to a model', () => {
  const define = (inputSchema: Parameters<typeof defineTool>[0]['inputSchema']) => () =>
    defineTool({ name: 'a', description, inputSchema })

  expect(define(z.object({ at: z.date() }))).toThrow('Use plain JSON types')
  expect(define(z.string())).toThrow('must describe an object')
  // @ts-expect-error: this library's schemas have no JSON Schema of their own
  expect(define(v.object({ n: v.number() }))).toThrow('offers no JSON Schema')
})

test.for([undefined, null, 5, {}, { type: 'object' }])(
  'refuses an input schema that is none: %j',
  (inputSchema) => {
    expect(() => defineTool({ name: 'a', description, inputSchema: inputSchema as never })).toThrow(
      'The inputSchema of tool "a" offers no JSON Schema.',
    )
  },
)
