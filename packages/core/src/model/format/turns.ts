import {
  type AssistantMessage,
  callsOf,
  type Message,
  type Part,
  type ToolCallContent,
  type ToolResultMessage,
} from '../../kernel/message.ts'
import { legalName } from './sendable.ts'

/** A call with the id it has in this request, and with its answer. */
export interface AnsweredCall {
  /** The id of the call in this request: legal for providers, and unique. */
  readonly id: string
  /** The call, as it is in the history. */
  readonly call: ToolCallContent
  /** The result of the call, which follows it in the history. */
  readonly result: ToolResultMessage
}

/** One step of a conversation as every provider sees it: what was said, or an answer with all it called. */
export type Turn =
  | { readonly role: 'user'; readonly content: readonly Part[] }
  | {
      readonly role: 'assistant'
      readonly message: AssistantMessage
      /** The calls of the answer, in call order. */
      readonly calls: readonly AnsweredCall[]
    }

/**
 * Takes a conversation apart for a provider. Ids are made legal and unique, the same for the same history.
 * System messages are left out. Throws a `TypeError` where a call has no result, or a result no call.
 */
export function toTurns(
  messages: readonly Message[],
  { maxIdLength }: { readonly maxIdLength: number },
): readonly Turn[] {
  const turns: Turn[] = []
  const makeId = createIds(maxIdLength)
  let index = 0
  while (index < messages.length) {
    const message = messages[index]
    index += 1
    if (message?.role === 'user') turns.push({ role: 'user', content: message.content })
    if (message?.role === 'toolResult') throw misplaced(message)
    if (message?.role !== 'assistant') continue
    const { results, end } = resultsFrom(messages, index)
    index = end
    const calls = callsOf(message.content).map(
      (call): AnsweredCall => ({ id: makeId(call), call, result: takeResult(results, call) }),
    )
    const [unasked] = results
    if (unasked) throw misplaced(unasked)
    turns.push({ role: 'assistant', message, calls })
  }
  return turns
}

/** Makes ids for one request: the call's own, or one made from it if that is illegal or taken already. */
function createIds(maxLength: number): (call: ToolCallContent) => string {
  const used = new Set<string>()
  return ({ toolCallId }) => {
    const legal = legalName(toolCallId, maxLength)
    let id = legal
    for (let n = 2; used.has(id); n += 1) id = `${legal.slice(0, maxLength - 8)}_${n}`
    used.add(id)
    return id
  }
}

/** The results that follow; system messages may stand between them. */
function resultsFrom(
  messages: readonly Message[],
  start: number,
): { readonly results: ToolResultMessage[]; readonly end: number } {
  const results: ToolResultMessage[] = []
  let end = start
  for (; end < messages.length; end += 1) {
    const message = messages[end]
    if (message?.role === 'toolResult') results.push(message)
    else if (message?.role !== 'system') break
  }
  return { results, end }
}

function takeResult(results: ToolResultMessage[], call: ToolCallContent): ToolResultMessage {
  const place = results.findIndex((result) => result.toolCallId === call.toolCallId)
  const [result] = place < 0 ? [] : results.splice(place, 1)
  if (result) return result
  throw new TypeError(
    `The call "${call.toolCallId}" of ${call.toolName} has no result. Put a toolResult message right after its answer.`,
  )
}

function misplaced({ toolCallId }: ToolResultMessage): TypeError {
  return new TypeError(
    `The result of "${toolCallId}" does not follow its call. Put it right after that answer.`,
  )
}
