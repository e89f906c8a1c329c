import type { TalkStep } from '../packages/core/src/tools/fixtures/talk.fixtures.ts'

/**
 * A session as plain data: the options of the agent, what the model will answer, how every call behaves, what
 * the user does and when, and what the storage does to the appends. Nothing else decides what happens, except
 * `seed`, which only breaks ties. `play.ts` plays it, `plans/` generates such plans at random.
 */
export interface Plan {
  /** Decides the order of what is due at the same time. */
  readonly seed: number
  readonly options: OptionsPlan
  /** What the model answers, request by request, repeated ones included. Afterwards it says "Done." */
  readonly answers: readonly AnswerPlan[]
  /** What its prompts ask for, but for those with a signal. Absent: answers in words. */
  readonly output?: OutputPlan
  /** The sub-agents of the session. Absent: there are none. */
  readonly sub?: SubPlan
  /** The listeners and readers besides the rules. Those that only listen change nothing. */
  readonly audience?: readonly AudiencePlan[]
  /** The user answers neither approvals nor calls. Absent: he answers them at rest. */
  readonly leaves?: boolean
  /** Faults in starting workers, by their number. The others start well. */
  readonly starts: readonly StartPlan[]
  /** What the user does after the first prompt. */
  readonly actions: readonly ActionPlan[]
  /** There may be several pages on the session. Absent: there is one at a time. */
  readonly pages?: PagesPlan
  /** The agent has no storage: it ends with its page. */
  readonly volatile?: boolean
  /** Milliseconds that every append takes. Absent: no time at all. */
  readonly diskMs?: number
  /** Faults in reading the storage, by the number of the reading. */
  readonly loads?: readonly LoadPlan[]
  /** Faults in appending, by the number of the append. */
  readonly appends: readonly AppendPlan[]
  /** Faults in storing files, by the number of the file. */
  readonly files?: readonly FilePlan[]
}

/** An answer that has to fit a schema: `{ fits: 1 }`. */
export interface OutputPlan {
  /** `open`: JSON Schema that no provider can be held to. `live`: a schema whose validator only the page has. */
  readonly schema: 'json' | 'open' | 'live'
  /** What its validator does, before it validates. */
  readonly validates: HookPlan
  readonly maxRepairs: number
  /** The model has a mechanism of its own for outputs. */
  readonly isNative: boolean
}

/** The locks and the channel between the pages of a session. */
export interface PagesPlan {
  /** No page sees the others' locks, as without Web Locks. */
  readonly ownLocks?: boolean
  /** The claim with this number finds no space, counted from 0: the page that opens the session then only shows it. */
  readonly fullClaim?: number
  /** Faults of the channel. */
  readonly messages: readonly MessagePlan[]
}

/** What happens to one message between pages: its number, counted from 0 over the whole session. */
export interface MessagePlan {
  readonly message: number
  readonly fault: MessageFault
  /** How late it is. */
  readonly ms: number
}

export const messageFaults = ['message_lost', 'message_late', 'message_doubled'] as const
export type MessageFault = (typeof messageFaults)[number]

/** A listener, or a reader of `agent.events()`. */
export type AudiencePlan =
  | { readonly does: 'reads' | 'throws' | 'dawdles' }
  /** The listener acts while the first event with this number is delivered to it. */
  | { readonly does: 'calls_back'; readonly seq: number; readonly deed: Deed }

/** What a user does with an agent, and not with its page. */
export type Deed = Exclude<ActionPlan, { readonly do: PageAction | 'reload' }>

export function isDeed(action: ActionPlan): action is Deed {
  return action.do !== 'reload' && !pageActions.some((what) => what === action.do)
}

/** Sub-agents: the tool `delegate`, whose agents have a tool `deeper` that starts sub-agents again. */
export interface SubPlan {
  /** What the model of `delegate` answers, over all of its calls. Afterwards it says "Done." */
  readonly answers: readonly AnswerPlan[]
  /** What the model of `deeper` answers. */
  readonly deeper: readonly AnswerPlan[]
  readonly maxTurns?: number | null
  readonly toolExecution?: 'parallel' | 'sequential'
  readonly budget?: { maxTokens: number }
}

/** The agent's options that are plain data. What is absent has its default. */
export interface OptionsPlan {
  readonly toolExecution?: 'parallel' | 'sequential' | { type: 'batched'; size: number }
  readonly maxConcurrency?: number
  readonly maxCallsPerTurn?: number
  readonly maxTurns?: number | null
  readonly maxToolResultChars?: number
  readonly abortGraceMs?: number
  readonly toolMode?: 'auto' | 'manual'
  readonly approvalMode?: 'wait' | 'pause'
  readonly toolEvents?: boolean
  readonly updateIntervalMs?: number
  readonly steeringMode?: 'one-at-a-time' | 'all'
  readonly followUpMode?: 'one-at-a-time' | 'all'
  readonly hookTimeoutMs?: number
  readonly retry?: { maxAttempts?: number; baseMs?: number; capMs?: number } | null
  readonly streamIdleMs?: number | null
  readonly deadlineMs?: number | null
  readonly budget?: { maxTokens?: number; maxCost?: number }
  readonly loopDetection?: { noteAt: number; stopAt: number } | null
  readonly compaction?: CompactionPlan
  readonly hooks?: HooksPlan
}

export interface CompactionPlan {
  readonly thresholdTokens: number
  readonly keepTokens: number
  readonly summarize: HookPlan
}

/** What each hook does at every call. */
export interface HooksPlan {
  readonly prompt?: HookPlan | 'blocks' | 'rewrites'
  readonly before?: HookPlan | 'blocks' | 'rewrites' | 'asks' | 'terminates'
  readonly after?: HookPlan | 'rewrites' | 'terminates'
  readonly context?: HookPlan | 'rewrites' | 'spoils'
}

export type HookPlan = 'lets' | 'slow' | 'throws' | 'rejects' | 'hangs'

export interface AnswerPlan {
  readonly parts: readonly PartPlan[]
  readonly end: EndPlan
  /** Milliseconds between two chunks. Absent: all come at once. */
  readonly paceMs?: number
  /** The adapter ignores its signal. */
  readonly deaf?: boolean
  /** Tokens the answer reports, in and out together. Default 10. */
  readonly tokens?: number
}

export type PartPlan =
  | { readonly say: string }
  | { readonly think: string }
  | { readonly answer: AnswerKind }
  | CallPlan

/** An answer to what asks for an output; `plainly` in plain text, although a tool is there to take it. */
export type AnswerKind = 'fits' | 'fits_plainly' | 'misfits' | 'is_broken'

export interface CallPlan {
  readonly call: ToolName
  /** Its arguments as the model writes them. Default: they fit. */
  readonly args?: 'misfit' | 'broken' | 'list' | 'same'
  readonly does: Behaviour
  /** Milliseconds until it does it. */
  readonly ms: number
  /** What it says, if its behaviour is `reports`. Default: a little of everything. */
  readonly says?: readonly TalkStep[]
  /** How many files its result has. Default: none. */
  readonly files?: number
  /** What the functions that check a call of `fussy` do before it runs. */
  readonly checks?: { readonly validates: HookPlan; readonly asks: HookPlan | 'yes' }
}

export type EndPlan =
  | { readonly stop: 'stop' | 'tool_use' | 'max_tokens' | 'refusal' | 'pause_turn' }
  | { readonly fail: FailureKind; readonly retryAfterMs?: number }
  | { readonly broken: 'breaks_off' | 'stalls' | 'garbled' | 'open_block' | 'throws' }

/** Errors of the provider. A request that fails with one of the first five may be repeated. */
export const failureKinds = [
  'rate_limited',
  'overloaded',
  'network',
  'stalled',
  'truncated_stream',
  'auth',
  'billing',
  'bad_request',
  'context_overflow',
] as const
export type FailureKind = (typeof failureKinds)[number]

/** The tools of the world; `world/tools.ts` describes each. The last two names belong to no tool. */
export type ToolName =
  | 'work'
  | 'forever'
  | 'alone'
  | 'ask'
  | 'repeat'
  | 'retry'
  | 'client'
  | 'page'
  | 'verify'
  | 'fussy'
  | 'delegate'
  | 'deeper'
  | 'missing'
  | '__proto__'

/** What the code of a call does, or what happens to its worker meanwhile. The first two are no faults. */
export const behaviours = [
  'fine',
  'reports',
  'terminates',
  'throws',
  'hangs',
  'deaf',
  'crashes',
  'breaks',
  'huge',
  'uncloneable',
  'floods',
  'drowns',
  'too_big',
  'strange',
  'silent_start',
  'replies_late',
  'replies_twice',
  'foreign_reply',
  'ends_after_stop',
] as const
export type Behaviour = (typeof behaviours)[number]

/** What happens to one worker before it has a call: its number, counted from 0 over the whole session. */
interface StartPlan {
  readonly worker: number
  readonly fault: StartFault
}

export const startFaults = [
  'never_ready',
  'ready_late',
  'cannot_spawn',
  'fails_to_load',
  'wrong_version',
  'lacks_tool',
  'forged_reply',
] as const
export type StartFault = (typeof startFaults)[number]

/**
 * When a user does something: at a virtual time, after the durable event with this number, before this step of the
 * scheduler, or when the agent is at rest (then one after the other).
 */
export type Moment =
  | { readonly ms: number }
  | { readonly seq: number }
  | { readonly step: number }
  | 'rest'

/** `pick` chooses one of the calls, approvals or messages there are; `by`, one of the open pages. */
export type ActionPlan = { readonly at: Moment; readonly by?: number } & (
  | { readonly do: 'prompt' | 'steer' | 'follow_up'; readonly text: string }
  | { readonly do: 'prompt_with_signal'; readonly abortAfterMs: number }
  | { readonly do: 'abort' | 'clear_queues' | 'continue' | 'regenerate' | 'retry_again' }
  | {
      readonly do: 'cancel' | 'retry' | 'approve' | 'deny' | 'edit' | 'stale_approval'
      readonly pick: number
    }
  | { readonly do: 'answer_call'; readonly pick: number; readonly isError: boolean }
  | { readonly do: 'move_head' | 'redact' | 'take_queued'; readonly pick: number }
  | { readonly do: 'configure'; readonly pick: number }
  | { readonly do: 'reload' | 'close_page'; readonly how: ReloadKind }
  | { readonly do: 'open_page' | 'take_over' | 'delete' }
  | { readonly do: 'cut_off'; readonly ms: number }
)

/** What happens to pages, if there are several. */
export const pageActions = ['open_page', 'close_page', 'take_over', 'cut_off', 'delete'] as const
export type PageAction = (typeof pageActions)[number]

export type Action = ActionPlan['do']

/**
 * The page goes away: orderly (`dispose`), after the browser announced it, or at once; then an append under way is lost,
 * or is stored although the page was never notified.
 */
export type ReloadKind = (typeof reloadKinds)[number]
export const reloadKinds = ['disposed', 'hidden', 'crash_losing', 'crash_keeping'] as const

/** What happens to one append: its number, counted from 0 over the whole session, retries included. */
export interface AppendPlan {
  readonly append: number
  readonly fault: AppendFault
  readonly ms: number
}

/** What happens to one reading: its number, counted from 0 over the whole session. */
export interface LoadPlan {
  readonly load: number
  readonly fault: 'load_fails' | 'load_hangs' | 'load_slow'
}

export const appendFaults = ['slow', 'lost', 'unacknowledged', 'conflict', 'full', 'hangs'] as const
export type AppendFault = (typeof appendFaults)[number]

/** What happens to one file that a call gave: its number, counted from 0 over the whole session. */
export interface FilePlan {
  readonly file: number
  readonly fault: FileFault
  readonly ms: number
}

export const fileFaults = ['file_slow', 'file_refused', 'file_unacknowledged'] as const
export type FileFault = (typeof fileFaults)[number]
