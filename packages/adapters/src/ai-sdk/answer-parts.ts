import {
  type AgentState,
  type AssistantMessage,
  type Part,
  type ToolCallContent,
  type ToolCallView,
  textOf,
} from '@offthread/core'
import type { Exchange } from '../exchanges.ts'
import { toUserParts } from './file-parts.ts'
import type { SdkAnswerPart, SdkCall } from './sdk-types.ts'

/** A part at one moment. At another moment the part with the same key is its successor. */
export interface KeyedPart {
  readonly key: string
  readonly part: SdkAnswerPart
  /** The call, for the part of a tool. */
  readonly call?: ToolCallView
}

type ToolCalls = AgentState['toolCalls']

/** What a chat shows of an exchange after the prompt: one step for each answer. */
export function answerParts({ rest }: Exchange, toolCalls: ToolCalls): readonly KeyedPart[] {
  return rest.flatMap((message) =>
    message.role === 'assistant' ? stepParts(message, toolCalls) : steeringPart(message),
  )
}

function steeringPart({ id, content }: Exclude<Exchange['rest'][number], AssistantMessage>) {
  const parts = toUserParts(content)
  return [{ key: id, part: { type: 'steering-message', id, parts } }] satisfies KeyedPart[]
}

function stepParts(message: AssistantMessage, toolCalls: ToolCalls): readonly KeyedPart[] {
  const parts: KeyedPart[] = [{ key: message.id, part: { type: 'step-start' } }]
  for (const [index, content] of message.content.entries()) {
    const key = `${message.id}:${index}`
    const isLast = index === message.content.length - 1
    const state = isLast && message.stopReason === undefined ? 'streaming' : 'done'
    if (content.type === 'text') {
      parts.push({ key, part: { type: 'text', text: content.text, state } })
    } else if (content.type === 'thinking') {
      parts.push({ key, part: { type: 'reasoning', id: key, text: content.text, state } })
    } else if (content.type === 'toolCall') {
      const call = toolCalls.get(content.toolCallId)
      const isCut = !call && message.stopReason !== undefined
      const part = isCut ? cutCall(content) : toolPart(content, call)
      parts.push({ key, part, ...(call && { call }) })
    }
  }
  return parts
}

function toolPart(content: ToolCallContent, call: ToolCallView | undefined): SdkCall {
  const { toolCallId, toolName, argsText } = content
  const base = {
    type: `tool-${toolName}` as const,
    toolCallId,
    ...(call && { title: call.label }),
  }
  if (!call || (call.args === undefined && !call.hasEnded)) {
    return { ...base, state: 'input-streaming', input: undefined, rawInput: argsText }
  }
  const { args: input = argsText, approval, partial, result } = call
  if (result) return { ...base, input, ...endOf(call, result.content) }
  if (approval) {
    const { args, argsDigest: signature } = approval
    const asked = { id: toolCallId, signature }
    return { ...base, state: 'approval-requested', input: args, approval: asked }
  }
  if (!partial) return { ...base, state: 'input-available', input }
  const output = outputOf(partial.content)
  return { ...base, state: 'output-available', input, output, preliminary: true }
}

/** A call of an answer that was stopped while it was written: it does not exist for the agent. */
function cutCall({ toolCallId, toolName, argsText: input }: ToolCallContent): SdkCall {
  const errorText = 'Not run: the answer was stopped before this call was complete.'
  return { type: `tool-${toolName}`, toolCallId, state: 'output-error', input, errorText }
}

function endOf({ toolCallId, status, isError, result }: ToolCallView, content: readonly Part[]) {
  if (!isError) {
    return {
      state: 'output-available',
      output: result?.structuredContent ?? outputOf(content),
    } as const
  }
  const text = textOf(content)
  if (status !== 'denied') return { state: 'output-error', errorText: text } as const
  const approval = { id: toolCallId, approved: false, reason: text } as const
  return { state: 'output-denied', approval } as const
}

/** A text if the content is text only, as tools of the SDK return it. */
function outputOf(content: readonly Part[]): string | readonly Part[] {
  return content.every(({ type }) => type === 'text') ? textOf(content) : content
}
