/*
 * The types of the AI SDK as far as an agent uses them. They are described here, not imported: those of the package `ai`
 * do not compile in every strict project. Tests hold them against that package.
 */

/** A message for `useChat`: assignable to `UIMessage`. */
export interface SdkMessage {
  id: string
  role: 'system' | 'user' | 'assistant'
  parts: (SdkUserPart | SdkAnswerPart)[]
}

/** A text of a message. */
export interface SdkText {
  type: 'text'
  text: string
  state?: 'streaming' | 'done'
}

/** A file of a message, as a data URL. */
interface SdkFile {
  type: 'file'
  mediaType: string
  url: string
  filename?: string
}

/** What a person says. */
export type SdkUserPart = SdkText | SdkFile

/** What the model thinks. */
export interface SdkReasoning {
  type: 'reasoning'
  id: string
  text: string
  state: 'streaming' | 'done'
}

/** A message that a person sent into a run. */
interface SdkSteering {
  type: 'steering-message'
  id: string
  parts: SdkUserPart[]
}

/** A call, in one of its states. */
export type SdkCall = {
  type: `tool-${string}`
  toolCallId: string
  title?: string
} & (
  | { state: 'input-streaming'; input: undefined; rawInput: string }
  | { state: 'input-available'; input: unknown }
  | { state: 'approval-requested'; input: unknown; approval: { id: string; signature: string } }
  | { state: 'output-available'; input: unknown; output: unknown; preliminary?: true }
  | { state: 'output-error'; input: unknown; errorText: string }
  | {
      state: 'output-denied'
      input: unknown
      approval: { id: string; approved: false; reason: string }
    }
)

/** What an answer is made of. */
export type SdkAnswerPart = SdkText | SdkReasoning | SdkCall | SdkSteering | { type: 'step-start' }

/** Why a stream is over. */
export type SdkFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'interrupted'

/** What a stream consists of: assignable to `UIMessageChunk`. */
export type SdkChunk =
  | { type: 'start'; messageId: string }
  | { type: 'start-step' | 'reset-step' | 'abort' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; toolCallId: string; toolName: string; title?: string }
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | {
      type: 'tool-input-available'
      toolCallId: string
      toolName: string
      input: unknown
      title?: string
    }
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string; signature?: string }
  | { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; preliminary?: true }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: `data-${string}`; id: string; data: unknown; transient: true }
  | SdkSteering
  | { type: 'error'; errorText: string }
  | { type: 'finish'; finishReason: SdkFinishReason }

/** A message from a chat. Each `UIMessage` is one, whatever its parts are. */
export interface ReceivedMessage {
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly ReceivedPart[]
}

/** A part from a chat: what fields it has depends on its type. */
export interface ReceivedPart {
  readonly type: string
  readonly id?: string | undefined
  readonly text?: string | undefined
  readonly url?: string | undefined
  readonly mediaType?: string | undefined
  readonly filename?: string | undefined
  readonly parts?: readonly ReceivedPart[] | undefined
  readonly toolCallId?: string | undefined
  readonly toolName?: string | undefined
  readonly state?: string | undefined
  readonly input?: unknown
  readonly output?: unknown
  readonly preliminary?: boolean | undefined
  readonly errorText?: string | undefined
  readonly approval?: ReceivedApproval | undefined
}

interface ReceivedApproval {
  readonly approved?: boolean | undefined
  readonly reason?: string | undefined
  readonly signature?: string | undefined
}

/** The transport that `useChat` takes: assignable to `ChatTransport`. */
export interface SdkTransport {
  /** A stream of `reconnectToStream` has the whole answer. */
  readonly resumeStreamIsReplay: true
  readonly sendMessages: (request: {
    readonly trigger: 'submit-message' | 'regenerate-message'
    readonly messages: readonly ReceivedMessage[]
    readonly abortSignal: AbortSignal | undefined
  }) => Promise<ReadableStream<SdkChunk>>
  readonly reconnectToStream: (request: {
    readonly abortSignal?: AbortSignal | undefined
  }) => Promise<ReadableStream<SdkChunk> | null>
}
