import type { Json } from '@offthread/core'

/*
 * The events and messages of AG-UI as far as an agent sends them. Tests hold them against the schemas of `@ag-ui/core`,
 * whose types have an enum where the protocol has names.
 */

/** What a user or a tool says. */
export type AgUiContent = string | readonly AgUiPart[]

/** A part of what a user or a tool says. */
export type AgUiPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'document'
      readonly source: { readonly type: 'data'; readonly value: string; readonly mimeType: string }
    }

/** A call of an assistant message. */
interface AgUiToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message to the model. */
export type AgUiSpokenMessage = { readonly id: string } & (
  | { readonly role: 'user'; readonly content: AgUiContent }
  | { readonly role: 'system'; readonly content: string }
)

/** A message of a conversation. */
export type AgUiMessage =
  | AgUiSpokenMessage
  | { readonly id: string; readonly role: 'reasoning'; readonly content: string }
  | {
      readonly id: string
      readonly role: 'assistant'
      readonly content?: string
      readonly toolCalls?: readonly AgUiToolCall[]
    }
  | {
      readonly id: string
      readonly role: 'tool'
      readonly toolCallId: string
      readonly content: AgUiContent
      readonly error?: string
    }

interface AgUiTokenUsage {
  readonly provider: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
}

interface AgUiInterrupt {
  readonly id: string
  readonly reason: string
  readonly toolCallId: string
}

/** How a run ended, if it did not fail. */
export type AgUiOutcome =
  | { readonly type: 'success'; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] }
  | { readonly type: 'cancelled' }

/** An event without its time. */
export type AgUiFact =
  | { readonly type: 'RUN_STARTED'; readonly threadId: string; readonly runId: string }
  | {
      readonly type: 'RUN_FINISHED'
      readonly threadId: string
      readonly runId: string
      readonly outcome: AgUiOutcome
      /** Why the run ended, in the words of the agent. */
      readonly result: { readonly reason: string }
      readonly usage: readonly AgUiTokenUsage[]
    }
  | { readonly type: 'RUN_ERROR'; readonly message: string; readonly code: string }
  | { readonly type: 'STEP_STARTED' | 'STEP_FINISHED'; readonly stepName: string }
  | {
      readonly type: 'TEXT_MESSAGE_START'
      readonly messageId: string
      readonly role: 'user' | 'system' | 'assistant'
    }
  | {
      readonly type: 'TEXT_MESSAGE_CONTENT' | 'REASONING_MESSAGE_CONTENT'
      readonly messageId: string
      readonly delta: string
    }
  | {
      readonly type:
        | 'TEXT_MESSAGE_END'
        | 'REASONING_START'
        | 'REASONING_MESSAGE_END'
        | 'REASONING_END'
      readonly messageId: string
    }
  | {
      readonly type: 'REASONING_MESSAGE_START'
      readonly messageId: string
      readonly role: 'reasoning'
    }
  | {
      readonly type: 'TOOL_CALL_START'
      readonly toolCallId: string
      readonly toolCallName: string
      readonly parentMessageId: string
    }
  | { readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string }
  | { readonly type: 'TOOL_CALL_END'; readonly toolCallId: string }
  | {
      readonly type: 'TOOL_CALL_RESULT'
      readonly messageId: string
      readonly toolCallId: string
      readonly content: AgUiContent
      readonly role: 'tool'
    }
  /** All messages of the conversation: a message that is not among them is no part of it. */
  | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly AgUiMessage[] }
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: Json }

/** An event of the AG-UI protocol, with its time in epoch milliseconds. */
export type AgUiEvent = AgUiFact & { readonly timestamp: number }
