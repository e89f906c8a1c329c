import type { Clock } from '../internal/clock.ts'
import type { AgentEvent } from '../kernel/events.ts'
import type { Execution } from '../tools/host.ts'
import { createSlots, type Release, type Slots } from './call-slots.ts'

/** A call that the model is still writing. `agentId` is missing for the session's own agent. */
interface AnnouncedCall {
  readonly toolCallId: string
  readonly agentId: string | undefined
}

/** An execution that was opened before its call was ready, with the slot it holds. */
interface EarlyExecution {
  readonly execution: Execution
  readonly release: Release
}

/**
 * Executions that are opened as soon as the model names a tool, so that the worker starts while the arguments still
 * stream. They take only free slots, and release them when a call is ready to run.
 */
export interface EarlyExecutions {
  /** How many executions wait for calls of this agent. */
  readonly count: (agentId: string | undefined) => number
  /** Opens an execution for a call whose tool the model has named, if a slot is free. */
  readonly announce: (call: AnnouncedCall, open: () => Execution) => void
  /** Hands over the execution of a call that is about to run; `null` if none waits for it. */
  readonly take: (toolCallId: string) => EarlyExecution | null
  /** Closes the executions that an event makes useless. */
  readonly note: (event: AgentEvent) => void
  /** Releases one slot, if any early execution holds one. */
  readonly yieldSlot: () => void
  readonly dropAll: () => void
}

/** Milliseconds that an execution waits for its call, which may wait for a person. */
const patienceMs = 30_000

/** The slots of a session, and the early executions that use those which no call needs yet. */
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
    // No code has run in this execution, so its worker ends at once and the slot is free.
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
        // Misuse is reported when the call itself opens its execution.
        release()
      }
    },
    take,
    note: (event) => {
      if (event.type === 'tool_execution_end') drop(event.toolCallId)
      // Drops only the calls of this agent: those of others may be running.
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

/** Whether no announced call of the event's agent can run any more. */
function endsCalls(event: AgentEvent): boolean {
  if (event.type === 'agent_end') return true
  if (event.type !== 'message_end' || event.message.role !== 'assistant') return false
  return event.message.stopReason !== 'tool_use'
}
