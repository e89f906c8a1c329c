import type { Tool } from '../definition.ts'
import type { ToolHost } from '../host.ts'
import { checkHostTools } from '../host-tools.ts'
import { lateExecution } from './late-execution.ts'

/**
 * Tools that have no code: each call waits until the user interface answers it with
 * `agent.addToolResult(toolCallId, result)`. For what only a person can do or say.
 *
 * Throws a `TypeError` for an empty list, two tools of one name, and a tool whose place is not `'client'`.
 *
 * @example
 * ```ts
 * const tools = inClient([pickDate])
 * const agent = createAgent({ model, tools })
 * agent.addToolResult(toolCallId, { date: '2026-03-01' })
 * ```
 */
export function inClient<const T extends Tool>(tools: readonly T[]): ToolHost<T> {
  checkHostTools(tools, 'client')
  return {
    tools,
    open: ({ name }) => lateExecution(Promise.reject(answeredByPeople(name))),
    // Tools without code have none that could be missing.
    check: () => Promise.resolve(),
  }
}

function answeredByPeople(name: string): Error {
  return new Error(
    `Tool "${name}" is answered by the user interface and runs nowhere. Answer its call with agent.addToolResult(toolCallId, result).`,
  )
}
