import { defined } from '../../internal/defined.ts'
import { isList, isObject } from '../../internal/json.ts'
import { maxDepth } from '../../internal/read-json.ts'
import { readParts, toParts } from '../content.ts'
import type { Tool } from '../definition.ts'
import { isToolResultValue, type ToolResultInput } from './tool-result.ts'

/** The parts of what a tool returned. `isError`: the tool says that the call failed. */
export type Returned = ToolResultInput & { readonly isError?: boolean }

/**
 * Reads what a tool returned: a result, or data. A result is what `toolResult` made, a list of parts, or an object
 * with `content` and no field that a result does not have. Throws a `TypeError` for what only resembles a result:
 * taken for data, its details would reach the model.
 */
export function readReturned(
  value: unknown,
  { outputSchema }: Pick<Tool, 'outputSchema'>,
): Returned {
  if (isToolResultValue(value)) return value
  const list = readParts(value)
  if (list && list.length > 0) return { content: list }
  if (!outputSchema && isListOfResults(value)) {
    throw new TypeError(`it is a list of results. ${advice}`)
  }
  const fields = fieldsOf(value)
  // What the schema of a tool describes is data, unless it is marked as a result.
  const isResult = outputSchema ? isMarked(fields) : resemblesResult(fields)
  return isResult ? readResult(fields) : { output: value }
}

/** Fields of a result, ours or MCP's, that the model never reads. */
const unread = ['details', 'structuredContent', '_meta', 'artifacts']
/** The fields that tell a result from plain data. */
const marks = [...unread, 'isError', 'terminate']
const known = ['content', ...marks]
/** Further fields that `toolResult` takes. */
const unwrapped = ['output', 'message']

type Fields = { readonly [key: string]: unknown }

/** The fields of the JSON that a value becomes; none for a value that is no object, or has a `toLlmContent`. */
function fieldsOf(value: unknown, depth = 0): Fields {
  if (!isObject(value) || depth > maxDepth) return {}
  const { toJSON, toLlmContent } = value
  if (typeof toLlmContent === 'function') return {}
  // The value that `toJSON` returns may have a `toJSON` as well; the fields are those of the last one.
  if (typeof toJSON === 'function') return fieldsOf(toJSON.call(value), depth + 1)
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
}

function isMarked(fields: Fields): boolean {
  const hasMark = 'structuredContent' in fields || 'isError' in fields
  return hasMark && isPlain(fields)
}

function resemblesResult(fields: Fields): boolean {
  const isMarkedOne = Object.keys(fields).some((name) => marks.includes(name))
  if (!('content' in fields)) {
    return isMarkedOne && unknownIn(fields).every((name) => unwrapped.includes(name))
  }
  const { content } = fields
  return isMarkedOne || typeof content === 'string' || readParts(content) !== undefined
}

// Whether an item of a list hides a field from the model. Such an item must have no other fields than a result: rows of
// a table may have such columns as well.
function isListOfResults(value: unknown): boolean {
  // `Object.values` skips holes: `some` would visit each place of a huge empty list.
  const items: readonly unknown[] = isList(value) ? Object.values(value) : []
  return items.some((one) => isObject(one) && hides(one) && isPlain(one))
}

/** Whether an object has a field that the model never reads. */
function hides(fields: Fields): boolean {
  return unread.some((name) => fields[name] !== undefined)
}

function isPlain(fields: Fields): boolean {
  return 'content' in fields && unknownIn(fields).length === 0
}

function unknownIn(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((name) => !known.includes(name))
}

function readResult(fields: Fields): Returned {
  const { details, structuredContent, artifacts, isError, terminate } = fields
  if (!('content' in fields)) {
    throw new TypeError(`it has fields of a result, but no content. ${advice}`)
  }
  const unknown = unknownIn(fields).map((name) => `"${name.slice(0, 100)}"`)
  if (unknown.length > 0) {
    throw new TypeError(
      `it has content like a result, and unknown fields: ${unknown.slice(0, 5).join(', ')}. ${advice}`,
    )
  }
  if (isError !== undefined && typeof isError !== 'boolean') {
    throw new TypeError('isError must be true or false')
  }
  if (artifacts !== undefined && !Array.isArray(artifacts)) {
    throw new TypeError('artifacts must be a list of { name, mediaType, data }')
  }
  return {
    content: toParts(fields['content']),
    details,
    output: structuredContent,
    ...defined({ artifacts }),
    isError: isError === true,
    terminate: terminate === true,
  }
}

const advice =
  'Return toolResult({ output, content, details }), or declare an outputSchema if all of it is data.'
