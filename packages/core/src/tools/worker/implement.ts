import { isList, isObject } from '../../internal/json.ts'
import type { Tool } from '../definition.ts'
import type { LlmContent } from '../result/llm-content.ts'
import type { ToolResultValue } from '../result/tool-result.ts'
import type { ToolError } from '../tool-error.ts'
import type { ToolSchema } from '../tool-schema.ts'
import type { ParsedToolInput, ToolReturn } from '../tool-types.ts'
import type { ToolContext } from './context.ts'

/**
 * What an implementation may return: the output by its `outputSchema`, bare or in `toolResult`, with or without
 * `toLlmContent`; or a `ToolError`, which is as good as throwing it.
 */
export type ToolAnswer<T extends Tool> = T['outputSchema'] extends ToolSchema
  ? ToolReturn<T> | (ToolReturn<T> & LlmContent) | ToolResultValue<ToolReturn<T>> | ToolError
  : unknown

/**
 * The code of a tool. Its input was checked by the tool's `inputSchema`, and has its defaults and transforms.
 *
 * @example
 * ```ts
 * const execute: Execute<typeof countPrimes> = ({ n }, { onProgress }) => ({ count: primesBelow(n) })
 * export default execute
 * ```
 */
export type Execute<T extends Tool> = (
  input: ParsedToolInput<T>,
  context: ToolContext,
) => ToolAnswer<T> | Promise<ToolAnswer<T>>

/**
 * What became of a call whose page ended while its code ran: it was done, with this result; nothing of it was done, so that
 * it may run again; or that cannot be said.
 */
export type CallFate<T extends Tool> =
  | { readonly status: 'done'; readonly result: ToolAnswer<T> }
  | { readonly status: 'not_done' | 'unknown' }

/** The options of an implementation. */
interface ImplementOptions<T extends Tool> {
  /**
   * For a tool with `onInterrupt: 'check'`: says what became of a call that was cut off with its page, which it finds by
   * its input and `context.toolCallId`. A throw is as good as `'unknown'`.
   */
  check?(
    this: void,
    input: ParsedToolInput<T>,
    context: ToolContext,
  ): CallFate<T> | Promise<CallFate<T>>
}

/** A module whose default export is the code of a tool. */
interface ToolModule<T extends Tool> {
  readonly default: Execute<T>
}

/** A tool together with its code. Made by `implement`. */
export interface Implementation<T extends Tool = Tool> {
  readonly tool: T
  // A method, so that code for a narrower input is still an `Implementation`.
  code(input: unknown, context: ToolContext): unknown
  /** Says what became of a call that was cut off with its page: a `CallFate`. */
  check?(this: void, input: unknown, context: ToolContext): unknown
}

/**
 * Says what a tool does: with a function, or with one that imports the module whose default export is the
 * function. The second form keeps heavy code out of the worker's start, and lets the engine cache it.
 *
 * The types of input and output are those of the tool's schemas; a tool that was not defined cannot be
 * implemented. Throws a `TypeError` for anything but a function, and for a tool with `onInterrupt: 'check'` without `check`.
 *
 * @example
 * ```ts
 * serveTools([
 *   implement(countPrimes, async ({ n }, { signal }) => ({ count: await count(n, signal) })),
 *   implement(drawChart, () => import('./draw-chart.ts')),
 *   implement(sendInvoice, send, {
 *     check: async (input, { toolCallId }) => {
 *       const sent = await findInvoice(toolCallId)
 *       return sent ? { status: 'done', result: sent } : { status: 'not_done' }
 *     },
 *   }),
 * ])
 * ```
 */
export function implement<T extends Tool, Returned = unknown>(
  tool: T,
  code: Code<T, Returned>,
  ...rest: Rest<T, Returned>
): Implementation<T> {
  const [options] = rest
  const check = isObject(options) ? options['check'] : undefined
  if (!isCode(code)) {
    throw new TypeError(`implement needs a function for tool "${tool.name}".`)
  }
  if (tool.onInterrupt === 'check' && !isCode(check)) {
    throw new TypeError(
      `Tool "${tool.name}" has onInterrupt: 'check', so implement needs a third argument: { check: (input, context) => … }.`,
    )
  }
  return { tool, code, ...(isCode(check) && { check }) }
}

/** Throws a `TypeError` for what `implement` has not made: a tool without its code, or one that is not in a list. */
export function checkImplementations(given: unknown, taker: string): void {
  const isOne = (one: unknown) => isObject(one) && isObject(one['tool']) && isCode(one['code'])
  if (isList(given) && given.every(isOne)) return
  throw new TypeError(`${taker} takes a list of what implement(tool, …) gives.`)
}

function isCode(value: unknown): value is Implementation['code'] {
  return typeof value === 'function'
}

type TypedTool = Tool<string, ToolSchema, ToolSchema>

/**
 * The conditional type stands around the whole function type, because only so the compiler infers the expected output
 * inside the function.
 */
type Code<T extends Tool, Returned> = T extends TypedTool
  ? (
      input: ParsedToolInput<T>,
      context: ToolContext,
    ) => ToolAnswer<T> | Promise<ToolAnswer<T> | ToolModule<T>>
  : (input: ParsedToolInput<T>, context: ToolContext) => Returned

/**
 * A tool without an `outputSchema` may return anything, also a module of the wrong form: then this asks for an
 * argument that cannot be given.
 */
type Rest<T extends Tool, Returned> = T extends TypedTool
  ? [options?: ImplementOptions<T>]
  : Awaited<Returned> extends ToolModule<T>
    ? [options?: ImplementOptions<T>]
    : Awaited<Returned> extends { readonly default: (...values: never) => unknown }
      ? [error: 'The default export of the module does not fit the tool.']
      : [options?: ImplementOptions<T>]
