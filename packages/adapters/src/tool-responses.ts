import { type ToolResultValue, toolResult } from '@offthread/core/worker'

/**
 * A result that is data: the model reads the message, then the data; the page gets the data. Throws nothing.
 *
 * @example
 * ```ts
 * return dataResponse({ data: prices, message: `Prices of ${symbol} in euro` })
 * ```
 */
export function dataResponse<Data>(response: {
  readonly data: Data
  readonly message?: string
}): ToolResultValue<Data> {
  const { data, message } = response
  return toolResult({ output: data, ...(message !== undefined && { message }) })
}

/**
 * A result of something done: the model reads the message, then the data if there is any. Throws nothing.
 *
 * @example
 * ```ts
 * return toolSuccess({ message: 'The mail was sent.' })
 * ```
 */
export function toolSuccess<Data = undefined>(
  success: {
    readonly message?: string
  } & (undefined extends Data ? { readonly data?: Data } : { readonly data: Data }),
): ToolResultValue<Data>
export function toolSuccess({
  data,
  message,
}: {
  readonly data?: unknown
  readonly message?: string
}): ToolResultValue {
  return toolResult({ output: data, ...(message !== undefined && { message }) })
}
