/*
 * The types of assistant-ui as far as an agent uses them, described and not imported, so that this entry needs only React.
 * Tests hold them against `@assistant-ui/react`.
 */

/** A part of a message in a thread. */
export type ThreadPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'image'; readonly image: string }
  | {
      readonly type: 'file'
      readonly data: string
      readonly mimeType: string
      readonly filename?: string
    }
  | ThreadCall

/** A call in a thread: without a result it runs, or waits. */
export interface ThreadCall {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly argsText: string
  readonly result?: unknown
  readonly isError?: boolean
  /** What the tool shows people in addition to its result. */
  readonly artifact?: unknown
  /** `id` is the digest of the arguments that are shown. */
  readonly approval?: { readonly id: string }
}

type Incomplete = 'cancelled' | 'tool-calls' | 'length' | 'other' | 'error'

/** Whether an answer is being written, waits for a person, or has ended, and why. */
export type ThreadStatus =
  | { readonly type: 'running' }
  | { readonly type: 'requires-action'; readonly reason: 'tool-calls' | 'interrupt' }
  | { readonly type: 'complete'; readonly reason: 'stop' | 'unknown' }
  | { readonly type: 'incomplete'; readonly reason: Incomplete; readonly error?: string }

/** A message of a thread: assignable to `ThreadMessageLike`. */
export interface ThreadItem {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: readonly ThreadPart[]
  readonly status?: ThreadStatus
}

/** A message from a composer. Each `AppendMessage` is one. */
export interface AppendedMessage {
  readonly parentId: string | null
  readonly content: readonly AppendedPart[]
  readonly attachments?: readonly { readonly content: readonly AppendedPart[] }[] | undefined
}

/** A part from a composer: what fields it has depends on its type. */
export interface AppendedPart {
  readonly type: string
  readonly text?: string | undefined
  readonly image?: string | undefined
  readonly data?: unknown
  readonly mimeType?: string | undefined
  readonly filename?: string | undefined
}

/** What `useExternalStoreRuntime` takes. */
export interface ThreadStore {
  readonly messages: readonly ThreadItem[]
  readonly convertMessage: (message: ThreadItem) => ThreadItem
  readonly isRunning: boolean
  /** The messages of another branch: the agent goes back to it. */
  readonly setMessages: (messages: readonly ThreadItem[]) => void
  readonly onNew: (message: AppendedMessage) => Promise<void>
  readonly onEdit: (message: AppendedMessage) => Promise<void>
  readonly onReload: (parentId: string | null) => Promise<void>
  readonly onCancel: () => Promise<void>
  readonly onAddToolResult: (answer: {
    readonly toolCallId: string
    readonly result: unknown
    readonly isError: boolean
  }) => Promise<void>
  readonly onRespondToToolApproval: (answer: {
    readonly approvalId: string
    readonly approved: boolean
    readonly reason?: string | undefined
  }) => void
}
