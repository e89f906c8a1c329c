import type { Clock } from '../internal/clock.ts'
import type { AgentEvent } from '../kernel/events.ts'
import type { Execution } from '../tools/host.ts'
import type { Release, Slots } from './slots.ts'
import { createSlots } from './slots.ts'

/** An execution that was opened before its call was ready, with the slot it holds. */
/** A call that is being written, and whose. Without `agentId` it is the session's own agent. */
export interface AnnouncedCall {
  readonly toolCallId: string
  readonly agentId: string | undefined
}

interface EarlyExecution {
  readonly execution: Execution
  readonly release: Release
}

/**
 * Executions that are opened as soon as the model names a tool: the worker starts while the arguments still
 * stream. They take free slots only, and give them up to any call that is ready to run.
 */
export interface EarlyExecutions {
  /** How many calls of an agent have one that waits for them. */
  readonly count: (agentId: string | undefined) => number
  /** The model has named the tool of a call. */
  readonly announce: (call: AnnouncedCall, open: () => Execution) => void
  /** The call is about to run: what was opened for it is now its own. */
  readonly take: (toolCallId: string) => EarlyExecution | null
  /** Ends what turns out to be of no use. */
  readonly note: (event: AgentEvent) => void
  /** Gives one slot up, if any is held. */
  readonly yieldSlot: () => void
  readonly dropAll: () => void
}

/** A call that waits longer, for a person, does so without a worker. */
const patienceMs = 30_000

/** The slots of an agent, and the executions that take those which nobody needs yet. */
export function createCallSlots(
  limit: () => number,
  clock: Clock,
): { readonly slots: Slots; readonly early: EarlyExecutions } {
  const slots = createSlots(limit, clock, () => early.yieldSlot())
  const early = createEarlyExecutions(slots, clock)
  return { slots, early }
}

function createEarlyExecutions(slots: Pick<Slots, 'takeFree'>, clock: Clock): EarlyExecutions {
  const waiting = new Map<string, WaitingExecution>()

  function take(toolCallId: string): EarlyExecution | null {
    const early = waiting.get(toolCallId)
    if (!early) return null
    waiting.delete(toolCallId)
    early.cancelTimer()
    return early
  }

  function drop(toolCallId: string): void {
    const early = take(toolCallId)
    // Nothing has run in it, so it ends at once.
    early?.execution.close()
    early?.release()
  }

  function dropAll(): void {
    for (const toolCallId of waiting.keys()) drop(toolCallId)
  }

  function idsOf(agentId: string | undefined): readonly string[] {
    return [...waiting].flatMap(([id, early]) => (early.agentId === agentId ? [id] : []))
  }

  return {
    count: (agentId) => idsOf(agentId).length,
    announce: ({ toolCallId, agentId }, open) => {
      const release = waiting.has(toolCallId) ? null : slots.takeFree()
      if (!release) return
      try {
        const execution = open()
        const cancelTimer = clock.setTimer(patienceMs, () => drop(toolCallId))
        waiting.set(toolCallId, { agentId, execution, release, cancelTimer })
      } catch {
        // Misuse is told when the call itself is opened.
        release()
      }
    },
    take,
    note: (event) => {
      if (event.type === 'tool_execution_end') drop(event.toolCallId)
      // Other agents of the session go on.
      if (endsCalls(event)) for (const id of idsOf(event.agentId)) drop(id)
      if (event.type === 'agent_end' && event.agentId === undefined) dropAll()
    },
    yieldSlot: () => {
      const [first] = waiting.keys()
      if (first !== undefined) drop(first)
    },
    dropAll,
  }
}

interface WaitingExecution extends EarlyExecution {
  readonly agentId: string | undefined
  readonly cancelTimer: () => void
}

/** Whether no call that an agent has announced can run any more. */
function endsCalls(event: AgentEvent): boolean {
  if (event.type === 'agent_end') return true
  if (event.type !== 'message_end' || event.message.role !== 'assistant') return false
  return event.message.stopReason !== 'tool_use'
}
