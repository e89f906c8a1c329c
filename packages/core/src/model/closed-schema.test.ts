import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../internal/json.ts'
import { jsonSchema } from '../tools/json-schema.ts'
import { jsonSchemaOf } from '../tools/tool-schema.ts'
import { anthropicProblems } from './anthropic/strict.fixtures.ts'
import { closedSchema } from './closed-schema.ts'
import { openaiProblems } from './openai/strict.fixtures.ts'

const user = { role: 'user', content: 'Hi' }

/** What the providers would refuse in it. */
function problemsWith(schema: object, isStrict: boolean): readonly string[] {
  const openai = { name: 'answer', strict: isStrict, schema }
  const anthropic = { type: 'json_schema', schema }
  return [
    ...openaiProblems({
      model: 'm',
      messages: [user],
      response_format: { type: 'json_schema', json_schema: openai },
    }),
    ...anthropicProblems({
      model: 'm',
      max_tokens: 9,
      messages: [user],
      output_config: { format: anthropic },
    }),
  ]
}

function closedOf(schema: z.ZodObject) {
  return closedSchema(jsonSchemaOf('It', schema))
}

describe('[O14] a schema in the words of providers', () => {
  test('closes objects, writes references out, and says the rest in descriptions', () => {
    const point = z.object({ x: z.int().min(1) }).meta({ id: 'point' })
    const schema = z.object({
      from: point,
      to: point.nullable().describe('Where to.'),
      name: z.string().max(9).optional(),
      kind: z.enum(['a', 'b']),
    })
    const x = {
      type: 'integer',
      description: '{minimum: 1, maximum: 9007199254740991}',
    }
    const closedPoint = {
      type: 'object',
      properties: { x },
      required: ['x'],
      additionalProperties: false,
    }

    expect(closedOf(schema)).toEqual({
      schema: {
        type: 'object',
        properties: {
          from: closedPoint,
          to: expect.objectContaining({ anyOf: expect.any(Array), description: 'Where to.' }),
          name: { type: 'string', description: '{maxLength: 9}' },
          kind: { enum: ['a', 'b'] },
        },
        required: ['from', 'to', 'kind'],
        additionalProperties: false,
      },
      isStrict: false,
    })
  })

  test.for<[string, JsonObject]>([
    ['a record', { type: 'object', additionalProperties: { type: 'string' } }],
    ['anything', { type: 'object', properties: { a: {} } }],
    ['a tuple', objectOf({ type: 'array', prefixItems: [{ type: 'string' }] })],
    ['a list of anything', objectOf({ type: 'array' })],
    ['both of two', objectOf({ allOf: [{ type: 'string' }] })],
    ['no choice', objectOf({ anyOf: [] })],
    ['itself', { type: 'object', properties: { a: { $ref: '#' } } }],
    [
      'a part that contains itself',
      { ...objectOf({ $ref: '#/$defs/a' }), $defs: { a: objectOf({ $ref: '#/$defs/a' }) } },
    ],
    ['a constant object', objectOf({ const: { b: 1 } })],
    ['what is not there', objectOf({ $ref: '#/$defs/__proto__' })],
    ['far too much, once it is written out', bomb()],
  ])('is none for %s', ([, schema]) => {
    expect(closedSchema(schema)).toBeNull()
  })

  test('is one that both providers take, and what fits it fits the schema, but for the limits', () => {
    fc.assert(
      fc.property(anyObject, (schema) => {
        const closed = closedSchema(schema)
        expect(closed).not.toBeNull()
        if (!closed) return
        expect(problemsWith(closed.schema, closed.isStrict)).toEqual([])
        const example = exampleOf(closed.schema)
        const checked = jsonSchema(schema)['~standard'].validate(example)
        expect(checked).not.toHaveProperty('issues')
      }),
    )
  })
})

function objectOf(a: JsonObject): JsonObject {
  return { type: 'object', properties: { a } }
}

function bomb(): JsonObject {
  const level = (n: number): JsonObject =>
    n === 12
      ? { type: 'string' }
      : {
          type: 'object',
          properties: { a: { $ref: `#/$defs/${n + 1}` }, b: { $ref: `#/$defs/${n + 1}` } },
        }
  const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [n + 1, level(n + 1)]))
  return { ...level(0), $defs }
}

const { object: anyObject } = fc.letrec<{ object: JsonObject; part: JsonObject }>((tie) => ({
  object: fc
    .record({
      fields: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('part'), { maxKeys: 3 }),
      isOpen: fc.boolean(),
      isWhole: fc.boolean(),
    })
    .map(({ fields, isOpen, isWhole }) => ({
      type: 'object',
      properties: fields,
      ...(isWhole && { required: Object.keys(fields) }),
      ...(!isOpen && { additionalProperties: false }),
      description: 'An object.',
    })),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonObject>(
      { type: 'string', pattern: '.*' },
      { type: 'integer', maximum: 9 },
      { type: ['boolean', 'null'] },
      { enum: ['x', 1, null] },
      { const: 'y', title: 'Y' },
    ),
    tie('object'),
    tie('part').map((items) => ({ type: 'array', items, maxItems: 3 })),
    fc.array(tie('part'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
  ),
}))

/** Some value of a closed schema. */
function exampleOf(part: unknown): unknown {
  const { type, properties, items, anyOf, enum: values, const: only } = part as JsonObject
  if (only !== undefined) return only
  if (Array.isArray(values)) return values[0]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (type === 'array') return [exampleOf(items)]
  if (type === 'string') return ''
  if (type === 'integer') return 0
  if (type !== 'object') return null
  const fields = Object.entries(properties as JsonObject)
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]))
}
