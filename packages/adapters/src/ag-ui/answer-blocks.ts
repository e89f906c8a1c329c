import type { AssistantContent, AssistantMessage, EventOf, ToolCallContent } from '@offthread/core'
import { reasoningId } from './ag-ui-messages.ts'
import type { AgUiFact } from './ag-ui-types.ts'

type Facts = readonly AgUiFact[]

/** The kind of a block, which is known from its start on. */
type Kind =
  | { readonly type: 'text' | 'thinking' }
  | Pick<ToolCallContent, 'type' | 'toolCallId' | 'toolName'>

/** A block of the answer that is being written, as it was sent. */
interface Block {
  readonly kind: Kind
  readonly messageId: string
  readonly index: number
  text: string
  isOpen: boolean
}

/** Sends an answer block by block, and keeps what was sent of it. */
export interface AnswerBlocks {
  readonly step: (event: EventOf<'message_update'>) => Facts
  /** Ends the blocks that are open. */
  readonly endAll: () => Facts
  /** Sends a whole answer at once, for instance after a reload. */
  readonly whole: (message: AssistantMessage) => Facts
  readonly isEmpty: () => boolean
  /** Whether all of this answer was sent already. */
  readonly isWhole: (message: AssistantMessage) => boolean
  /** Forgets the blocks, because the next event belongs to another answer. */
  readonly forget: () => void
}

/** The blocks of one answer at a time. */
export function createAnswerBlocks(): AnswerBlocks {
  const blocks = new Map<number, Block>()

  function start(messageId: string, index: number, kind: Kind): Facts {
    const block = { kind, messageId, index, text: '', isOpen: true }
    blocks.set(index, block)
    return startFacts(block)
  }

  function grow(index: number, delta: string): Facts {
    const block = blocks.get(index)
    // If there is no block, it started before the first event that was seen.
    if (!block?.isOpen || delta === '') return []
    block.text += delta
    return [deltaFact(block, delta)]
  }

  function end(index: number): Facts {
    const block = blocks.get(index)
    if (!block?.isOpen) return []
    block.isOpen = false
    return endFacts(block)
  }

  const endAll = (): Facts => [...blocks.keys()].flatMap(end)

  return {
    step: ({ messageId, assistantMessageEvent: step }: EventOf<'message_update'>): Facts => {
      const { contentIndex } = step
      if (step.type === 'text_start') return start(messageId, contentIndex, { type: 'text' })
      if (step.type === 'thinking_start')
        return start(messageId, contentIndex, { type: 'thinking' })
      if (step.type === 'toolcall_start') {
        const { toolCallId, toolName } = step
        return start(messageId, contentIndex, { type: 'toolCall', toolCallId, toolName })
      }
      return 'delta' in step ? grow(contentIndex, step.delta) : end(contentIndex)
    },
    endAll,
    whole: ({ id, content }: AssistantMessage): Facts =>
      content.flatMap((part, index) => {
        if (part.type === 'opaque') return []
        return [...start(id, index, part), ...grow(index, textIn(part)), ...end(index)]
      }),
    isEmpty: () => blocks.size === 0,
    isWhole: ({ content }: AssistantMessage): boolean => {
      const visible = content.filter(({ type }) => type !== 'opaque')
      const isSent = (part: AssistantContent, index: number) =>
        part.type === 'opaque' || blocks.get(index)?.text === textIn(part)
      return visible.length === blocks.size && content.every(isSent)
    },
    forget: () => blocks.clear(),
  }
}

function textIn(part: Exclude<AssistantContent, { type: 'opaque' }>): string {
  return part.type === 'toolCall' ? part.argsText : part.text
}

function startFacts({ kind, messageId, index }: Block): Facts {
  if (kind.type === 'text') return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }]
  if (kind.type === 'toolCall') {
    const { toolCallId, toolName: toolCallName } = kind
    return [{ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: messageId }]
  }
  const thought = { messageId: reasoningId(messageId, index) }
  return [
    { type: 'REASONING_START', ...thought },
    { type: 'REASONING_MESSAGE_START', ...thought, role: 'reasoning' },
  ]
}

function deltaFact({ kind, messageId, index }: Block, delta: string): AgUiFact {
  if (kind.type === 'text') return { type: 'TEXT_MESSAGE_CONTENT', messageId, delta }
  if (kind.type === 'toolCall') {
    return { type: 'TOOL_CALL_ARGS', toolCallId: kind.toolCallId, delta }
  }
  return { type: 'REASONING_MESSAGE_CONTENT', messageId: reasoningId(messageId, index), delta }
}

function endFacts({ kind, messageId, index }: Block): Facts {
  if (kind.type === 'text') return [{ type: 'TEXT_MESSAGE_END', messageId }]
  if (kind.type === 'toolCall') return [{ type: 'TOOL_CALL_END', toolCallId: kind.toolCallId }]
  const thought = { messageId: reasoningId(messageId, index) }
  return [
    { type: 'REASONING_MESSAGE_END', ...thought },
    { type: 'REASONING_END', ...thought },
  ]
}
