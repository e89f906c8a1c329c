import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../internal/json.ts'
import { checkArgs } from './check-args.ts'
import { defineTool, type Tool } from './definition.ts'
import { jsonSchema } from './json-schema.ts'
import type { ToolInput } from './tool-types.ts'

interface Order {
  readonly item: string
  readonly count: number
  readonly lines?: readonly { readonly note: string }[] | undefined
}

const description = 'Orders something.'
const written = {
  type: 'object',
  properties: {
    item: { type: 'string', minLength: 2 },
    count: { type: 'integer', minimum: 1 },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { note: { type: 'string' } },
        required: ['note'],
        additionalProperties: false,
      },
    },
  },
  required: ['item', 'count'],
  additionalProperties: false,
}

const zodTool = defineTool({
  name: 'order',
  description,
  inputSchema: z.strictObject({
    item: z.string().min(2),
    count: z.number().int().min(1),
    lines: z.array(z.strictObject({ note: z.string() })).optional(),
  }),
})
const valibotTool = defineTool({
  name: 'order',
  description,
  inputSchema: toStandardJsonSchema(
    v.strictObject({
      item: v.pipe(v.string(), v.minLength(2)),
      count: v.pipe(v.number(), v.integer(), v.minValue(1)),
      lines: v.optional(v.array(v.strictObject({ note: v.string() }))),
    }),
  ),
})
const plainTool = defineTool({
  name: 'order',
  description,
  inputSchema: jsonSchema<Order>(written),
})

const tools: readonly (readonly [library: string, tool: Tool])[] = [
  ['zod', zodTool],
  ['valibot', valibotTool],
  ['JSON Schema', plainTool],
]

test('infers the input by each library', () => {
  interface Input {
    item: string
    count: number
    lines?: { note: string }[] | undefined
  }
  expectTypeOf<ToolInput<typeof zodTool>>().toEqualTypeOf<Input>()
  expectTypeOf<ToolInput<typeof valibotTool>>().toEqualTypeOf<Input>()
  expectTypeOf<ToolInput<typeof plainTool>>().toEqualTypeOf<Order>()
})

describe.each(tools)('%s', (_, tool) => {
  test('[S003-1] describes the input to the model', () => {
    expect(tool.inputJsonSchema).toMatchObject({
      type: 'object',
      properties: { item: { type: 'string', minLength: 2 }, count: { type: 'integer' } },
      required: ['item', 'count'],
      additionalProperties: false,
    })
  })

  test.for<JsonObject>([
    { item: 'tea', count: 1 },
    { item: 'tea', count: 2, lines: [] },
    { item: 'tea', count: 2, lines: [{ note: 'hot' }, { note: '' }] },
  ])('[S000-12] accepts what fits: %j', async (input) => {
    expect(await checkArgs(tool, input)).toEqual({ ok: true, value: input })
  })

  test.for<readonly [input: JsonObject, ...problem: readonly RegExp[]]>([
    [{ item: 'tea' }, /count/],
    [{ item: 'tea', count: 'two' }, /count: .*number|count: .*integer/],
    [{ item: 'tea', count: 1.5 }, /count: .*int/i],
    [{ item: 'tea', count: 0 }, /count: .*(>=1|less than 1)/],
    [{ item: 't', count: 1 }, /item: .*(>=2|< 2)/],
    [{ item: 'tea', count: 1, size: 'L' }, /size/],
    [{ item: 'tea', count: 1, lines: [{ note: 'a' }, { note: 7 }] }, /lines\.1\.note: .*string/],
    [{ item: 'tea', count: 1, lines: [{}] }, /lines\.0.*note/],
    [{ item: 7, count: 'two' }, /item: /, /count: /],
    [{}, /item/, /count/],
  ])('[S000-12] [S003-4] names path and problem: %j', async ([input, ...problems]) => {
    const check = await checkArgs(tool, input)

    expect(check.ok).toBe(false)
    for (const problem of problems)
      expect(check).toHaveProperty('message', expect.stringMatching(problem))
  })

  test('[S003-4] keeps the text within 1,000 characters, and the values out where the library does', async () => {
    const notes = Array.from({ length: 500 }, () => ({ note: 123_456 }))
    const check = await checkArgs(tool, { item: 'tea', count: -98_765, lines: notes })

    expect(check).toEqual({
      ok: false,
      message: expect.stringMatching(/^Invalid arguments: .*…$/s),
    })
    expect(check).toHaveProperty('message.length', 1000)
    // Valibot's own messages quote the value.
    if (tool !== valibotTool) {
      expect(check).not.toHaveProperty('message', expect.stringMatching(/98765|123456/))
    }
  })
})
