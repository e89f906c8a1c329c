import {
  type AssistantMessage,
  callsOf,
  type Message,
  type ToolCallContent,
  type ToolResultMessage,
} from './message.ts'
import type { MessageNode, State, Summary } from './state.ts'
import * as texts from './texts.ts'
import {
  hasEnded,
  isInterrupted,
  isOver,
  isWaitingForApproval,
  isWaitingForClient,
  mayHaveRun,
  type ToolCall,
} from './tool-call.ts'
import type { ToolMessage } from './tool-outcome.ts'
import { truncateForModel } from './truncate-for-model.ts'

/**
 * The conversation as a model may read it: the path from the root to the head without excluded messages,
 * every call answered by exactly one result. Total: also in the middle of a batch, where a call that has no
 * result yet is closed by what is known of it.
 */
export function transcript(
  state: State,
  maxChars: number,
  textOfOpen: TextOfOpen = textOfInterrupted,
): readonly Message[] {
  const { summary } = state
  const path = pathTo(state.head, summary?.firstKeptMessageId)
  const results = new Map(path.flatMap(resultEntry))
  const messages = path.flatMap((node): readonly Message[] => {
    const { message, excluded } = node
    if (excluded || message.role === 'toolResult') return []
    if (message.role !== 'assistant') return [message]
    if (!saysSomething(message)) return []
    const answers = callsOf(message.content).map(
      (call) =>
        results.get(call.toolCallId) ??
        closedBy(call, knownOf(state, node, call.toolCallId), { maxChars, textOfOpen }),
    )
    return [message, ...answers]
  })
  return summary ? [messageOfSummary(summary), ...messages] : messages
}

/**
 * As `transcript`, but with the messages that a summary replaces. `isLive`: calls that have not ended still go on, and
 * their results say so.
 */
export function wholeTranscript(
  state: State,
  maxChars: number,
  isLive: boolean,
): readonly Message[] {
  const textOfOpen = isLive ? textOfLive : textOfInterrupted
  return transcript({ ...state, summary: null }, maxChars, textOfOpen)
}

/** Whether a message of a transcript is the summary of those before it. */
export function isSummary({ id }: Message): boolean {
  return id.startsWith(summaryId)
}

const summaryId = 'summary-before-'

function messageOfSummary({ text, firstKeptMessageId }: Summary): Message {
  return {
    id: `${summaryId}${firstKeptMessageId}`,
    parentId: null,
    role: 'user',
    content: [{ type: 'text', text: texts.summaryText(text) }],
  }
}

/** The messages from the root to a node, or only those from `firstId` on. */
export function pathTo(head: MessageNode | null, firstId?: string): readonly MessageNode[] {
  const path: MessageNode[] = []
  for (let node = head; node; node = node.parent) {
    path.push(node)
    if (node.message.id === firstId) break
  }
  return path.reverse()
}

/** What is wrong with a transcript, or `null`. A transcript that fails this check is never sent. */
export function problemOf(messages: readonly Message[]): string | null {
  const seen = new Set<string>()
  // The calls that wait for a result, the next one last.
  let open: string[] = []
  for (const message of messages) {
    if (message.role === 'toolResult') {
      if (message.toolCallId !== open.pop())
        return `The result of ${message.toolCallId} is out of place.`
      continue
    }
    if (open.length > 0) return `The call ${open.at(-1)} has no result.`
    if (message.role !== 'assistant') continue
    const problem = problemOfAnswer(message, seen)
    if (problem) return problem
    open = callsOf(message.content)
      .map((call) => call.toolCallId)
      .reverse()
  }
  return open.length > 0 ? `The call ${open.at(-1)} has no result.` : null
}

// Providers refuse an answer that holds only thinking as an empty message.
function saysSomething({ content }: AssistantMessage): boolean {
  return content.some(
    (part) => part.type !== 'thinking' && (part.type !== 'text' || part.text.trim() !== ''),
  )
}

function problemOfAnswer(message: AssistantMessage, seen: Set<string>): string | null {
  if (message.content.length === 0) return `The answer ${message.id} is empty.`
  for (const { toolCallId } of callsOf(message.content)) {
    if (seen.has(toolCallId)) return `The call id ${toolCallId} is used twice.`
    seen.add(toolCallId)
  }
  return null
}

function resultEntry({ message }: MessageNode): readonly (readonly [string, ToolResultMessage])[] {
  return message.role === 'toolResult' ? [[message.toolCallId, message]] : []
}

interface Known {
  readonly call: ToolCall | undefined
  /** What the model reads about the call; `undefined` before `tools_end`. */
  readonly settled: ToolMessage | undefined
}

function knownOf({ batch }: State, node: MessageNode, toolCallId: string): Known {
  const isIt = (one: { readonly toolCallId: string }) => one.toolCallId === toolCallId
  return batch?.messageId === node.message.id
    ? { call: batch.calls.find(isIt), settled: batch.toolMessages?.find(isIt) }
    : { call: node.calls.find(isIt), settled: undefined }
}

/** The text in place of the result of a call that has none. */
type TextOfOpen = (call: ToolCall | undefined) => string

interface Closing {
  readonly maxChars: number
  readonly textOfOpen: TextOfOpen
}

function textOfInterrupted(call: ToolCall | undefined): string {
  return call && mayHaveRun(call) ? texts.interruptedText : texts.interruptedBeforeStartText
}

function textOfCancelled(call: ToolCall): string {
  if (isInterrupted(call)) return texts.interruptedText
  return mayHaveRun(call) ? texts.cancelledRunningText : texts.cancelledBeforeStartText
}

function textOfLive(call: ToolCall | undefined): string {
  if (!call) return texts.interruptedBeforeStartText
  // Cancelled without a run, it ends with the next one.
  if (isOver(call)) return textOfCancelled(call)
  if (isWaitingForApproval(call)) return texts.waitingForApprovalText
  if (isWaitingForClient(call)) return texts.waitingForAnswerText
  return mayHaveRun(call) ? texts.stillRunningText : texts.notStartedYetText
}

function closedBy(
  { toolCallId, toolName }: ToolCallContent,
  { call, settled }: Known,
  { maxChars, textOfOpen }: Closing,
): ToolResultMessage {
  const named = {
    id: `${toolCallId}-result`,
    parentId: null,
    role: 'toolResult',
    toolCallId,
    toolName,
  } as const
  if (settled) return { ...named, content: settled.content, isError: settled.isError }
  const given = call && (hasEnded(call) ? call.stage : call.staged)
  if (given) {
    const { result, isError } = given
    return { ...named, content: truncateForModel(result.content, maxChars), isError }
  }
  const text = textOfOpen(call)
  return { ...named, content: [{ type: 'text', text }], isError: true }
}
