import type { AssistantMessageEvent } from '../src/kernel/events.ts'
import type { AssistantContent } from '../src/kernel/message.ts'

/** Grows the content of an answer in place. Returns whether the delta fitted. */
export function addDelta(content: AssistantContent[], step: AssistantMessageEvent): boolean {
  const { contentIndex } = step
  switch (step.type) {
    case 'text_start':
      return content.push({ type: 'text', text: '' }) === contentIndex + 1
    case 'thinking_start': {
      const redacted = step.redacted === undefined ? {} : { redacted: step.redacted }
      return content.push({ type: 'thinking', text: '', ...redacted }) === contentIndex + 1
    }
    case 'toolcall_start': {
      const { toolCallId, toolName, providerId } = step
      const label = providerId === undefined ? {} : { providerId }
      const call: AssistantContent = {
        type: 'toolCall',
        toolCallId,
        toolName,
        argsText: '',
        ...label,
      }
      return content.push(call) === contentIndex + 1
    }
    case 'opaque_start':
      return content.push({ type: 'opaque', data: step.data }) === contentIndex + 1
    default:
      return growPart(content, step)
  }
}

type Start = Extract<AssistantMessageEvent, { type: `${string}_start` }>

function growPart(
  content: AssistantContent[],
  step: Exclude<AssistantMessageEvent, Start>,
): boolean {
  const part = content[step.contentIndex]
  const [kind] = step.type.split('_')
  if (!part || part.type.toLowerCase() !== kind) return false
  const grown = grownPart(part, step)
  content[step.contentIndex] = grown
  return true
}

function grownPart(
  part: AssistantContent,
  step: Exclude<AssistantMessageEvent, Start>,
): AssistantContent {
  if (step.type === 'thinking_end') {
    return step.signature === undefined
      ? part
      : ({ ...part, signature: step.signature } as AssistantContent)
  }
  if (part.type === 'opaque') {
    return step.type === 'opaque_end' && step.data ? { ...part, data: step.data } : part
  }
  if (!('delta' in step)) return part
  return part.type === 'toolCall'
    ? { ...part, argsText: part.argsText + step.delta }
    : { ...part, text: part.text + step.delta }
}
