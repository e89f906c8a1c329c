import {
  type AgentEvent,
  type AssistantContent,
  type EventOf,
  type Message,
  type Part,
  textOf,
} from '@offthread/core'
import {
  contentOf,
  messagesOfAnswer,
  reasoningId,
  resultId,
  spokenMessage,
} from './ag-ui-messages.ts'
import type { AgUiMessage } from './ag-ui-types.ts'

interface Node {
  readonly parentId: string | null
  /** `null`: a failed attempt at an answer. */
  readonly message: Message | null
}

/** How a call ended. */
interface Result {
  readonly content: readonly Part[]
  readonly isError: boolean
}

/** What the log says of a conversation with branches. */
export interface Conversation {
  /** Returns whether a call has another result now than the one that it ended with last. */
  readonly take: (event: AgentEvent) => boolean
  /** The messages of the current branch. */
  readonly messages: () => readonly AgUiMessage[]
  /** The calls of the last answer that have no result. */
  readonly pending: () => readonly string[]
}

/** Puts the conversation together from all events of a session. */
export function createConversation(): Conversation {
  const nodes = new Map<string, Node>()
  const results = createResults()
  /** The ids of all thoughts, on any branch and in any attempt. */
  const thoughts = new Set<string>()
  let head: string | null = null

  function redact(messageId: string): void {
    const node = nodes.get(messageId)
    if (!node?.message) return
    nodes.set(messageId, { ...node, message: redacted(node.message) })
    const { message } = node
    if (message.role === 'toolResult') results.remove(message.toolCallId)
    for (const id of callIdsIn(message)) if (results.last.has(id)) results.remove(id)
  }

  function path(): readonly Message[] {
    const messages: Message[] = []
    for (let node = head === null ? undefined : nodes.get(head); node; ) {
      if (node.message) messages.push(node.message)
      node = node.parentId === null ? undefined : nodes.get(node.parentId)
    }
    return messages.reverse()
  }

  return {
    take: (event) => {
      switch (event.type) {
        case 'message_end': {
          const { message, excluded } = event
          head = message.id
          for (const id of thoughtIdsIn(message)) thoughts.add(id)
          nodes.set(head, { parentId: message.parentId, message: excluded ? null : message })
          break
        }
        case 'head_moved':
          head = event.messageId
          break
        case 'tool_execution_end':
          results.end(event)
          break
        case 'tools_end':
          return results.keep(event)
        case 'tool_retry_requested':
          results.last.delete(event.toolCallId)
          break
        case 'message_redacted':
          redact(event.messageId)
          break
        default:
      }
      return false
    },
    pending: () => {
      const last = path().findLast(({ role }) => role === 'assistant')
      return last ? callIdsIn(last).filter((id) => !results.last.has(id)) : []
    },
    messages: () => {
      const messages = messagesOf(path(), results.last)
      // A client keeps thoughts that are missing in a snapshot without any, so those that are gone are sent as empty
      // ones.
      const hasThoughts = messages.some(({ role }) => role === 'reasoning')
      return hasThoughts ? messages : [...messages, ...[...thoughts].map(emptied)]
    },
  }
}

function createResults() {
  /** The results of the last attempts, by call. */
  const last = new Map<string, Result>()
  /** All results of each call, one for each time that it has ended. */
  const all = new Map<string, readonly Result[]>()
  /** The calls that have ended for the next `tools_end`. */
  const ended = new Set<string>()
  return {
    last,
    end: ({ toolCallId, result, isError }: EventOf<'tool_execution_end'>): void => {
      const one = { ...result, isError }
      ended.add(toolCallId)
      last.set(toolCallId, one)
      all.set(toolCallId, [...(all.get(toolCallId) ?? []), one])
    },
    /**
     * A call that keeps its result may have run once more on another branch, with another result. Returns whether there is
     * such a call.
     */
    keep: ({ toolMessages }: EventOf<'tools_end'>): boolean => {
      const others = toolMessages.flatMap((message) => {
        const { toolCallId } = message
        const kept = all.get(toolCallId)?.findLast((one) => isReadAs(one, message))
        const isOther = kept && !ended.has(toolCallId) && kept !== last.get(toolCallId)
        return isOther ? [[toolCallId, kept] as const] : []
      })
      for (const [id, kept] of others) last.set(id, kept)
      ended.clear()
      return others.length > 0
    },
    remove: (toolCallId: string): void => {
      all.delete(toolCallId)
      last.set(toolCallId, removed)
    },
  }
}

/** Whether the message says this result. What is too long for the model has its start and its end there. */
function isReadAs({ content, isError }: Result, message: Result): boolean {
  if (isError !== message.isError) return false
  if (JSON.stringify(content) === JSON.stringify(message.content)) return true
  const [start = '', end] = textOf(message.content).split(/\n\[… .* cut …\]\n/)
  const text = textOf(content)
  return end !== undefined && text.startsWith(start) && text.endsWith(end)
}

/**
 * The messages of a branch, as a consumer gets them. A call's result on the branch comes before that of its last
 * attempt.
 */
function messagesOf(
  branch: readonly Message[],
  last: ReadonlyMap<string, Result>,
): readonly AgUiMessage[] {
  const onBranch = new Map<string, Result>(
    branch.flatMap((one) => (one.role === 'toolResult' ? [[one.toolCallId, one]] : [])),
  )
  return branch.flatMap((message): readonly AgUiMessage[] => {
    if (message.role === 'toolResult') return []
    if (message.role !== 'assistant') return [spokenMessage(message)]
    const ended = callIdsIn(message).flatMap((id): AgUiMessage | AgUiMessage[] => {
      const result = onBranch.get(id) ?? last.get(id)
      return result ? toolMessage(id, result) : []
    })
    return [...messagesOfAnswer(message), ...ended]
  })
}

function toolMessage(toolCallId: string, { content, isError }: Result): AgUiMessage {
  return {
    id: resultId(toolCallId),
    role: 'tool',
    toolCallId,
    content: contentOf(content),
    ...(isError && { error: textOf(content) }),
  }
}

function emptied(id: string): AgUiMessage {
  return { id, role: 'reasoning', content: '' }
}

function thoughtIdsIn({ id, role, content }: Message): readonly string[] {
  if (role !== 'assistant') return []
  return content.flatMap((part, index) => (part.type === 'thinking' ? reasoningId(id, index) : []))
}

function callIdsIn({ role, content }: Message): readonly string[] {
  if (role !== 'assistant') return []
  return content.flatMap((part) => (part.type === 'toolCall' ? part.toolCallId : []))
}

/** The text in place of removed content: models read the same. */
const gone = { type: 'text', text: '[redacted]' } as const
const removed: Result = { content: [gone], isError: false }

/** A redacted message part by part, as the agent has it, except that the arguments of a call must be JSON. */
function redacted(message: Message): Message {
  if (message.role === 'assistant')
    return { ...message, content: message.content.flatMap(withoutText) }
  return { ...message, content: message.content.length === 0 ? [] : [gone] }
}

function withoutText(part: AssistantContent): AssistantContent | [] {
  if (part.type === 'thinking') return []
  if (part.type === 'toolCall') return { ...part, argsText: '{}' }
  return part.type === 'text' && part.text.trim() === '' ? part : gone
}
