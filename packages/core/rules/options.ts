import type { Message } from '../src/kernel/message.ts'
import type { Tool } from '../src/tools/definition.ts'

/** The options of a tool that the rules depend on. */
export interface ToolRule {
  /** `executionMode: 'sequential'`: no other call runs beside it. */
  readonly sequential?: boolean
  /** Milliseconds its code may run; `null` is no limit. */
  readonly timeoutMs?: number | null
  /** Its calls run sub-agents, which take no slot. */
  readonly isAgent?: boolean
  /** What becomes of a call that was cut off with its page. Default `'error'`. */
  readonly onInterrupt?: 'error' | 'rerun' | 'check'
  /** After which failures `retry` tries it again: `'all'` if it may run twice. Default: after none. */
  readonly retriedAfter?: 'thrown' | 'all'
}

export function toolRuleOf(tool: Tool): ToolRule {
  const { executionMode, timeoutMs, onInterrupt, retry, idempotent, effects } = tool
  return {
    sequential: executionMode === 'sequential',
    timeoutMs,
    onInterrupt,
    ...(retry && { retriedAfter: idempotent || effects !== 'writes' ? 'all' : 'thrown' }),
  }
}

/** Finds what is wrong with a conversation: one sentence each. */
export type Judge = (messages: readonly Message[]) => readonly string[]

/** How the agent under test is set up. The defaults are the agent's own. */
export interface RuleOptions {
  readonly maxConcurrency?: number
  readonly maxCallsPerTurn?: number
  readonly maxToolResultChars?: number
  readonly abortGraceMs?: number
  /** The virtual milliseconds by which a run may exceed its limits: the ε of I20 and I21. */
  readonly slackMs?: number
  readonly hookTimeoutMs?: number
  readonly toolMode?: 'auto' | 'manual'
  readonly toolEvents?: boolean
  readonly steeringMode?: 'one-at-a-time' | 'all'
  readonly followUpMode?: 'one-at-a-time' | 'all'
  readonly tools?: { readonly [name: string]: ToolRule }
  /** `false`: the log is what a storage kept, without deltas (I5). */
  readonly hasDeltas?: boolean
  /** Which hooks the agent has. Rules about a hook that is not named here are not checked. */
  readonly hooks?: {
    readonly onUserPromptSubmit?: boolean
    readonly beforeToolCall?: boolean
    readonly afterToolCall?: boolean
  }
  /** Texts that must appear nowhere: not in an event, a request or a worker message (I36). */
  readonly secrets?: readonly string[]
  /** Texts that a model must never read: what the tools put into details, progress, logs (I19). */
  readonly unseen?: readonly string[]
  /** Listeners act while an event is delivered, so what they ask for may stand before the rest of the same step. */
  readonly isReentrant?: boolean
  /** Other pages queue messages, too, so queued messages are known from the log alone (I26). */
  readonly isShared?: boolean
  /** The judges of every conversation, see `judges.ts`. */
  readonly judges?: readonly Judge[]
  /** Judges the transcript only at every n-th change of the conversation. 0: never, and nothing is folded. */
  readonly judgeEvery?: number
  /**
   * Compares the states of whole, stepwise and durable folding at each run's end and at rest. Takes time linear in
   * the log.
   */
  readonly compareStates?: boolean
}

/** The options with their defaults. */
export type Setup = Required<RuleOptions>

export function setupOf(options: RuleOptions): Setup {
  return {
    maxConcurrency: 8,
    maxCallsPerTurn: 64,
    maxToolResultChars: 10_000,
    abortGraceMs: 250,
    slackMs: 50,
    hookTimeoutMs: 10_000,
    toolMode: 'auto',
    toolEvents: true,
    steeringMode: 'one-at-a-time',
    followUpMode: 'one-at-a-time',
    tools: {},
    hasDeltas: true,
    hooks: {},
    secrets: [],
    unseen: [],
    isReentrant: false,
    isShared: false,
    judges: [],
    judgeEvery: 1,
    compareStates: true,
    ...options,
  }
}
