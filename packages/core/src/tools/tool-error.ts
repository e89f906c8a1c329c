import { isObject } from '../internal/json.ts'
import type { ToolErrorKind } from '../kernel/tool-outcome.ts'

/** How a tool itself says that it failed. */
export type ToolErrorReason = Extract<
  ToolErrorKind,
  'failed' | 'not_found' | 'invalid_args' | 'cancelled'
>

/**
 * A failure that a tool reports on purpose, thrown or returned. Its message goes to the model, so it says what could be done
 * differently. Any other error a tool throws counts as `failed`.
 *
 * @example
 * ```ts
 * throw ToolError.notFound(`There is no city called "${city}". Ask for the country.`)
 * ```
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly kind: ToolErrorReason

  constructor(kind: ToolErrorReason, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }

  /** The tool did not succeed. */
  static failed(message: string): ToolError {
    return new ToolError('failed', message)
  }

  /** The thing that was asked for does not exist. */
  static notFound(message: string): ToolError {
    return new ToolError('not_found', message)
  }

  /** The arguments fit the schema but make no sense. */
  static invalidArgs(message: string): ToolError {
    return new ToolError('invalid_args', message)
  }

  /** The tool ended its work early, by itself or because its user asked for it. The model always reads a text. */
  static cancelled(message = 'The tool cancelled its work.'): ToolError {
    return new ToolError('cancelled', message)
  }
}

const reasons: readonly ToolErrorReason[] = ['failed', 'not_found', 'invalid_args', 'cancelled']

/** Whether a value is an error. One of another realm, such as a frame, is no instance of `Error`. */
export function isError(value: unknown): value is Error {
  const kind = Object.prototype.toString.call(value)
  return kind === '[object Error]' || kind === '[object DOMException]' || value instanceof Error
}

/** Whether a value is a `ToolError`, of this or of another copy of this module. */
export function isToolError(value: unknown): value is ToolError {
  // A plain object that looks like one is data.
  if (Object.prototype.toString.call(value) !== '[object Error]') return false
  return isObject(value) && value['name'] === 'ToolError' && kindIn(value) !== undefined
}

/** The kind of what a tool threw. Looks at the shape: a bundle may hold this module twice. */
export function reasonOf(error: unknown): ToolErrorReason {
  if (!isObject(error) || error['name'] !== 'ToolError') return 'failed'
  return kindIn(error) ?? 'failed'
}

function kindIn(error: { readonly [key: string]: unknown }): ToolErrorReason | undefined {
  return reasons.find((reason) => reason === error['kind'])
}
