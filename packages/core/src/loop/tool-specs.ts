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
  const list: readonly ToolHost[] = 'open' in hosts ? [hosts] : hosts
  const specs = list
    .flatMap((host) => host.tools)
    .map(({ name, description, inputJsonSchema }) => ({
      name,
      description,
      inputSchema: inputJsonSchema,
    }))
  const names = new Set<string>()
  for (const { name } of specs) {
    if (names.has(name))
      throw new TypeError(`Duplicate tool name: ${name}. Give one of them another name.`)
    names.add(name)
  }
  return specs
}
