/** What the rules have read so far. Each part is written by one file and read by the others. */

import type { EventOf, ToolExecution } from '../src/kernel/events.ts'
import type { AssistantContent, AssistantMessage, Message, Usage } from '../src/kernel/message.ts'
import type { CallLogs, PartialToolResult, ToolMessage } from '../src/kernel/tool-outcome.ts'
import type { Setup } from './options.ts'

/** Reports the rule as broken unless `holds` is true. */
export type Check = (rule: string, holds: boolean, why: string) => void

/** What all agents of a session share. */
export interface Session {
  readonly setup: Setup
  readonly check: Check
  readonly memory: Memory
  readonly calls: Map<string, Call>
  readonly messageIds: Set<string>
  readonly runIds: Set<string>
  readonly executionIds: Set<string>
  readonly bootIds: Set<string>
  readonly digests: Map<string, string>
  readonly books: Map<string, Book>
  /** The transcript that was last found valid. */
  judged: readonly Message[]
  /** The messages already searched for texts that no model may read. */
  readonly searched: WeakSet<Message>
  /** Whether the simulator reports what happens around the log. */
  watched: boolean
}

/** What one agent of the session has done. */
export interface Book {
  readonly agentId: string
  run: Run | null
  /** The calls of the last answer, until the last result message is there. */
  batch: Batch | null
  open: OpenMessage | null
  head: string | null
  readonly nodes: Map<string, Node>
  readonly steering: Queue
  readonly followUp: Queue
  /**
   * How the calls of the answer at the head had ended on the branch that the head came from; `null`: it is not known.
   */
  left: ReadonlyMap<string, End> | null
  /** How the calls of an answer had ended when their results were written. The key is the first result. */
  readonly versions: Map<string, ReadonlyMap<string, End>>
  /** Whether the run that is open, or was the last, has to end with an output. */
  outputOfRun: boolean
  /** The last run ended without the output that it was asked for, after this message. */
  missing: { readonly after: string | null } | null
  readonly compactions: { readonly summary: string; readonly firstKeptMessageId: string }[]
}

type End = EventOf<'tool_execution_end'>

export interface Node {
  readonly message: Message
  readonly excluded: boolean
}

/** A queue as the log states it; contents as JSON texts. */
export interface Queue {
  waiting: string[]
  /** Messages that a `queue_update` took off the queue, and that are not in the log yet. */
  departed: string[]
  /** Messages that were taken off when the queue became empty: either delivered or cleared. */
  cleared: string[]
  /** Messages that people queued, and neither took back nor saw delivered; `null` where that is not reported. */
  asked: string[] | null
}

export interface Run {
  readonly runId: string
  readonly start: EventOf<'agent_start'>
  turns: number
  /** Turns since the prompt or the last follow-up. */
  counted: number
  turn: Turn | null
  abortedAt: number | null
  /** Whether the log was opened again after the run began. */
  lost: boolean
  readonly usages: Usage[]
  readonly childUsages: Usage[]
  prompts: number
  promptHooks: number
  promptSaid: HookAnswer | null
  rejected: boolean
  loop: boolean
  readonly warnings: string[]
  answer: AssistantMessage | null
  /** The last answer that was checked against the schema of the output. */
  checked: EventOf<'output_checked'> | null
  repairs: number
  refused: boolean
  /** Whether the last closed batch of this run asked to end the run. */
  terminate: boolean
}

interface Turn {
  readonly usages: Usage[]
  answer: AssistantMessage | null
  steering: number
  followUps: number
}

export interface OpenMessage {
  readonly message: Message
  readonly content: AssistantContent[]
  /** Whether deltas are missing, because the log was opened again. */
  torn: boolean
}

export interface Batch {
  readonly book: Book
  readonly runId: string
  readonly turn: number
  /** The strategy of the run that made the answer, or that retries one of its calls. */
  readonly strategy: ToolExecution
  readonly message: AssistantMessage
  readonly calls: readonly Call[]
  readonly units: Unit[]
  started: number
  ended: number
  /** Whether the run ended and left the batch open. */
  carried: boolean
  lost: boolean
  toolMessages: readonly ToolMessage[] | null
  delivered: number
}

/** Calls that were started together. */
export interface Unit {
  readonly index: number
  readonly calls: Call[]
  /** How many may be in it, by the strategy of the run that started it. */
  readonly size: number
  readonly steered: boolean
  /**
   * Whether the unit started while a call of the unit before was still open. That is allowed only for calls that are
   * cancelled.
   */
  readonly early: boolean
  gathering: boolean
  /** Whether the log was cut between the starts of the unit, which are one append: the others come in the next one. */
  isCut: boolean
}

type Stage = 'announced' | 'started' | 'prepared' | 'dispatched' | 'running' | 'ended'

export interface Call {
  batch: Batch
  readonly toolCallId: string
  readonly toolName: string
  readonly index: number
  stage: Stage
  unit: Unit | null
  place: string
  dispatches: number
  /** How often the call had been dispatched before a person retried it; `null`: it was never retried. */
  retriedAfter: number | null
  executionId: string | null
  runningAt: number | null
  /** Whether the call is between a failed attempt and the next one. */
  retrying: boolean
  cancelled: boolean
  lost: boolean
  /** The attempt before the last was cut off with its page. */
  wasCut: boolean
  /** What the check of this attempt said. */
  fate: 'done' | 'not_done' | 'unknown' | null
  staged: boolean
  approval: Approval | null
  /** What came back from the call's code, as the world saw it. */
  reply: Reply | null
  /** The last partial result that this opening of the log saw before the end. */
  partial: PartialToolResult | null
  /** All lines that this opening of the log saw the call log. */
  logs: CallLogs
  readonly hooks: HookRecord
  end: End | null
}

/** What hooks were asked about a call, and what they answered last. */
export interface HookRecord {
  before: number
  after: number
  beforeSaid: HookAnswer | null
  afterSaid: HookAnswer | null
}

/** The hook let the call pass or changed it; it blocked the call; it threw or returned nonsense. */
export type HookAnswer = 'answered' | 'blocked' | 'failed'

export interface Reply {
  readonly kind: 'returned' | 'threw' | 'crashed'
  readonly text?: string
}

interface Approval {
  readonly request: EventOf<'tool_approval_requested'>
  answer: EventOf<'tool_approval_resolved'> | null
}

/** What is kept over a reload, because it happened outside the page. */
export interface Memory {
  /** Side effects and posts that were seen, by the attempt or execution they belong to. */
  readonly counts: Map<string, number>
  /** What hooks were asked about each call, by its id. */
  readonly hooks: Map<string, HookRecord>
}

export const noLogs: CallLogs = { lines: [], dropped: 0 }

export function createMemory(): Memory {
  return { counts: new Map(), hooks: new Map() }
}

export function createSession(setup: Setup, check: Check, memory: Memory): Session {
  return {
    memory,
    setup,
    check,
    calls: new Map(),
    messageIds: new Set(),
    runIds: new Set(),
    executionIds: new Set(),
    bootIds: new Set(),
    digests: new Map(),
    books: new Map(),
    judged: [],
    searched: new WeakSet(),
    watched: false,
  }
}

export function bookOf(session: Session, agentId: string): Book {
  const known = session.books.get(agentId)
  if (known) return known
  const queue = (): Queue => ({ waiting: [], departed: [], cleared: [], asked: null })
  const book: Book = {
    agentId,
    run: null,
    batch: null,
    open: null,
    head: null,
    nodes: new Map(),
    versions: new Map(),
    left: null,
    steering: queue(),
    followUp: queue(),
    outputOfRun: false,
    missing: null,
    compactions: [],
  }
  session.books.set(agentId, book)
  return book
}

/** Whether a call's code may be running. */
export function isLive(call: Call): boolean {
  const { stage, retrying, lost } = call
  return (stage === 'dispatched' || stage === 'running') && !retrying && !lost
}

/** How often a call was dispatched since a person last had it run. */
export function triesOf({ dispatches, retriedAfter }: Call): number {
  return dispatches - (retriedAfter ?? 0)
}
