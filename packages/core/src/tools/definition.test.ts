import * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Resources } from './definition.ts'
import { defineTool } from './definition.ts'

const description = 'Does something.'

test('fills in the defaults', () => {
  const tool = defineTool({ name: 'a', description, inputSchema: z.object({}) })

  expect(tool).toMatchObject({ label: 'a', place: 'worker', timeoutMs: 60_000 })
  expect(tool).not.toHaveProperty('resources')
  expectTypeOf(tool.name).toEqualTypeOf<'a'>()
  expectTypeOf(tool.outputSchema).toEqualTypeOf<undefined>()
})

test('keeps what is said', () => {
  const resources = ({ n }: { n: number }): Resources => ({ bytes: new ArrayBuffer(n) })
  const tool = defineTool({
    name: 'a',
    label: 'An A',
    description,
    inputSchema: z.object({ n: z.number() }),
    place: 'page',
    timeoutMs: null,
    resources,
  })

  expect(tool).toMatchObject({ label: 'An A', place: 'page', timeoutMs: null, resources })
})

test('tells the model about the input before defaults and transforms', () => {
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
  'refuses the name %j, and says what is legal',
  (name) => {
    expect(() => defineTool({ name, description, inputSchema: z.object({}) })).toThrow(
      `A tool cannot be called ${JSON.stringify(name)}: use 1 to 64 letters, digits, "_" or "-".`,
    )
  },
)

test('refuses a schema that no model can be told about', () => {
  const define = (inputSchema: Parameters<typeof defineTool>[0]['inputSchema']) => () =>
    defineTool({ name: 'a', description, inputSchema })

  expect(define(z.object({ at: z.date() }))).toThrow('Use plain JSON types')
  expect(define(z.string())).toThrow('must describe an object')
  // @ts-expect-error: this library's schemas have no JSON Schema of their own
  expect(define(v.object({ n: v.number() }))).toThrow('offers no JSON Schema')
})
