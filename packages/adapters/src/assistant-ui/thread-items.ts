import {
  type AgentState,
  type AssistantContent,
  type Part,
  type ToolCallView,
  textOf,
} from '@offthread/core'
import { base64Of, dataUrl } from '../data-url.ts'
import { type Exchange, exchangesIn } from '../exchanges.ts'
import type { ThreadCall, ThreadItem, ThreadPart, ThreadStatus } from './thread-types.ts'

/** An item, and the objects that it was made from. */
interface Made {
  readonly of: readonly unknown[]
  readonly item: ThreadItem
}

/** Shows snapshots as messages of a thread. An item of which nothing has changed stays the same object. */
export function createThreadItems(): (state: AgentState) => readonly ThreadItem[] {
  let known = new Map<string, Made>()
  return (state) => {
    const made = new Map<string, Made>()
    const keep = (id: string, of: readonly unknown[], make: () => ThreadItem): void => {
      const before = known.get(id)
      const isSame = before?.of.length === of.length && of.every((one, at) => one === before.of[at])
      made.set(id, before && isSame ? before : { of, item: make() })
    }
    const exchanges = exchangesIn(state.messages)
    for (const [index, exchange] of exchanges.entries()) {
      const { opening, answerId, rest } = exchange
      if (opening) keep(opening.id, [opening], () => spokenItem(opening))
      if (answerId === null) continue
      const status = index === exchanges.length - 1 ? statusOf(state, exchange) : done
      const views = callIdsIn(exchange).map((id) => state.toolCalls.get(id))
      keep(answerId, [...rest, ...views, JSON.stringify(status)], () => ({
        id: answerId,
        role: 'assistant',
        content: rest.flatMap((message) =>
          message.role === 'assistant'
            ? message.content.flatMap((part) => answerPart(part, state.toolCalls))
            : message.content.map(spokenPart).map(quoted),
        ),
        status,
      }))
    }
    known = made
    return [...made.values()].map(({ item }) => item)
  }
}

const done: ThreadStatus = { type: 'complete', reason: 'unknown' }

function spokenItem({ id, role, content }: NonNullable<Exchange['opening']>): ThreadItem {
  if (role === 'system') return { id, role, content: [{ type: 'text', text: textOf(content) }] }
  return { id, role, content: content.map(spokenPart) }
}

function spokenPart(part: Part): ThreadPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType, data } = part
  if (part.type === 'image') return { type: 'image', image: dataUrl(mediaType, data) }
  const base64 = mediaType === 'text/plain' ? base64Of(data) : data
  const named = part.name === undefined ? {} : { filename: part.name }
  return { type: 'file', data: base64, mimeType: mediaType, ...named }
}

// A message of the user within an answer is shown as a quotation: a thread has no other place for it.
function quoted(part: ThreadPart): ThreadPart {
  return part.type === 'text' ? { type: 'text', text: `> ${part.text}` } : part
}

function callIdsIn({ rest }: Exchange): readonly string[] {
  return rest.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'toolCall' ? part.toolCallId : [])),
  )
}

function answerPart(part: AssistantContent, calls: AgentState['toolCalls']): readonly ThreadPart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'thinking') return [{ type: 'reasoning', text: part.text }]
  if (part.type === 'opaque') return []
  const { toolCallId, toolName, argsText } = part
  const call = { type: 'tool-call', toolCallId, toolName, argsText } as const
  return [{ ...call, ...stateOf(calls.get(toolCallId)) }]
}

function stateOf(view: ToolCallView | undefined): Partial<ThreadCall> {
  if (!view) return {}
  const { approval, result, isError, partial, place, hasValidArgs, args } = view
  if (approval) {
    return { approval: { id: approval.argsDigest }, argsText: JSON.stringify(approval.args) }
  }
  // Where the page answers the call, hooks and people may have changed what the model wrote.
  const given = place === 'client' && hasValidArgs && { argsText: JSON.stringify(args) }
  if (!result) {
    return { ...given, ...(partial && { artifact: partial.details ?? textOf(partial.content) }) }
  }
  const { content, structuredContent, details } = result
  const isText = content.every(({ type }) => type === 'text')
  return {
    ...given,
    result: isError ? textOf(content) : (structuredContent ?? (isText ? textOf(content) : content)),
    isError,
    ...(details !== undefined && { artifact: details }),
  }
}

function statusOf(state: AgentState, { rest }: Exchange): ThreadStatus {
  const { status, isActive, error, lastReason } = state
  if (status === 'awaiting_approval') return { type: 'requires-action', reason: 'interrupt' }
  if (status === 'awaiting_tool_results') return { type: 'requires-action', reason: 'tool-calls' }
  if (isActive) return { type: 'running' }
  if (error) return { type: 'incomplete', reason: 'error', error: error.message }
  if (lastReason === 'aborted' || lastReason === 'interrupted') {
    return { type: 'incomplete', reason: 'cancelled' }
  }
  const last = rest.at(-1)
  const isCut = last?.role === 'assistant' && last.stopReason === 'max_tokens'
  if (isCut) return { type: 'incomplete', reason: 'length' }
  if (lastReason === 'stop') return { type: 'complete', reason: 'stop' }
  return lastReason === null ? done : { type: 'incomplete', reason: 'other' }
}
