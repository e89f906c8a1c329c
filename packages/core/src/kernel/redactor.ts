import { artifactsOf } from './artifacts-of.ts'
import { bareEvent, bareToolMessage } from './bare-event.ts'
import type { DurableEvent, EventOf } from './events.ts'
import { findNode, isOnPath } from './fold-history.ts'
import { callsOf } from './message.ts'
import { createQueueUses, type QueueUse } from './queue-uses.ts'
import { redactedParts, redactedText, withoutArgs } from './redacted-content.ts'
import type { RedactionTarget } from './redaction-target.ts'
import type { State } from './state.ts'
import type { QueueSource } from './steering.ts'

/** Finds in a log what a redaction has to change. */
export interface Redactor {
  /** Takes the next event of the log; no event may be left out. `before` is the state before it. */
  readonly add: (before: State, event: DurableEvent) => void
  /** The events that change, in their new form. */
  readonly replaced: () => readonly DurableEvent[]
  /** The artifacts that no event names any more. */
  readonly artifactIds: () => readonly string[]
}

/**
 * Removes a message from all places of a log that hold it: the message itself, the prompt of its run or its place in a
 * queue, its calls with all that they were given, said and returned, the agents inside them, and summaries that may
 * quote it. Quotations of it in other messages stay.
 */
export function createRedactor(target: RedactionTarget): Redactor {
  const changed = new Map<number, DurableEvent>()
  const gone = new Set<string>()
  const named = new Set<string>()
  const withoutInput = createInputRedaction(target, changed)
  const redacted = target.isPrompt ? createPromptRedaction(target) : createEventRedaction(target)
  return {
    add: (before, event) => {
      const now = redacted(before, event)
      if (now !== event) changed.set(event.seq, now)
      for (const id of artifactsOf(event)) (now === event ? named : gone).add(id)
      if (event.agentId === undefined) withoutInput(event)
    },
    replaced: () => [...changed.values()],
    artifactIds: () => [...gone].filter((id) => !named.has(id)),
  }
}

/**
 * Removes what a person said from the places where it stood before it became a message: the start of its run, or a
 * queue.
 */
function createInputRedaction(
  { messageId }: RedactionTarget,
  changed: Map<number, DurableEvent>,
): (event: DurableEvent) => void {
  const queues = createQueueUses()
  let start: EventOf<'agent_start'> | null = null

  function removeQueued(source: QueueSource, isMeant: boolean): void {
    for (const use of queues.take(source)) {
      const known = changed.get(use.event.seq)
      const event = known?.type === 'queue_update' ? known : use.event
      if (isMeant) changed.set(event.seq, withoutQueued({ ...use, event }))
    }
  }

  return (event) => {
    if (event.type === 'agent_start') start = event
    if (event.type === 'queue_update') queues.note(event)
    if (event.type !== 'message_end' || event.message.role !== 'user') return
    const { id, source = 'prompt' } = event.message
    if (source === 'repair') return
    if (source !== 'prompt') removeQueued(source, id === messageId)
    else if (start && id === messageId) changed.set(start.seq, bareEvent(start))
  }
}

function withoutQueued({ event, queue, index: place }: QueueUse): EventOf<'queue_update'> {
  const inputs = event[queue].map((input, index) =>
    index === place ? redactedParts(input) : input,
  )
  return { ...event, [queue]: inputs }
}

/** The events that hold a prompt which never became a message: the start of its run, and what hooks said about it. */
const ofPrompt: ReadonlySet<DurableEvent['type']> = new Set([
  'agent_start',
  'input_rejected',
  'warning',
] satisfies DurableEvent['type'][])

function createPromptRedaction({ messageId: runId }: RedactionTarget) {
  return (_: State, event: DurableEvent): DurableEvent => {
    const isOfRun = event.runId === runId && event.agentId === undefined
    if (!isOfRun || !ofPrompt.has(event.type)) return event
    const bare = bareEvent(event)
    // No field says whether such a prompt was removed before, so the texts are compared.
    return JSON.stringify(bare) === JSON.stringify(event) ? event : bare
  }
}

/** What has to be removed from a log. */
interface Scope {
  readonly messageId: string
  readonly hasCall: (toolCallId: string | undefined) => boolean
  /**
   * Whether the answer that ended last is the one to remove, and failed. If so, the next event about a failure quotes
   * it.
   */
  hasFailed: boolean
}

/** The event without the message. An event that has nothing to do with the message is returned as it is. */
function createEventRedaction({ messageId, callIds }: RedactionTarget) {
  const calls = new Set(callIds)
  const bareApproval = createApprovalRedaction()
  const hasCall = (toolCallId: string | undefined): boolean => calls.has(toolCallId ?? '')
  const scope: Scope = { messageId, hasCall, hasFailed: false }

  function noteAnswer({ message, error }: EventOf<'message_end'>, isInside: boolean): void {
    if (message.role !== 'assistant') return
    if (!isInside) scope.hasFailed = message.id === messageId && error !== undefined
    else for (const { toolCallId } of callsOf(message.content)) calls.add(toolCallId)
  }

  return (before: State, event: DurableEvent): DurableEvent => {
    const isInside = hasCall(event.parentToolCallId)
    if (event.agentId !== undefined && !isInside) return event
    if (event.type === 'message_end') noteAnswer(event, isInside)
    if (event.type === 'output_checked' && event.messageId === messageId) {
      scope.hasFailed = event.problem !== undefined
    }
    const isWhole = isInside || isAbout(scope, before, event)
    return isWhole ? bareApproval(event, bareEvent(event)) : withoutCalls(event, hasCall)
  }
}

/** Whether everything that an event says is about the message or about one of its calls. */
function isAbout({ messageId, hasCall, hasFailed }: Scope, before: State, event: DurableEvent) {
  switch (event.type) {
    case 'message_start':
    case 'message_end': {
      const { message } = event
      const isResult = message.role === 'toolResult' && hasCall(message.toolCallId)
      // A repair may quote the answer that it is about.
      const isRepair = message.role === 'user' && message.source === 'repair'
      return message.id === messageId || isResult || (isRepair && message.parentId === messageId)
    }
    case 'message_checkpoint':
    case 'output_checked':
      return event.messageId === messageId
    case 'compaction_end':
      return covers(before, event, messageId)
    case 'auto_retry_start':
    case 'auto_retry_end':
      return event.scope === 'tool' ? hasCall(event.toolCallId) : hasFailed
    case 'agent_end':
      return hasFailed
    // A hook that failed may quote the call that it saw.
    case 'warning':
      return before.batch?.calls.some(({ toolCallId }) => hasCall(toolCallId)) === true
    default:
      return 'toolCallId' in event && hasCall(event.toolCallId)
  }
}

/** An event about several calls, without the calls that are removed. */
function withoutCalls(event: DurableEvent, hasCall: Scope['hasCall']): DurableEvent {
  switch (event.type) {
    case 'message_end': {
      const { message } = event
      if (message.role !== 'assistant') return event
      const content = withoutArgs(message.content, hasCall)
      return content === message.content ? event : { ...event, message: { ...message, content } }
    }
    case 'message_checkpoint': {
      const content = withoutArgs(event.content, hasCall)
      return content === event.content ? event : { ...event, content }
    }
    case 'tools_end': {
      if (!event.toolCallIds.some(hasCall)) return event
      const toolMessages = event.toolMessages.map((message) =>
        hasCall(message.toolCallId) ? bareToolMessage(message) : message,
      )
      return { ...event, toolMessages }
    }
    default:
      return event
  }
}

/**
 * An approval counts only if it names the digest of the request. Both digests are removed, so an approval with another
 * digest gets another text, and still does not count.
 */
function createApprovalRedaction(): (event: DurableEvent, bare: DurableEvent) => DurableEvent {
  const asked = new Map<string, string>()
  return (event, bare) => {
    if (event.type === 'tool_approval_requested') asked.set(event.toolCallId, event.argsDigest)
    if (event.type !== 'tool_approval_resolved' || bare.type !== event.type) return bare
    const isForThese = asked.get(event.toolCallId) === event.argsDigest
    return isForThese ? bare : { ...bare, argsDigest: `${redactedText} before` }
  }
}

/** Whether a message is among those that a summary replaces. */
function covers(before: State, { result }: EventOf<'compaction_end'>, messageId: string): boolean {
  const kept = result && findNode(before, result.firstKeptMessageId)
  return kept ? isOnPath(kept.parent, messageId) : false
}
