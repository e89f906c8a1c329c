import type { AgentEvent } from '@offthread/core'
import type { AgUiEvent, AgUiFact } from './ag-ui-types.ts'
import { createConversation } from './conversation.ts'
import { allMessages, createRunFacts } from './run-facts.ts'

/**
 * Maps the events of one session to those of AG-UI, in the order that its clients accept. What the protocol can only append is
 * appended. For what changes, a replaced attempt at an answer, a retried call, another branch, all messages are sent again, as
 * `MESSAGES_SNAPSHOT`. Give it all events of the session, from the first one on: then it may begin at any time. What happens
 * between runs is sent with the next one. Left out are the events of sub-agents, and those that a tool emits under the name
 * of an event that is sent as `CUSTOM`.
 *
 * @example
 * ```ts
 * const toAgUi = createAgUiEvents()
 * for await (const event of agent.events()) toAgUi(event).map(toServerSentEvent).forEach(send)
 * ```
 */
export function createAgUiEvents(): (event: AgentEvent) => readonly AgUiEvent[] {
  const conversation = createConversation()
  const run = createRunFacts(conversation)
  let isRunning = false
  /** Whether the consumer has other messages than the conversation. */
  let isStale = false
  return (event) => {
    if (event.agentId !== undefined) return []
    const isOther = conversation.take(event)
    run.note(event)
    isStale ||= isOther || changesBranch.has(event.type)
    const { runId, sessionId: threadId, ts: timestamp } = event
    if (runId === null || (!isRunning && event.type === 'agent_end')) {
      isStale ||= addsMessages.has(event.type)
      return []
    }
    const facts: AgUiFact[] = isRunning ? [] : [{ type: 'RUN_STARTED', threadId, runId }]
    if (isStale) facts.push(allMessages(conversation))
    isStale = false
    isRunning = event.type !== 'agent_end'
    facts.push(...run.facts(event))
    return facts.map((fact) => ({ ...fact, timestamp }))
  }
}

/** The events that make other messages the current ones. */
const changesBranch: ReadonlySet<AgentEvent['type']> = new Set([
  'head_moved',
  'message_redacted',
  'tool_retry_requested',
])

/** The events that add to the messages, also between two runs. */
const addsMessages: ReadonlySet<AgentEvent['type']> = new Set(['message_end', 'tool_execution_end'])
