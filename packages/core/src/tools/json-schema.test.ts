import { expect, expectTypeOf, test } from 'vitest'
import type { JsonObject } from '../internal/json.ts'
import { checkArgs } from './check-args.ts'
import { defineTool } from './definition.ts'
import { jsonSchema } from './json-schema.ts'
import { settleReturned } from './result/settle-returned.ts'
import type { ParsedToolInput } from './tool-types.ts'

test('gives the model the schema as it was written', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { at: { $ref: '#/$defs/point' } },
    $defs: { point: { type: 'array', prefixItems: [{ type: 'number' }], 'x-unit': 'px' } },
  }

  const tool = toolWith(schema)

  expect(tool.inputJsonSchema).toEqual(schema)
  expect(JSON.stringify(schema)).not.toContain('__absolute')
  expectTypeOf<ParsedToolInput<typeof tool>>().toEqualTypeOf<JsonObject>()
})

test('accepts a frozen schema, and is not changed through the copies it gives', async () => {
  const part = Object.freeze({ type: 'string' })
  const tool = toolWith(
    Object.freeze({ type: 'object', properties: Object.freeze({ a: part, b: part }) }),
  )
  const given = tool.inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  given['properties'] = {}

  expect(tool.inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toEqual({
    type: 'object',
    properties: { a: part, b: part },
  })
  expect((await checkArgs(tool, { b: 1 })).ok).toBe(false)
})

test.for<readonly [schema: object, input: JsonObject, problem: string]>([
  [{ properties: { a: false } }, { a: 1 }, 'a: Nothing is allowed here.'],
  [
    { $defs: { id: { pattern: '^x' } }, properties: { a: { $ref: '#/$defs/id' } } },
    { a: 'y' },
    'a: String does not match pattern.',
  ],
  [
    { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
    { a: 1 },
    'a: Instance does not match any subschemas.; a: Instance type "number" is invalid. Expected "string".; a: Instance type "number" is invalid. Expected "null".',
  ],
  [{ maxProperties: 1 }, { a: 1, b: 1 }, 'Instance does not have at most 1 properties.'],
  [{ properties: { a: { maximum: 3 } } }, { a: 4321 }, 'a: Number is greater than 3.'],
  [{ properties: { a: { multipleOf: 3 } } }, { a: -1e-7 }, 'a: Number is not a multiple of 3.'],
  [{ additionalProperties: { type: 'null' } }, { 'a/b~c#%20 ä': 1 }, 'a/b~c#%20 ä: Instance type'],
  [
    { properties: { a: { enum: ['x', 'y'] } } },
    { a: 'z' },
    'a: Instance does not match any of ["x","y"].',
  ],
  [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { a: { items: [{ type: 'null' }] } },
    },
    { a: [1] },
    'a.0: ',
  ],
  [
    {
      $schema: 'http://json-schema.org/draft-04/schema#',
      properties: { a: { minimum: 1, exclusiveMinimum: true } },
    },
    { a: 1 },
    'a: Number is less than or equal to  1.',
  ],
])('names the place and the problem: %j', async ([schema, input, problem]) => {
  const check = await checkArgs(toolWith({ type: 'object', ...schema }), input)

  expect(check).toEqual({
    ok: false,
    message: expect.stringContaining(`Invalid arguments: ${problem}`),
  })
})

test('fills in no defaults', async () => {
  const tool = toolWith({ type: 'object', properties: { a: { type: 'number', default: 1 } } })

  expect(await checkArgs(tool, {})).toEqual({ ok: true, value: {} })
})

test('survives a schema that is endless', async () => {
  const tool = toolWith({ type: 'object', allOf: [{ $ref: '#' }] })

  expect(await checkArgs(tool, {})).toMatchObject({
    ok: false,
    message: expect.stringContaining('(it takes too many steps)'),
  })
})

test('a schema whose parts double with each level does not hold the page', async () => {
  const twice = (to: string) => ({ allOf: [{ $ref: `#/$defs/${to}` }, { $ref: `#/$defs/${to}` }] })
  const levels = Array.from({ length: 60 }, (_, i) => [`n${i}`, twice(`n${i + 1}`)] as const)
  const $defs = { ...Object.fromEntries(levels), n60: {} }
  const tool = toolWith({ type: 'object', ...twice('n0'), $defs })

  expect(await checkArgs(tool, {})).toEqual({
    ok: false,
    message:
      'The arguments could not be checked: the schema of "remote" failed (it takes too many steps).',
  })
})

const many = (count: number, one: unknown) => Array.from({ length: count }, () => one)
const named = (count: number, one: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, one]))
const names = Object.keys(named(4000, true))
const wide = named(4000, 1)
const long = 'x'.repeat(400_000)

test.for<readonly [what: string, part: object, value: unknown]>([
  ['many allowed values for each item', { items: { enum: names } }, many(8000, 'other')],
  ['many required names for each item', { items: { required: names } }, many(1000, {})],
  ['many properties for each item', { items: { properties: named(4000, true) } }, many(1000, {})],
  [
    'many dependent names for each item',
    { items: { dependentRequired: { a: names } } },
    many(1000, { a: 1 }),
  ],
  ['many parts that are only `true`', { items: { allOf: many(4000, true) } }, many(4000, 1)],
  ['each item again and again', { allOf: many(1000, { items: true }) }, many(4000, 1)],
  ['each name again and again', { allOf: many(1000, { minProperties: 1 }) }, wide],
  ['objects with many names', { enum: many(4000, { b: 1 }) }, wide],
  ['a long text again and again', { allOf: many(1000, { maxLength: 1 }) }, long],
])(
  'a check that takes as many steps as schema and value together does not hold the page: %s',
  async ([, part, value]) => {
    const tool = toolWith({ type: 'object', properties: { a: part } })

    expect(await checkArgs(tool, { a: value })).toMatchObject({
      message: expect.stringContaining('(it takes too many steps)'),
    })
  },
)

test('no format is checked by what takes years for a short text, or is long', async () => {
  const formatted = (format: string) =>
    toolWith({ type: 'object', properties: { a: { type: 'string', format } } })

  const url = { a: `http://${'a'.repeat(60)} ` }
  expect(await checkArgs(formatted('url'), url)).toEqual({ ok: true, value: url })
  const short = { a: 'not an address' }
  expect(await checkArgs(formatted('email'), short)).toMatchObject({ ok: false })
  const endless = { a: short.a.repeat(1000) }
  expect(await checkArgs(formatted('email'), endless)).toEqual({ ok: true, value: endless })
})

test('what an error quotes of a schema is short', async () => {
  const schema = { type: 'object', properties: { a: { enum: names }, b: { const: [long] } } }
  const { issues } = await jsonSchema(schema)['~standard'].validate({ a: 'other', b: [] })

  expect(issues).toHaveLength(2)
  for (const { message } of issues ?? []) expect(message.length).toBeLessThan(500)
  expect(issues?.[0]?.message).toContain('["name0","name1",')
})

test('a large value may have every part of its schema looked at', async () => {
  const tool = toolWith({
    type: 'object',
    properties: {
      all: { type: 'array', items: { anyOf: [{ type: 'null' }, { type: 'number' }] } },
    },
  })

  expect(await checkArgs(tool, { all: Array(200_000).fill(1) })).toMatchObject({ ok: true })
})

test('[S001-9] checks the output of a tool, too', async () => {
  const outputSchema = jsonSchema<{ n: number }>({
    type: 'object',
    properties: { n: { type: 'number' } },
  })
  const tool = defineTool({ ...options, inputSchema: jsonSchema({ type: 'object' }), outputSchema })

  expect(await settleReturned({ n: 1 }, tool)).toMatchObject({
    result: { structuredContent: { n: 1 } },
  })
  expect(await settleReturned({ n: 'one' }, tool)).toMatchObject({
    errorKind: 'invalid_result',
    message: expect.stringContaining('It does not fit outputSchema: n: Instance type "string"'),
  })
})

test.for<readonly [schema: unknown, problem: string]>([
  [{ type: 'string' }, "must describe an object: give it type: 'object'."],
  [{ properties: {} }, "must describe an object: give it type: 'object'."],
  [true, "must describe an object: give it type: 'object'."],
  [[], 'This is no JSON Schema: Instance type "array" is invalid.'],
  [undefined, 'This is no JSON Schema: Instance type "null" is invalid.'],
  [{ type: 'object', properties: { a: { type: 'text' } } }, 'properties.a.type: '],
  [{ type: 'object', properties: { a: 'string' } }, 'properties.a: Instance type "string"'],
  [{ type: 'object', required: 'a' }, 'required: Instance type "string" is invalid.'],
  [{ type: 'object', properties: { a: { pattern: '(' } } }, 'properties.a.pattern: '],
  [{ type: 'object', patternProperties: { '(': {} } }, 'patternProperties.(: '],
  [{ type: 'object', properties: { a: { minLength: -1 } } }, 'properties.a.minLength: '],
  [{ type: 'object', properties: { a: { if: { not: 1 } } } }, 'properties.a.if.not: '],
  [{ type: 'object', anyOf: [] }, 'anyOf: '],
  [
    { type: 'object', properties: { a: { $ref: '#/$defs/b' } } },
    'has no "#/$defs/b". A $ref must lead to',
  ],
  [
    { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } },
    'has no "https://example.com/a.json".',
  ],
  [
    { type: 'object', properties: { a: { $ref: 'https://[' } } },
    'The JSON Schema cannot be used: ',
  ],
  [{ type: 'object', check: () => true }, 'a function at check is not JSON.'],
])('refuses a value that is not a schema of an object: %j', ([schema, problem]) => {
  const make = () => jsonSchema(schema as object)

  expect(make).toThrow(TypeError)
  expect(make).toThrow(problem)
})

test('generates no code, which a strict Content Security Policy forbids', async () => {
  const { Function: original } = globalThis
  let generated = false
  globalThis.Function = new Proxy(original, {
    construct: () => {
      generated = true
      return () => {}
    },
  })
  try {
    await checkArgs(toolWith({ type: 'object', properties: { a: { type: 'string' } } }), {
      a: 1,
    })
  } finally {
    globalThis.Function = original
  }

  expect(generated).toBe(false)
})

const options = { name: 'remote', description: 'Comes from elsewhere.' } as const

function toolWith(schema: object) {
  return defineTool({ ...options, inputSchema: jsonSchema(schema) })
}
