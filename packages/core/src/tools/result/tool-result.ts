import { isObject } from '../../internal/json.ts'
import type { ContentInput } from '../content.ts'

const brand: unique symbol = Symbol.for('@offthread/core/tool-result')

/**
 * Bytes a tool returns. `mediaType` defaults to that of the Blob, else `application/octet-stream`. A buffer moves to
 * the page: in a worker that is used again (`keep: 'reuse'`), return a copy of one that the next call needs.
 */
export interface ArtifactInput {
  readonly name: string
  readonly mediaType?: string
  readonly data: Blob | ArrayBuffer | ArrayBufferView | string
}

/** The parts of a result. Each may be left out. */
export interface ToolResultInput {
  /** The typed output; it becomes `structuredContent`, which the model never sees. */
  readonly output?: unknown
  /** A sentence for the model, before the content. */
  readonly message?: string
  /** What the model reads. Default: the output, as JSON text unless it is a string. */
  readonly content?: ContentInput
  /** Anything JSON for the page, for instance what a card draws. The model never sees it. */
  readonly details?: unknown
  /** Bytes; the result holds a label for each, the bytes go to the artifact store. */
  readonly artifacts?: readonly ArtifactInput[]
  /** The run should end after this batch of calls, if every call of it says so. */
  readonly terminate?: boolean
}

/** The value that `toolResult` returns. */
export interface ToolResultValue<Output = unknown> extends ToolResultInput {
  readonly [brand]: true
  readonly output: Output
}

/**
 * A result with more than an output: other content for the model, details for the page, bytes, or the wish to
 * end the run. Return it from an implementation. Never throws: an invalid result fails the call.
 *
 * @example
 * ```ts
 * return toolResult({
 *   output: { rows: rows.length },
 *   content: `${rows.length} rows, written to table.csv`,
 *   artifacts: [{ name: 'table.csv', mediaType: 'text/csv', data: csv }],
 * })
 * ```
 */
export function toolResult<Output>(
  result: ToolResultInput & { readonly output: Output },
): ToolResultValue<Output>
export function toolResult(
  result: ToolResultInput & { readonly output?: undefined },
): ToolResultValue<undefined>
export function toolResult(result: ToolResultInput): ToolResultValue {
  return { ...result, output: result.output, [brand]: true }
}

/** Marks the fields of a result again, which JSON leaves without the mark. */
export function markedAgain(fields: object): object {
  return { ...fields, [brand]: true }
}

/** Whether a value was made by `toolResult`, of this or of another copy of this module. */
export function isToolResultValue(value: unknown): value is ToolResultValue {
  return isObject(value) && Reflect.get(value, brand) === true
}
