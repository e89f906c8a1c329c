import { defined } from '../internal/defined.ts'
import {
  hasTooManyValues,
  isJsonObject,
  type JsonObject,
  mostValues,
  tryJson,
} from '../internal/json.ts'

/** A text. */
export interface TextContent {
  readonly type: 'text'
  readonly text: string
}

/** An image as base64 text, for instance `{ mediaType: 'image/png', data: 'iVBORw0…' }`. */
export interface ImageContent {
  readonly type: 'image'
  readonly mediaType: string
  readonly data: string
}

/**
 * A document. A PDF is base64 text, plain text is the text itself:
 * `{ type: 'document', mediaType: 'text/plain', data: 'Dear …', name: 'letter.txt' }`.
 */
export interface DocumentContent {
  readonly type: 'document'
  readonly mediaType: 'application/pdf' | 'text/plain'
  readonly data: string
  /** What the user calls it, for instance a file name. */
  readonly name?: string
}

/** What the model thought. `signature` goes back untouched, and only to the model that made it. */
export interface ThinkingContent {
  readonly type: 'thinking'
  readonly text: string
  readonly signature?: string
  /** Thinking that the provider keeps encrypted; `text` is empty then. */
  readonly redacted?: string
}

/** A tool call as the model wrote it: `argsText` is its raw JSON text, checked only when the call is prepared. */
export interface ToolCallContent {
  readonly type: 'toolCall'
  readonly toolCallId: string
  readonly toolName: string
  readonly argsText: string
  /** The id the provider gave; kept as a label, never sent back. */
  readonly providerId?: string
}

/**
 * A block of an answer that only its provider understands, for instance a search it made by itself. It goes
 * back as it came, and only to the model that made it.
 */
export interface OpaqueContent {
  readonly type: 'opaque'
  readonly data: JsonObject
}

/** What a user message or a tool result may hold. */
export type Part = TextContent | ImageContent | DocumentContent
/** What an answer may hold. */
export type AssistantContent = TextContent | ThinkingContent | ToolCallContent | OpaqueContent

/** Why an answer ended. Only `tool_use` lets tools run. */
export type StopReason =
  | 'stop'
  | 'tool_use'
  | 'max_tokens'
  | 'refusal'
  | 'pause_turn'
  | 'context_overflow'
  | 'aborted'
  | 'error'

/** Tokens as the provider reported them. Absent figures were not reported. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  /** Money, in US dollars, where a price is known. */
  readonly cost?: number
  /** The provider stated the cost of the answer. Without it, the cost was estimated from the price of the model. */
  readonly isCostReported?: true
}

/** Which model: `{ provider: 'anthropic', id: 'claude-opus-5-5' }`. */
export interface ModelIdentity {
  readonly provider: string
  readonly id: string
}

interface MessageBase {
  readonly id: string
  /** The message before this one in its branch, or `null` for the first. */
  readonly parentId: string | null
  /** `redact` removed the content for good: plain texts stand in its place, for models to read. */
  readonly redacted?: true
}

/** Where a user message came from: the prompt of a run, a queue, or the agent, which asks for an output that fits. */
export type InputSource = 'prompt' | 'steering' | 'follow_up' | 'repair'

/** What a user said. */
export interface UserMessage extends MessageBase {
  readonly role: 'user'
  /**
   * How the message came: as the prompt of a run, or from a queue, which it leaves when it is written. `repair`: no
   * person said it, the agent asked for an output that fits.
   */
  readonly source?: InputSource
  readonly content: readonly Part[]
}

/** An instruction in the middle of a conversation that was written elsewhere. The agent itself writes none. */
export interface SystemMessage extends MessageBase {
  readonly role: 'system'
  readonly content: readonly TextContent[]
}

/** An answer of the model. While it streams it grows and has no `stopReason`. */
export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant'
  readonly content: readonly AssistantContent[]
  readonly model: ModelIdentity
  /** Absent while the answer is still streaming. */
  readonly stopReason?: StopReason
  readonly usage?: Usage
}

/** The answer to one tool call, exactly as the model reads it. */
export interface ToolResultMessage extends MessageBase {
  readonly role: 'toolResult'
  readonly toolCallId: string
  readonly toolName: string
  readonly content: readonly Part[]
  readonly isError: boolean
}

/** Anything in a conversation. */
export type Message = UserMessage | SystemMessage | AssistantMessage | ToolResultMessage

type WithoutPlace<M> = M extends Message ? Omit<M, 'id' | 'parentId'> : never

/** A message that has no id and no parent yet: the runtime gives it both when it is written. */
export type NewMessage = WithoutPlace<Message>

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

/** Adds two usages. A figure that neither side has stays absent. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = (key: 'cacheReadTokens' | 'cacheWriteTokens' | 'cost') =>
    a[key] === undefined ? b[key] : a[key] + (b[key] ?? 0)
  return defined({
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    cost: sum('cost'),
  })
}

/** Whether an input holds anything: text that is not blank, an image or a document. */
export function saysSomething(content: readonly Part[]): boolean {
  return content.some((part) => part.type !== 'text' || part.text.trim() !== '')
}

/** The text of a list of contents, joined. */
export function textOf(content: readonly (Part | AssistantContent)[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** The calls of an answer, in call order. */
export function callsOf(content: readonly AssistantContent[]): readonly ToolCallContent[] {
  return content.filter((part) => part.type === 'toolCall')
}

export type ArgsReading =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problem: string }

/** Reads the raw arguments of a call strictly: JSON, and an object. The empty text is `{}`. */
export function readArgs(argsText: string): ArgsReading {
  if (!argsText.trim()) return { ok: true, args: {} }
  if (hasTooManyValues(argsText) || argsText.length > maxChars)
    return refusedArgs(`they have more than ${mostValues} values or ${maxChars} characters`)
  const args = tryJson(argsText)
  if (args === undefined) return refusedArgs('they are not valid JSON')
  if (!isJsonObject(args)) return refusedArgs('they are not an object')
  return holdsMore(args, 1)
    ? refusedArgs('they are too deep or a number is too large')
    : { ok: true, args }
}

// No worker takes more.
const maxChars = 5_000_000
const maxDepth = 200

function refusedArgs(problem: string): ArgsReading {
  return { ok: false, problem: `Invalid arguments: ${problem}.` }
}

// Arguments are written again, into events and for workers, and JSON text can hold values that cannot be.
function holdsMore<Value>(value: Value, depth: number): boolean {
  if (typeof value === 'object' && value) {
    let holds = depth > maxDepth
    // Its values as a list would take three times as long, where there are many; what it inherits is not its own.
    for (const key in value)
      if (Object.hasOwn(value, key)) holds ||= holdsMore(value[key], depth + 1)
    return holds
  }
  return typeof value === 'number' && !Number.isFinite(value)
}
