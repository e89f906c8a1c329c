import { hostedTools, specsOf } from '../agent/settings.ts'
import type { ToolSpec } from '../model/port.ts'
import type { ToolHost } from '../tools/host.ts'

/**
 * Describes tools for a model: turns what `createAgent`, `query` and `executeToolCalls` take into what
 * `formatForAnthropic` and `formatForOpenAI` take.
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
