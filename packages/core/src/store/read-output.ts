import { isObject, type JsonObject } from '../internal/json.ts'
import { partialJson } from '../internal/partial-json.ts'
import { outputTextOf } from '../kernel/output-text.ts'
import type { ChatMessage } from './agent-state.ts'

/**
 * The JSON object in an answer that may still be written, unchecked: texts may still grow, and fields may still come.
 * `undefined` for a message that is no JSON object.
 *
 * @example
 * ```ts
 * const { messages, output } = agent.getState()
 * const found = output === 'there' && readOutput(messages.at(-1))
 * ```
 */
export function readOutput(message: ChatMessage | undefined): JsonObject | undefined {
  if (message?.role !== 'assistant') return undefined
  const value = partialJson(outputTextOf(message.content))
  return isObject(value) ? value : undefined
}
