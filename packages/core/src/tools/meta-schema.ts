import type { Schema } from '@cfworker/json-schema'

const schemas: Schema = { type: 'array', minItems: 1, items: { $ref: '#' } }
const schemaMap: Schema = { type: 'object', additionalProperties: { $ref: '#' } }
// A list of names, because an object with a field `then` could be taken for a promise.
const subschemas = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
]
const count: Schema = { type: 'integer', minimum: 0 }
const number: Schema = { type: 'number' }
const names: Schema = { type: 'array', items: { type: 'string' } }
const kind: Schema = {
  enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
}

/**
 * What a JSON Schema is, as far as a validator reads it: a keyword of the wrong kind would be skipped in silence,
 * or break at the first call. Unknown keywords are allowed, as the standard requires.
 */
export const metaSchema: Schema = {
  type: ['object', 'boolean'],
  properties: {
    type: { anyOf: [kind, { type: 'array', items: kind }] },
    enum: { type: 'array' },
    $ref: { type: 'string' },
    format: { type: 'string' },
    pattern: { type: 'string', format: 'regex' },
    uniqueItems: { type: 'boolean' },
    required: names,
    dependentRequired: { type: 'object', additionalProperties: names },
    minimum: number,
    maximum: number,
    exclusiveMinimum: { type: ['number', 'boolean'] },
    exclusiveMaximum: { type: ['number', 'boolean'] },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    prefixItems: schemas,
    items: { anyOf: [{ $ref: '#' }, { type: 'array', items: { $ref: '#' } }] },
    properties: schemaMap,
    patternProperties: { ...schemaMap, propertyNames: { format: 'regex' } },
    dependentSchemas: schemaMap,
    $defs: schemaMap,
    definitions: schemaMap,
    ...Object.fromEntries(subschemas.map((keyword) => [keyword, { $ref: '#' }])),
  },
}
