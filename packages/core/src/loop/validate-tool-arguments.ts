import type { JsonObject } from '../internal/json.ts'
import { readArgs } from '../kernel/message.ts'
import { checkArgs } from '../tools/check-args.ts'
import type { Tool } from '../tools/definition.ts'
import { ToolError } from '../tools/tool-error.ts'
import type { ParsedToolInput } from '../tools/tool-types.ts'

/** The arguments of a call: as the model wrote them, or read already. */
export type ToolArguments = { readonly argsText: string } | { readonly args: JsonObject }

/**
 * Checks the arguments of a call as an agent does before it runs the tool: strict JSON, an object, and what the
 * tool's `inputSchema` asks for. Resolves with the schema's output, its defaults and transforms applied.
 *
 * Rejects with a `ToolError` of the kind `invalid_args` that names path and problem in at most 1,000 characters
 * and can go to the model as it is.
 *
 * @example
 * ```ts
 * const { n } = await validateToolArguments(countPrimes, { argsText: '{"n":10}' })
 * ```
 */
export async function validateToolArguments<T extends Tool>(
  tool: T,
  call: ToolArguments,
): Promise<ParsedToolInput<T>>
export async function validateToolArguments(tool: Tool, call: ToolArguments): Promise<unknown> {
  const reading = 'args' in call ? { ok: true as const, args: call.args } : readArgs(call.argsText)
  if (!reading.ok) throw ToolError.invalidArgs(reading.problem)
  const check = await checkArgs(tool, reading.args)
  if (!check.ok) throw ToolError.invalidArgs(check.message)
  return check.value
}
