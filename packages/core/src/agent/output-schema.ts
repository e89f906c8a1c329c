import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonObject } from '../internal/json.ts'
import type { ToolSchema } from '../tools/tool-schema.ts'

/**
 * What an answer has to be: a schema of any library that follows Standard Schema and Standard JSON Schema, or JSON
 * Schema itself. It must describe an object.
 */
export type OutputSchema = ToolSchema<object> | JsonObject

/** What an answer that fits gives: the schema's own output, its defaults and transforms applied. */
export type OutputOf<Schema extends OutputSchema> = Schema extends ToolSchema
  ? StandardSchemaV1.InferOutput<Schema>
  : JsonObject

/** The part of an answer that is there while it is written: anything may be missing, and texts may still grow. */
export type PartialOutput<Schema extends OutputSchema> = Schema extends ToolSchema
  ? Partially<StandardSchemaV1.InferInput<Schema>>
  : JsonObject

type Partially<Value> = Value extends readonly (infer Item)[]
  ? readonly Partially<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Partially<Value[Key]> }
    : Value

/** The answer that is asked for. */
export interface OutputOptions<Schema extends OutputSchema = OutputSchema> {
  /** The schema of the answer. The value that it returns is `output` of the result. */
  readonly output: Schema
  /** How often the model is asked to mend an answer that does not fit: each is a turn. Default 2. */
  readonly maxRepairs?: number
  // A method, so that options for one schema are assignable to options for any.
  /** Called with what is written so far, unchecked, at most once per frame, and with the end of an answer. */
  onPartial?(this: void, partial: PartialOutput<Schema>): void
}
