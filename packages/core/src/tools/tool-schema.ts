import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { isJsonObject, type JsonObject, toJson } from '../internal/json.ts'

/** A schema of any library that follows Standard Schema and Standard JSON Schema: zod 4.2 or newer, for one. */
export interface ToolSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>
}

/** A schema as JSON Schema. `what` names it. Throws a `TypeError` if it has none, or describes no object. */
export function jsonSchemaOf(what: string, schema: ToolSchema): JsonObject {
  // The input side: the output side would make fields with a default required, and throws on transforms.
  const convert = schema?.['~standard']?.jsonSchema?.input
  if (!convert) {
    throw new TypeError(
      `${what} offers no JSON Schema. Use zod 4.2 or newer, or your library's Standard JSON Schema helper.`,
    )
  }
  const converted = toJson(tryConvert(what, () => convert({ target: 'draft-2020-12' })))
  if (!isJsonObject(converted) || converted['type'] !== 'object') {
    throw new TypeError(`${what} must describe an object.`)
  }
  return converted
}

function tryConvert(what: string, convert: () => unknown): unknown {
  try {
    return convert()
  } catch (cause) {
    throw new TypeError(
      `${what} has no JSON Schema form. Use plain JSON types (no Date, BigInt or Map) at the input side.`,
      { cause },
    )
  }
}
