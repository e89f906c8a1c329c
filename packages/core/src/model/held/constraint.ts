import { isList, type Json, type JsonObject } from '../../internal/json.ts'
import { wellFormed } from '../format/sendable.ts'
import type { ToolSpec } from '../port.ts'

/**
 * What an answer must look like where tools are offered: `{ say, calls: [{ tool, arguments }] }`. `say` comes
 * first, so that it can be shown while the rest is being written.
 */
export function answerConstraint(tools: readonly ToolSpec[]): JsonObject {
  const calls = tools.map(({ name, inputSchema }) =>
    closedObject({
      tool: { type: 'string', enum: [name] },
      arguments: { ...shapeOf(inputSchema), type: 'object' },
    }),
  )
  return {
    ...closedObject({
      say: { type: 'string' },
      calls: { type: 'array', items: { anyOf: calls } },
    }),
    required: ['say'],
  }
}

/** Instructions how to call a tool. `writesSchemas`: the engine does not show the model the constraint. */
export function toolInstructions(tools: readonly ToolSpec[], writesSchemas: boolean): string {
  const list = tools.map(({ name, description, inputSchema }) => {
    const schema = writesSchemas ? ` Its arguments: ${JSON.stringify(inputSchema)}` : ''
    return `- ${name}: ${wellFormed(description)}${schema}`
  })
  return [
    'Answer with one JSON object. "say" is what the user reads; it may be empty.',
    'To use tools, add "calls": [{"tool": name, "arguments": {…}}]. Their results come in the next message.',
    'Leave "calls" out when you have all you need. The tools:',
    ...list,
  ].join('\n')
}

function closedObject(properties: JsonObject): JsonObject {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

type Below = 'value' | 'schema' | 'schemas' | 'named schemas'

/** Keywords that say what a value is made of, and what is below each. */
const keywords: ReadonlyMap<string, Below> = new Map<string, Below>([
  ['type', 'value'],
  ['description', 'value'],
  ['enum', 'value'],
  ['const', 'value'],
  ['required', 'value'],
  ['items', 'schema'],
  ['additionalProperties', 'schema'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['properties', 'named schemas'],
])

/** Pairs of keywords: without the first one, the second would forbid more than the whole schema does. */
const companions: ReadonlyMap<string, string> = new Map([
  ['patternProperties', 'additionalProperties'],
  ['prefixItems', 'items'],
])

/**
 * A schema without all that an engine may refuse to be held to (patterns, formats, ranges, references). It
 * allows more than the whole schema, and the arguments are checked against that before a tool runs.
 */
function shapeOf(schema: JsonObject): JsonObject {
  const shape = Object.entries(schema).flatMap(([keyword, value]): (readonly [string, Json])[] => {
    const kind = keywords.get(keyword)
    if (kind === undefined || value === undefined) return []
    return [[keyword === 'oneOf' ? 'anyOf' : keyword, shapesIn(kind, value)]]
  })
  const misleading = [...companions].flatMap(([missing, keyword]) =>
    missing in schema ? keyword : [],
  )
  return Object.fromEntries(shape.filter(([keyword]) => !misleading.includes(keyword)))
}

function shapesIn(kind: Below, value: Json): Json {
  if (kind === 'value' || typeof value !== 'object' || value === null) return value
  // A list of schemas in place of one is the older form of `prefixItems`.
  if (isList(value))
    return kind === 'schemas' ? value.map((each) => shapesIn('schema', each)) : true
  if (kind !== 'named schemas') return shapeOf(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shapesIn('schema', each ?? {})]),
  )
}
