import type { JsonObject } from '../../internal/json.ts'
import type { AgentEvent } from '../../kernel/events.ts'
import type { Part } from '../../kernel/message.ts'
import type { OutputRequest } from '../../kernel/output-request.ts'
import type { ApprovalResponse } from '../approvals.ts'
import type { QueuedItem } from '../handle.ts'
import type { Place } from './live-place.ts'
import type { Refusal } from './refusal.ts'

/** A prompt, after the last message or after another one. */
export interface PromptWish {
  readonly command: 'prompt'
  readonly input: readonly Part[]
  readonly after?: string | null | undefined
  readonly output?: OutputRequest | undefined
}

/** A command that starts a run of its own. */
export type StartWish =
  | PromptWish
  | { readonly command: 'continue' | 'regenerate'; readonly output?: OutputRequest | undefined }

/** A command that resolves with a run. */
export type RunWish = StartWish | RetryWish

/** A call to run once more. */
export interface RetryWish {
  readonly command: 'retryTool'
  readonly toolCallId: string
  readonly toolName?: string | undefined
  /** Arguments that replace those of the call. */
  readonly args?: JsonObject | undefined
}

/** A command that is done by the owner of the session, wherever it was given. */
export type Wish =
  | RunWish
  | { readonly command: 'steer' | 'followUp'; readonly input: readonly Part[] }
  | { readonly command: 'clearQueues' }
  | { readonly command: 'takeQueued'; readonly message: QueuedItem }
  | { readonly command: 'abort'; readonly reason?: string | undefined }
  | { readonly command: 'cancelTool'; readonly toolCallId: string }
  | {
      readonly command: 'addToolResult'
      readonly toolCallId: string
      readonly result: unknown
      readonly toolName?: string | undefined
      readonly isError: boolean
      /** The result was made by `toolResult`, whose mark does not survive JSON. */
      readonly isMarked?: boolean
    }
  | {
      readonly command: 'respondToApproval'
      readonly toolCallId: string
      readonly response: ApprovalResponse
    }
  | { readonly command: 'moveHead'; readonly messageId: string | null }
  | { readonly command: 'redact'; readonly messageId: string }

/** The opening of the log under which an owner speaks. Without locks one may speak that was replaced, and does not know. */
interface Opening {
  readonly seq: number
  readonly bootId: string | null
}

/** What agents on one session post to each other. */
export type Said = Words & { readonly by?: Opening | undefined }

type Words =
  /** There is a follower: the owner should post ephemeral events. */
  | { readonly say: 'hello' }
  /** Events that are not stored. `after`: the place of the last event before them. */
  | { readonly say: 'live'; readonly after: Place; readonly events: readonly AgentEvent[] }
  /**
   * The state of the open calls at a place, for a follower that has just come, or has missed something. If it is much,
   * it comes in pieces: `upTo` is the place up to which a piece goes, in all but the last; `after`, that of the piece
   * before, in all but the first.
   */
  | {
      readonly say: 'catch_up'
      readonly at: Place
      readonly events: readonly AgentEvent[]
      readonly after?: Place | undefined
      readonly upTo?: Place | undefined
    }
  /** The owner's storage has no space, or has some again. `change`: grows each time, so that late ones do not count. */
  | { readonly say: 'space'; readonly isFull: boolean; readonly change?: number | undefined }
  /** `seq`: the number of the next event that the follower expects. */
  | { readonly say: 'wish'; readonly id: string; readonly wish: Wish; readonly seq: number }
  | { readonly say: 'granted'; readonly id: string; readonly runId?: string | undefined }
  | { readonly say: 'refused'; readonly id: string; readonly refusal: Refusal }
  /** A follower asks to take the session over. */
  | { readonly say: 'release' }
  /** The owner has stored everything, and writes no more. */
  | { readonly say: 'released' }
