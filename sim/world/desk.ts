import type { Json } from '../../packages/core/src/internal/json.ts'
import type { AgentEvent, EventOf } from '../../packages/core/src/kernel/events.ts'
import { callsOf, textOf } from '../../packages/core/src/kernel/message.ts'
import type { RunEndReason } from '../../packages/core/src/kernel/run-end-reason.ts'

/** An approval that waits for a person. */
interface PendingApproval {
  readonly toolCallId: string
  readonly argsDigest: string
  readonly args: Json
}

/** What a user can see and act upon, computed from the events. */
export interface Desk {
  readonly see: (event: AgentEvent) => void
  /** Calls of committed answers that have not ended, in call order. */
  readonly openCalls: () => readonly string[]
  /** All calls that were started, the latest first. */
  readonly calls: () => readonly Pick<EventOf<'tool_execution_start'>, 'toolCallId' | 'args'>[]
  readonly approvals: () => readonly PendingApproval[]
  /** Digests of approvals that were requested and are settled. */
  readonly staleDigests: () => readonly string[]
  readonly messageIds: () => readonly string[]
  /** The messages of users. */
  readonly saidIds: () => readonly string[]
  /** The call that was retried on a branch of its own, and the last message of the branch that was left for it. */
  readonly retried: () => { readonly toolCallId: string; readonly left: string } | null
  /** The runs whose prompts never became messages. */
  readonly unsaidPrompts: () => readonly string[]
  /** Calls that run on the page itself: each holds a slot, but has no worker. */
  readonly pageCalls: () => number
  /** The last execution of a call. */
  readonly executionOf: (toolCallId: string) => string
  /** The agent that wrote this message; empty for that of the session. */
  readonly agentOf: (messageId: string) => string
  /** The last answer of a sub-agent. */
  readonly lastText: (agentId: string) => string
  /** The call with this number in its arguments. */
  readonly callNumbered: (n: number) => string | undefined
  /** The number of the event that ended the last run, if the run waits for answers or was cut off; else `null`. */
  readonly awaiting: () => number | null
  /** The state of the run. */
  readonly run: () => 'none' | 'active' | 'aborting'
}

/** A person has to do something before the run goes on. */
function isLeft(reason: RunEndReason): boolean {
  return reason === 'awaiting_tool_results' || reason === 'interrupted'
}

/** Their calls run sub-agents, which take no slot. */
const agentTools: ReadonlySet<string> = new Set(['delegate', 'deeper'])

export function createDesk(before: readonly AgentEvent[] = []): Desk {
  const desk = createEmptyDesk()
  for (const event of before) desk.see(event)
  return desk
}

type Tellers = Pick<
  Desk,
  | 'see'
  | 'messageIds'
  | 'saidIds'
  | 'retried'
  | 'unsaidPrompts'
  | 'calls'
  | 'executionOf'
  | 'agentOf'
  | 'lastText'
  | 'callNumbered'
>

/** The agent that wrote each message. */
function createTellers(): Tellers {
  const messageIds: string[] = []
  const saidIds: string[] = []
  let head: string | null = null
  let left: string | null = null
  let retried: ReturnType<Desk['retried']> = null
  const unsaidPrompts: string[] = []
  const calls: EventOf<'tool_execution_start'>[] = []
  const executions = new Map<string, string>()
  const tellers = new Map<string, string>()
  const texts = new Map<string, string>()
  const numbers = new Map<number, string>()
  return {
    see: (event) => {
      if (event.type === 'tool_execution_start') calls.unshift(event)
      if (event.type === 'agent_end' && event.agentId === undefined && event.turns === 0)
        unsaidPrompts.push(event.runId ?? '')
      if (event.type === 'head_moved' && event.agentId === undefined) {
        left = head
        head = event.messageId
      }
      if (event.type === 'tool_retry_requested') {
        if (left !== null) retried = { toolCallId: event.toolCallId, left }
      }
      if (event.type === 'tool_dispatched') executions.set(event.toolCallId, event.executionId)
      if (event.type !== 'message_end') return
      const { agentId, message } = event
      if (agentId !== undefined) tellers.set(message.id, agentId)
      else messageIds.push(message.id)
      if (agentId === undefined) {
        head = message.id
        left = null
        if (message.role === 'user') saidIds.push(message.id)
      }
      if (message.role !== 'assistant' || event.excluded) return
      if (agentId !== undefined) texts.set(agentId, textOf(message.content))
      for (const { toolCallId, argsText } of callsOf(message.content)) {
        const [, n] = /^\{"n":(\d+)\}$/.exec(argsText) ?? []
        if (n !== undefined) numbers.set(Number(n), toolCallId)
      }
    },
    messageIds: () => messageIds,
    saidIds: () => saidIds,
    retried: () => retried,
    unsaidPrompts: () => unsaidPrompts,
    calls: () => calls,
    executionOf: (toolCallId) => executions.get(toolCallId) ?? 'none',
    agentOf: (messageId) => tellers.get(messageId) ?? '',
    lastText: (agentId) => texts.get(agentId) ?? '',
    callNumbered: (n) => numbers.get(n),
  }
}

function createEmptyDesk(): Desk {
  const tellers = createTellers()
  const openCalls = new Set<string>()
  const approvals = new Map<string, PendingApproval>()
  const stale: string[] = []
  let awaiting: number | null = null
  const onPage = new Set<string>()
  const running = new Set<string>()
  let run: 'none' | 'active' | 'aborting' = 'none'
  return {
    ...tellers,
    see: (event) => {
      tellers.see(event)
      if (event.type === 'session_opened') running.clear()
      if (event.type === 'tool_retry_requested') openCalls.add(event.toolCallId)
      switch (event.type) {
        case 'agent_start':
          if (event.agentId === undefined) run = 'active'
          break
        case 'abort_requested':
          if (event.agentId === undefined) run = 'aborting'
          break
        case 'agent_end':
          if (event.agentId !== undefined) break
          run = 'none'
          awaiting = isLeft(event.reason) ? event.seq : null
          break
        case 'tool_execution_start':
          if (event.place === 'page' && !agentTools.has(event.toolName))
            onPage.add(event.toolCallId)
          break
        case 'tool_dispatched':
          if (onPage.has(event.toolCallId)) running.add(event.toolCallId)
          break
        case 'tool_execution_end':
          openCalls.delete(event.toolCallId)
          running.delete(event.toolCallId)
          approvals.delete(event.toolCallId)
          break
        case 'tool_approval_requested':
          approvals.set(event.toolCallId, event)
          break
        case 'tool_approval_resolved':
          approvals.delete(event.toolCallId)
          stale.push(event.argsDigest)
          break
        case 'message_end':
          for (const toolCallId of callsMadeIn(event)) openCalls.add(toolCallId)
          break
        default:
      }
    },
    openCalls: () => [...openCalls],
    approvals: () => [...approvals.values()],
    staleDigests: () => stale,
    pageCalls: () => running.size,
    awaiting: () => awaiting,
    run: () => run,
  }
}

function callsMadeIn({ message, excluded }: EventOf<'message_end'>): readonly string[] {
  if (message.role !== 'assistant' || excluded) return []
  return callsOf(message.content).map(({ toolCallId }) => toolCallId)
}
