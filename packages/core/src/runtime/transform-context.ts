import { isList, isObject } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import type { Message } from '../kernel/message.ts'
import { type AgentHooks, callHook, hookFailure, type Patience } from './hooks.ts'

/** The messages of a request as the hooks leave them. Rejects if one fails or gives no messages. */
export async function transformed(
  own: readonly Message[],
  hooks: readonly AgentHooks[],
  patience: Patience,
): Promise<readonly Message[]> {
  try {
    let messages = own
    for (const { transformContext } of hooks) {
      if (!transformContext) continue
      // A copy, so that a hook can change the request but not the history.
      const before = structuredClone(messages)
      messages = await callHook((options) => transformContext(before, options), patience)
      if (!isHistory(messages)) throw new TypeError(noHistory)
    }
    return messages
  } catch (cause) {
    throw new Error(hookFailure('transformContext', messageOf(cause)).message, { cause })
  }
}

const noHistory = 'It gave no list of messages, each with its role and a list of parts.'

/** A hook may return any value. */
function isHistory(value: unknown): boolean {
  // Other than `every`, this looks at the holes of a list, too.
  return isList(value) && value.findIndex((one) => !isMessage(one)) < 0
}

function isMessage(value: unknown): boolean {
  if (!isObject(value)) return false
  const { role, content } = value
  return roles.includes(role) && isList(content) && content.findIndex((one) => !isPart(one)) < 0
}

const roles: readonly unknown[] = ['user', 'system', 'assistant', 'toolResult']

function isPart(value: unknown): boolean {
  return isObject(value) && (value['type'] !== 'text' || typeof value['text'] === 'string')
}
