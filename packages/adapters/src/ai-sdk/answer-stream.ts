import type { Agent, AgentEvent, AgentState, ToolCallView } from '@offthread/core'
import { type Exchange, lastExchange } from '../exchanges.ts'
import { answerParts, type KeyedPart } from './answer-parts.ts'
import { endChunks } from './end-chunks.ts'
import { createAnswerFollower } from './follow-answer.ts'
import type { SdkChunk } from './sdk-types.ts'

interface AnswerStreamOptions {
  /** Whether the last exchange of the conversation is the one to stream. Default: it is. */
  readonly isMeant?: (exchange: Exchange) => boolean
  /** The run that this stream has started. It fails for misuse only. */
  readonly run?: Promise<unknown> | undefined
  /** The parts of the answer that the chat shows already. */
  readonly shown?: readonly KeyedPart[]
  /** The calls that the chat has answered: they do not wait any more, whatever the snapshot says. */
  readonly answered?: ReadonlySet<string>
  /** Called when the exchange was found. */
  readonly onFound?: (exchange: Exchange) => void
}

/**
 * Streams the last answer of an agent, until the agent is at rest or only waits for what a person decides in the chat. It is
 * made of what changes between two snapshots, so it may begin at any moment of a run.
 */
export function answerStream(agent: Agent, options: AnswerStreamOptions): ReadableStream<SdkChunk> {
  const { run } = options
  const answer = createShownAnswer(options)
  let rejected: string | null = null
  let hasLeft = false
  let leave = (): void => {}

  function start(controller: ReadableStreamDefaultController<SdkChunk>): void {
    const step = (): void => {
      if (hasLeft) return
      const state = agent.getState()
      for (const chunk of answer.news(state)) controller.enqueue(chunk)
      if (!answer.isOver(state)) return
      leave()
      for (const chunk of endChunks(state, rejected)) controller.enqueue(chunk)
      controller.close()
    }
    const stops = [
      agent.store.subscribe(step),
      agent.subscribe((event) => {
        if (event.type === 'input_rejected') rejected = event.reason
        const data = transientData(event)
        if (data && answer.hasStarted()) controller.enqueue(data)
      }),
    ]
    leave = () => {
      hasLeft = true
      for (const stop of stops) stop()
    }
    const ended = (): void => {
      answer.noteEnd()
      step()
    }
    const refused = (error: unknown): void => {
      if (hasLeft) return
      leave()
      controller.error(error)
    }
    run?.then(ended, refused)
    step()
  }

  return new ReadableStream({ start, cancel: () => leave() })
}

/** The answer as the chat shows it. */
function createShownAnswer({ isMeant, run, shown, answered, onFound }: AnswerStreamOptions) {
  const follow = createAnswerFollower(shown)
  let isPending = run !== undefined
  let hasBegun = !isPending
  let isFound = false
  let hasStarted = false
  return {
    /** The run of this stream has ended. */
    noteEnd: () => {
      isPending = false
    },
    hasStarted: () => hasStarted,
    /** What the snapshot adds to the stream. */
    news: (state: AgentState): readonly SdkChunk[] => {
      hasBegun ||= state.isActive || !isPending
      const exchange = hasBegun ? lastExchange(state.messages) : undefined
      if (!exchange || isMeant?.(exchange) === false) return []
      if (!isFound) onFound?.(exchange)
      isFound = true
      const { answerId: messageId } = exchange
      if (messageId === null) return []
      const starts: readonly SdkChunk[] = hasStarted ? [] : [{ type: 'start', messageId }]
      hasStarted = true
      return [...starts, ...follow(answerParts(exchange, state.toolCalls))]
    },
    isOver: ({ status, isActive, toolCalls }: AgentState): boolean => {
      if (!hasBegun) return false
      if (!isWaitingStatus(status)) return !isPending && !isActive
      return toolCalls.active.some((call) => isWaiting(call) && !answered?.has(call.toolCallId))
    },
  }
}

/** Whether an agent with this status only waits for a person. */
export function isWaitingStatus(status: AgentState['status']): boolean {
  return status === 'awaiting_approval' || status === 'awaiting_tool_results'
}

// Calls of sub-agents are not in the chat.
function isWaiting({ approval, place, agentId, isAnswered }: ToolCallView): boolean {
  const isOpen = approval !== undefined || (place === 'client' && !isAnswered)
  return agentId === undefined && isOpen
}

/** The data that a tool sends while it runs. The chat passes it to `onData` and does not keep it. */
function transientData(event: AgentEvent): SdkChunk | null {
  if (event.agentId !== undefined) return null
  if (event.type === 'tool_custom') {
    const { name, data, toolCallId: id } = event
    return { type: `data-${name}`, id, data, transient: true }
  }
  if (event.type !== 'tool_progress') return null
  const { message, status, value, total, unit, toolCallId: id } = event
  const data = { message, status, value, total, unit }
  return { type: 'data-tool-progress', id, data, transient: true }
}
