import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Json } from '../internal/json.ts'
import type { Tool } from './definition.ts'
import type { ToolSchema } from './tool-schema.ts'

/** What a caller passes to a tool: the input before defaults and transforms. */
export type ToolInput<T extends Tool> = StandardSchemaV1.InferInput<T['inputSchema']>

/** What an implementation receives: the input after defaults and transforms. */
export type ParsedToolInput<T extends Tool> = StandardSchemaV1.InferOutput<T['inputSchema']>

/** What an implementation returns: by its `outputSchema`, else anything that can be made JSON. */
export type ToolReturn<T extends Tool> = T['outputSchema'] extends ToolSchema
  ? StandardSchemaV1.InferInput<T['outputSchema']>
  : unknown

/**
 * What a result's `structuredContent` holds: what the `outputSchema` gives, made JSON, else unknown. Where a transform
 * gives what JSON cannot hold as it is, such as a `Date`, it is just `Json`.
 */
export type ToolOutput<T extends Tool> = T['outputSchema'] extends ToolSchema
  ? StoredAs<StandardSchemaV1.InferOutput<T['outputSchema']>>
  : unknown

type StoredAs<Output> = unknown extends Output ? Output : Output extends Json ? Output : Json

/** The tools of some hosts, as they are given to an agent. */
export type ToolsOf<Hosts> = Hosts extends readonly (infer Host)[] ? ToolIn<Host> : ToolIn<Hosts>

type ToolIn<Host> = Host extends { readonly tools: readonly (infer T extends Tool)[] } ? T : never

/** What a call of a tool is made with: an object. */
export type ToolArgs<T extends Tool> = NonNullable<ToolInput<T>>
