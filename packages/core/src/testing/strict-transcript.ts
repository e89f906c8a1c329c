import { isObject } from '../internal/json.ts'
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  Part,
  ToolResultMessage,
} from '../kernel/message.ts'

/**
 * What is wrong with a history that is sent to a model; empty for one that every provider takes. Each problem starts
 * with the rule of SPEC.md that it breaks: every call has one result, behind its answer and in call order (`I7`,
 * `I12`, `I28`); a result has nothing that is not for the model (`I19`); what failed or was stopped is left out
 * (`I37`), and a call of an answer that was cut off did not succeed (`I18`); there is something to answer (`I23`).
 * Throws nothing.
 *
 * It shares no code with the agent, so that it can find faults in the code that makes histories.
 *
 * @example
 * ```ts
 * stream: (request, options) => {
 *   expect(transcriptProblems(request.messages)).toEqual([]) // or ['[I28] The call "call_1" has no result.']
 *   return model.stream(request, options)
 * },
 * ```
 */
export function transcriptProblems(messages: readonly Message[]): readonly string[] {
  const wrong = wrongShapeOf(messages)
  if (wrong !== undefined) return [wrong]
  const problems: string[] = []
  const seen: Seen = { callIds: new Set(), asking: null, answered: 0 }
  for (const message of messages) {
    if (message.role === 'toolResult') {
      problems.push(...problemsOfResult(message, seen))
      continue
    }
    problems.push(...problemsOfOpenCalls(seen))
    seen.asking = null
    if (message.role === 'assistant') problems.push(...problemsOfAnswer(message, seen))
    else problems.push(...problemsOfParts(message.content))
  }
  return [...problems, ...problemsOfOpenCalls(seen), ...problemsOfEnd(messages)]
}

/** A history of one's own may be anything. */
function wrongShapeOf(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return '[M12] The history is no list of messages.'
  const at = messages.findIndex((message: unknown) => !isMessage(message))
  if (at < 0) return undefined
  return `[M12] Message ${at} of the history has no role of a message, or no list of parts as its content.`
}

const roles = ['user', 'system', 'assistant', 'toolResult']

function isMessage(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value['content'])) return false
  return (
    roles.some((role) => role === value['role']) &&
    value['content'].every((part) => isObject(part) && typeof part['type'] === 'string')
  )
}

interface Seen {
  readonly callIds: Set<string>
  /** The answer whose calls are being answered. */
  asking: AssistantMessage | null
  /** How many of its calls have a result. */
  answered: number
}

function callsIn({ content }: AssistantMessage) {
  return content.filter((part) => part.type === 'toolCall')
}

function problemsOfAnswer(message: AssistantMessage, seen: Seen): readonly string[] {
  const { id, content, stopReason } = message
  seen.asking = message
  seen.answered = 0
  const says = content.some(
    (part) =>
      part.type === 'toolCall' ||
      part.type === 'opaque' ||
      (part.type === 'text' && part.text.trim() !== ''),
  )
  const wasStopped = stopReason === 'aborted' && content.some((part) => part.type !== 'text')
  return [
    ...(says ? [] : [`[I28] The answer "${id}" says nothing and calls nothing.`]),
    ...(stopReason === 'error' || stopReason === 'refusal'
      ? [`[I37] The answer "${id}" ended as ${stopReason} and is no part of the conversation.`]
      : []),
    ...(wasStopped ? [`[I37] The answer "${id}" was aborted: only its text may stay.`] : []),
    ...callsIn(message).flatMap(({ toolCallId, argsText }) => {
      const isTwice = seen.callIds.has(toolCallId)
      seen.callIds.add(toolCallId)
      return [
        ...(isTwice ? [`[I7] The call id "${toolCallId}" is used twice.`] : []),
        ...(typeof argsText === 'string'
          ? []
          : [`[I28] The arguments of "${toolCallId}" are not kept as the text they came in.`]),
      ]
    }),
  ]
}

function problemsOfResult(result: ToolResultMessage, seen: Seen): readonly string[] {
  const { toolCallId, toolName, isError, content } = result
  const calls = seen.asking ? callsIn(seen.asking) : []
  const expected = calls[seen.answered]
  const place = calls.findIndex((call) => call.toolCallId === toolCallId)
  if (place < 0) return [`[I28] The result of "${toolCallId}" does not follow its call.`]
  if (place < seen.answered) return [`[I7] The call "${toolCallId}" has two results.`]
  seen.answered += 1
  const stopReason = seen.asking?.stopReason ?? 'tool_use'
  const surplus = Object.keys(result).find((field) => !resultFields.has(field))
  return [
    ...(expected?.toolCallId === toolCallId
      ? []
      : [`[I12] The result of "${toolCallId}" is not in call order.`]),
    ...(calls[place]?.toolName === toolName
      ? []
      : [`[I28] The result of "${toolCallId}" is of another tool than the call.`]),
    ...(stopReason === 'tool_use' || isError
      ? []
      : [
          `[I18] "${toolCallId}" succeeded, but its answer ended as ${stopReason}: it may not run.`,
        ]),
    ...(surplus === undefined ? [] : [`[I19] The result of "${toolCallId}" shows its ${surplus}.`]),
    ...problemsOfParts(content),
  ]
}

const resultFields: ReadonlySet<string> = new Set([
  'id',
  'parentId',
  'role',
  'toolCallId',
  'toolName',
  'content',
  'isError',
  'redacted',
])

const partFields: { readonly [type: string]: ReadonlySet<string> } = {
  text: new Set(['type', 'text']),
  image: new Set(['type', 'mediaType', 'data']),
  document: new Set(['type', 'mediaType', 'data', 'name']),
}

function problemsOfParts(content: readonly (Part | AssistantContent)[]): readonly string[] {
  return content.flatMap((part) => {
    const fields = partFields[part.type]
    if (!fields) return [`[I28] A ${part.type} stands where only texts, images and documents may.`]
    const surplus = Object.keys(part).find((field) => !fields.has(field))
    return surplus === undefined ? [] : [`[I19] A ${part.type} shows its ${surplus}.`]
  })
}

function problemsOfOpenCalls({ asking, answered }: Seen): readonly string[] {
  if (!asking) return []
  return callsIn(asking)
    .slice(answered)
    .map(({ toolCallId }) => `[I28] The call "${toolCallId}" has no result.`)
}

function problemsOfEnd(messages: readonly Message[]): readonly string[] {
  const last = messages.findLast((message) => message.role !== 'system')
  if (!last) return ['[I28] The conversation is empty: there is nothing to answer.']
  const isDone = last.role === 'assistant' && last.stopReason === 'stop'
  return isDone ? [`[I23] The answer "${last.id}" is complete: no question follows it.`] : []
}
