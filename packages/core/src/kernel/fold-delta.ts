import { defined } from '../internal/defined.ts'
import type { AssistantMessageEvent, EventOf } from './events.ts'
import type { AssistantContent } from './message.ts'
import type { State } from './state.ts'

/** Adds one step to the answer that is streaming. Costs the same at any length of the history. */
export function foldDelta(state: State, event: EventOf<'message_update'>): State {
  const { messageId, assistantMessageEvent } = event
  return withContent(state, messageId, (content) => growContent(content, assistantMessageEvent))
}

/** The state with other content of the answer that is streaming, if that is the one with this id. */
export function withContent(
  state: State,
  messageId: string,
  change: (content: Content) => Content,
): State {
  const { run } = state
  if (run?.step.kind !== 'asking' || run.step.message.id !== messageId) return state
  const { message } = run.step
  const content = change(message.content)
  if (content === message.content) return state
  return { ...state, run: { ...run, step: { kind: 'asking', message: { ...message, content } } } }
}

type Content = readonly AssistantContent[]

/** The content of an answer after one more step. A step out of place changes nothing. */
export function growContent(content: Content, step: AssistantMessageEvent): Content {
  if (isStart(step)) {
    return step.contentIndex === content.length ? [...content, startedPart(step)] : content
  }
  const part = content[step.contentIndex]
  const grown = part && grownPart(part, step)
  return grown && grown !== part ? content.with(step.contentIndex, grown) : content
}

type Start = Extract<AssistantMessageEvent, { type: `${string}_start` }>

function isStart(step: AssistantMessageEvent): step is Start {
  return step.type.endsWith('_start')
}

function startedPart(step: Start): AssistantContent {
  switch (step.type) {
    case 'text_start':
      return { type: 'text', text: '' }
    case 'thinking_start':
      return { type: 'thinking', text: '', ...defined({ redacted: step.redacted }) }
    case 'toolcall_start': {
      const { toolCallId, toolName, providerId } = step
      return { type: 'toolCall', toolCallId, toolName, argsText: '', ...defined({ providerId }) }
    }
    case 'opaque_start':
      return { type: 'opaque', data: step.data }
  }
}

function grownPart(
  part: AssistantContent,
  step: Exclude<AssistantMessageEvent, Start>,
): AssistantContent {
  switch (step.type) {
    case 'text_delta':
      return part.type === 'text' ? { ...part, text: part.text + step.delta } : part
    case 'thinking_delta':
      return part.type === 'thinking' ? { ...part, text: part.text + step.delta } : part
    case 'toolcall_delta':
      return part.type === 'toolCall' ? { ...part, argsText: part.argsText + step.delta } : part
    case 'thinking_end':
      return part.type === 'thinking' && step.signature !== undefined
        ? { ...part, signature: step.signature }
        : part
    case 'opaque_end':
      return part.type === 'opaque' && step.data ? { ...part, data: step.data } : part
    case 'text_end':
    case 'toolcall_end':
      return part
  }
}
