import { hostedTools, specsOf } from '../agent/settings.ts'
import type { ToolSpec } from '../model/port.ts'
import type { ToolHost } from '../tools/host.ts'

/**
 * What a model is told of tools: what `formatForAnthropic` and `formatForOpenAI` take, made of what `query`,
 * `executeToolCalls` and `createAgent` take.
 *
 * Throws a `TypeError` for two tools of one name.
 *
 * @example
 * ```ts
 * const fields = formatForOpenAI(messages, { tools: toolSpecs(tools) })
 * ```
 */
export function toolSpecs(hosts: ToolHost | readonly ToolHost[]): readonly ToolSpec[] {
  return specsOf(hostedTools(hosts))
}
