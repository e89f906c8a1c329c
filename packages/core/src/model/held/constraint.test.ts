import { Validator } from '@cfworker/json-schema'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../internal/json.ts'
import { answerConstraint } from './constraint.ts'

test('a constraint uses only known keywords, and forbids nothing that a tool allows', () => {
  const inputSchema: JsonObject = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['city'],
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    $defs: { tree: { type: 'object' } },
    properties: {
      city: { type: 'string', minLength: 1, pattern: '^K', description: 'Where.' },
      tree: { $ref: '#/$defs/tree' },
      pattern: { oneOf: [{ type: 'number', minimum: 0 }, { const: null }] },
      pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      older: { type: 'array', items: [{ type: 'string' }] },
      open: { type: 'object', additionalProperties: { type: 'integer', maximum: 5 } },
      maybe: { enum: ['a', 1, null] },
    },
  }
  const tools = [{ name: 'clock', description: 'Tells the time.', inputSchema }]

  const constraint = answerConstraint(tools)

  expect(constraint).toMatchObject({
    properties: {
      calls: {
        items: {
          anyOf: [
            {
              properties: {
                tool: { enum: ['clock'] },
                arguments: {
                  type: 'object',
                  required: ['city'],
                  properties: {
                    city: { type: 'string', description: 'Where.' },
                    tree: {},
                    pattern: { anyOf: [{ type: 'number' }, { const: null }] },
                    pair: { type: 'array' },
                    older: { type: 'array', items: true },
                    open: { additionalProperties: { type: 'integer' } },
                    maybe: { enum: ['a', 1, null] },
                  },
                },
              },
            },
          ],
        },
      },
    },
  })
  expect(JSON.stringify(constraint)).not.toMatch(/\$|minLength|\^K|prefixItems|minimum|maximum/)
  expect(allows(constraint, { city: 'K', 'x-more': 1, pair: ['a'], pattern: null })).toBe(true)
  expect(allows(constraint, { tree: {} })).toBe(false)
})

function allows(constraint: JsonObject, args: JsonObject): boolean {
  const written = { say: '', calls: [{ tool: 'clock', arguments: args }] }
  return new Validator({ ...constraint }, '2020-12').validate(written).valid
}
