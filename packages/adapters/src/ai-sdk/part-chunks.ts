import type { ToolCallView } from '@offthread/core'
import type { KeyedPart } from './answer-parts.ts'
import type { SdkCall, SdkChunk, SdkReasoning, SdkText } from './sdk-types.ts'

type Chunks = readonly SdkChunk[]

/** The chunks that show a part, whose step has begun already. */
export function chunksFor({ key, part, call }: KeyedPart): Chunks {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ type: `${part.type}-start`, id: key }, ...textGrowth(key, '', part)]
    case 'step-start':
      return [{ type: 'start-step' }]
    case 'steering-message':
      return [part]
    default: {
      const { toolCallId, title } = part
      const toolName = part.type.slice('tool-'.length)
      const start = { toolCallId, toolName, ...(title !== undefined && { title }) }
      const { type } = part
      const empty = {
        type,
        toolCallId,
        state: 'input-streaming',
        input: undefined,
        rawInput: '',
      } as const
      return [{ type: 'tool-input-start', ...start }, ...(toolGrowth(empty, part, call) ?? [])]
    }
  }
}

/** The chunks that turn the shown part into its next version; `null` if chunks cannot do that. */
export function growth(shown: KeyedPart, { key, part, call }: KeyedPart): Chunks | null {
  const before = shown.part
  if (before.type === 'text' || before.type === 'reasoning') {
    if (part.type !== before.type || !part.text.startsWith(before.text)) return null
    if (before.state !== 'done') return textGrowth(key, before.text, part)
    return part.text === before.text ? [] : null
  }
  if (before.type === 'step-start' || before.type === 'steering-message') return []
  return isTool(part) ? toolGrowth(before, part, call) : null
}

/** Whether a person has decided about the call, but no part shows the decision yet. */
export function isUndecided({ part: before }: KeyedPart, { part, call }: KeyedPart): boolean {
  if (!isTool(before) || !isTool(part) || !call) return false
  const isOpen = before.state === 'approval-requested' && part.state === 'input-available'
  return isOpen && !isUnderWay(call)
}

function textGrowth(id: string, before: string, { type, text, state }: SdkText | SdkReasoning) {
  const delta = text.slice(before.length)
  return [
    ...(delta === '' ? [] : [{ type: `${type}-delta`, id, delta } as const]),
    ...(state === 'done' ? [{ type: `${type}-end`, id } as const] : []),
  ] satisfies Chunks
}

function isTool(part: KeyedPart['part']): part is SdkCall {
  return part.type.startsWith('tool-')
}

/** Whether the call was allowed: its code may have started, or its answer is awaited. */
function isUnderWay({ attempt, place }: ToolCallView): boolean {
  return attempt > 0 || place === 'client'
}

function toolGrowth(before: SdkCall, part: SdkCall, call?: ToolCallView): Chunks | null {
  const { toolCallId, input } = part
  if (part.state === 'input-streaming') return inputGrowth(before, part)
  if (before.state === 'input-streaming') {
    const available = { type: part.type, toolCallId, state: 'input-available', input } as const
    return [inputOf(part), ...(toolGrowth(available, part, call) ?? [])]
  }
  switch (part.state) {
    case 'input-available':
      // A hook may have changed it.
      if (before.state === 'input-available') return before.input === input ? [] : [inputOf(part)]
      if (before.state !== 'approval-requested' || !call) return null
      return [responseTo(toolCallId, true), ...(call.place === 'client' ? [inputOf(part)] : [])]
    case 'approval-requested':
      if (before.state === 'approval-requested') return []
      if (before.state !== 'input-available') return null
      return [...(before.input === input ? [] : [inputOf(part)]), requestOf(part)]
    case 'output-denied':
      return denial(before, part)
    case 'output-available':
    case 'output-error':
      return output(before, part, call)
    default:
      return null
  }
}

function inputGrowth(
  before: SdkCall,
  { toolCallId, rawInput }: { toolCallId: string; rawInput?: string },
): Chunks | null {
  const shown = before.state === 'input-streaming' ? (before.rawInput ?? '') : null
  if (shown === null || !rawInput?.startsWith(shown)) return null
  const inputTextDelta = rawInput.slice(shown.length)
  return inputTextDelta === '' ? [] : [{ type: 'tool-input-delta', toolCallId, inputTextDelta }]
}

type Ended = Extract<SdkCall, { state: 'output-available' | 'output-error' }>

function output(before: SdkCall, part: Ended, call: ToolCallView | undefined): Chunks | null {
  const chunk = outputChunk(part)
  if (before.state === 'approval-requested') {
    const wasAllowed = call !== undefined && isUnderWay(call)
    return wasAllowed ? [responseTo(part.toolCallId, true), chunk] : null
  }
  if (before.state === 'output-denied') return null
  const isFinal = before.state === 'output-error' || isResult(before)
  if (isFinal && !(part.state === 'output-error' || isResult(part))) return null
  return isSame(before, part) ? [] : [chunk]
}

function isResult(part: SdkCall): boolean {
  return part.state === 'output-available' && part.preliminary !== true
}

function isSame(before: SdkCall, part: Ended): boolean {
  if (part.state === 'output-error') {
    return before.state === part.state && before.errorText === part.errorText
  }
  const isAlike = before.state === part.state && before.output === part.output
  return isAlike && isResult(before) === isResult(part)
}

function outputChunk(part: Ended): SdkChunk {
  const { toolCallId } = part
  if (part.state === 'output-error') {
    return { type: 'tool-output-error', toolCallId, errorText: part.errorText }
  }
  const { output, preliminary } = part
  return {
    type: 'tool-output-available',
    toolCallId,
    output,
    ...(preliminary && { preliminary }),
  }
}

function denial(
  before: SdkCall,
  { toolCallId, approval }: Extract<SdkCall, { state: 'output-denied' }>,
): Chunks | null {
  if (before.state === 'output-denied') return []
  if (before.state !== 'input-available' && before.state !== 'approval-requested') return null
  const wasAsked = before.state === 'approval-requested'
  return [
    ...(wasAsked
      ? []
      : [{ type: 'tool-approval-request', approvalId: toolCallId, toolCallId } as const]),
    responseTo(toolCallId, false, approval.reason),
    { type: 'tool-output-denied', toolCallId },
  ]
}

function inputOf({ type, toolCallId, input, title }: SdkCall): SdkChunk {
  const toolName = type.slice('tool-'.length)
  return {
    type: 'tool-input-available',
    toolCallId,
    toolName,
    input,
    ...(title !== undefined && { title }),
  }
}

function requestOf({
  toolCallId,
  approval: { id, signature },
}: Extract<SdkCall, { state: 'approval-requested' }>): SdkChunk {
  return {
    type: 'tool-approval-request',
    approvalId: id,
    toolCallId,
    ...(signature !== undefined && { signature }),
  }
}

function responseTo(approvalId: string, approved: boolean, reason?: string): SdkChunk {
  return {
    type: 'tool-approval-response',
    approvalId,
    approved,
    ...(reason !== undefined && { reason }),
  }
}
