import type { AgentEvent, EventOf, Json } from '@offthread/core'
import { contentOf, resultId, spokenMessage } from './ag-ui-messages.ts'
import type { AgUiFact } from './ag-ui-types.ts'
import { createAnswerBlocks } from './answer-blocks.ts'
import type { Conversation } from './conversation.ts'
import { runEnd } from './run-end.ts'

type Facts = readonly AgUiFact[]

/** Maps the events of a run to AG-UI. */
export interface RunFacts {
  /** Notes what a later event needs, also between runs. */
  readonly note: (event: AgentEvent) => void
  readonly facts: (event: AgentEvent) => Facts
}

/** All messages of the conversation again: a message that is not among them is no part of it. */
export function allMessages(conversation: Conversation): AgUiFact {
  return { type: 'MESSAGES_SNAPSHOT', messages: conversation.messages() }
}

export function createRunFacts(conversation: Conversation): RunFacts {
  const messages = createMessageFacts(conversation)
  const asked = new Map<string, string>()
  let model = { provider: 'unknown', id: 'unknown' }
  let rejected: string | null = null
  let stepName: string | null = null

  function endOfStep(): Facts {
    const ends: Facts = stepName === null ? [] : [{ type: 'STEP_FINISHED', stepName }]
    stepName = null
    return ends
  }

  function startOfStep({ turn }: AgentEvent): Facts {
    const ends = endOfStep()
    stepName = `turn_${turn}`
    return [...ends, { type: 'STEP_STARTED', stepName }]
  }

  return {
    note: (event) => {
      if (event.type === 'agent_start') {
        model = event.model
        rejected = null
      }
      if (event.type === 'input_rejected') rejected = event.reason
      if (event.type === 'tool_approval_requested') asked.set(event.toolCallId, event.argsDigest)
      if (event.type === 'tool_approval_resolved' || event.type === 'tool_execution_end') {
        asked.delete(event.toolCallId)
      }
    },
    facts: (event) => {
      switch (event.type) {
        case 'turn_start':
          return startOfStep(event)
        case 'turn_end':
          return endOfStep()
        case 'message_update':
          return messages.update(event)
        case 'message_end':
          return messages.end(event)
        case 'tool_execution_end':
          return [resultOf(event)]
        case 'agent_end': {
          const pending = conversation.pending()
          const end = runEnd(event, { model, rejected, asked, pending })
          return [...messages.close(), ...endOfStep(), end]
        }
        default:
          return customFact(event)
      }
    },
  }
}

/** Sends messages: those of users when they are complete, answers while they are written. */
function createMessageFacts(conversation: Conversation) {
  const answer = createAnswerBlocks()
  return {
    update: answer.step,
    close: answer.endAll,
    end: ({ message, excluded }: EventOf<'message_end'>): Facts => {
      if (message.role === 'toolResult') return []
      if (message.role !== 'assistant') {
        const { id: messageId, role, content } = spokenMessage(message)
        if (typeof content !== 'string') return [allMessages(conversation)]
        return [
          { type: 'TEXT_MESSAGE_START', messageId, role },
          { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: content },
          { type: 'TEXT_MESSAGE_END', messageId },
        ]
      }
      const wasSent = !answer.isEmpty()
      const ends = answer.endAll()
      const isRight = !wasSent || (!excluded && answer.isWhole(message))
      const rest = excluded || wasSent ? [] : answer.whole(message)
      answer.forget()
      return [...ends, ...rest, ...(isRight ? [] : [allMessages(conversation)])]
    },
  }
}

function resultOf({ toolCallId, result }: EventOf<'tool_execution_end'>): AgUiFact {
  const content = contentOf(result.content)
  const messageId = resultId(toolCallId)
  return { type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' }
}

/** Events that have no counterpart in AG-UI, but are worth showing. */
function customFact(event: AgentEvent): Facts {
  switch (event.type) {
    case 'tool_custom':
      if (reserved.has(event.name)) return []
      return [custom(event.name, { toolCallId: event.toolCallId, data: event.data })]
    case 'tool_progress': {
      const { toolCallId, message, status, value, total, unit } = event
      return [custom('tool_progress', plain({ toolCallId, message, status, value, total, unit }))]
    }
    case 'tool_approval_requested': {
      const { toolCallId, toolName, args, argsDigest } = event
      return [custom(event.type, { toolCallId, toolName, args, argsDigest })]
    }
    case 'tool_approval_resolved': {
      const { toolCallId, decision } = event
      return [custom(event.type, { toolCallId, decision })]
    }
    default:
      return []
  }
}

/** No tool may use these names: a consumer would take its event for one of the agent. */
const reserved: ReadonlySet<string> = new Set([
  'tool_progress',
  'tool_approval_requested',
  'tool_approval_resolved',
] satisfies AgentEvent['type'][])

function custom(name: string, value: Json): AgUiFact {
  return { type: 'CUSTOM', name, value }
}

/** An object without the fields that are `undefined`. */
function plain(fields: { readonly [name: string]: Json | undefined }): Json {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(entries)
}
