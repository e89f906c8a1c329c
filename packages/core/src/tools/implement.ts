import type { ToolContext } from './context.ts'
import type { ParsedToolInput, Tool, ToolReturn } from './definition.ts'
import type { ToolResultValue } from './tool-result.ts'

/** What an implementation may return: the output by its `outputSchema`, bare or in `toolResult`. */
export type ToolAnswer<T extends Tool> =
  T['outputSchema'] extends NonNullable<Tool['outputSchema']>
    ? ToolReturn<T> | ToolResultValue<ToolReturn<T>>
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

/** A module whose default export is the code of a tool. */
export interface ToolModule<T extends Tool> {
  readonly default: Execute<T>
}

/** A tool together with its code. Made by `implement`. */
export interface Implementation<T extends Tool = Tool> {
  readonly tool: T
  // A method, so that code for a narrower input is still an `Implementation`.
  code(input: unknown, context: ToolContext): unknown
}

/**
 * Says what a tool does: with a function, or with one that imports the module whose default export is the
 * function. The second form keeps heavy code out of the worker's start, and lets the engine cache it.
 *
 * The types of input and output are those of the tool's schemas; a tool that was not defined cannot be
 * implemented.
 *
 * @example
 * ```ts
 * serveTools([
 *   implement(countPrimes, async ({ n }, { signal }) => ({ count: await count(n, signal) })),
 *   implement(drawChart, () => import('./draw-chart.ts')),
 * ])
 * ```
 */
export function implement<T extends Tool, Returned extends Source<T>>(
  tool: T,
  code: (input: ParsedToolInput<T>, context: ToolContext) => Returned,
  ..._misfit: Misfit<T, Returned>
): Implementation<T> {
  return { tool, code }
}

type Source<T extends Tool> = ToolAnswer<T> | Promise<ToolAnswer<T> | ToolModule<T>>

/**
 * A tool without an `outputSchema` may return anything, also a module of the wrong form: this asks for an
 * argument that nobody can give.
 */
type Misfit<T extends Tool, Returned> =
  Awaited<Returned> extends ToolModule<T>
    ? []
    : Awaited<Returned> extends { readonly default: (...values: never) => unknown }
      ? [error: 'The default export of the module does not fit the tool.']
      : []
