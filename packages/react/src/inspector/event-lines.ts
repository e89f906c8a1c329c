import type { AgentEvent } from '@offthread/core'
import { type EventQuery, matches } from './event-query.ts'

/** One line of a list of events: an event, or several of a kind that came one after the other. */
export interface EventLine {
  /** The number of the first event in the log, from 1: the log up to here is what a replay at this position shows. */
  readonly first: number
  /** The number of the last event. */
  readonly last: number
  /** The last event. */
  readonly event: AgentEvent
  /** What it is about: the tool of a call, or whose message. */
  readonly subject: string
  /** The characters of text that the events brought together. */
  readonly chars: number
  /** Milliseconds from the start of its run to the first event; `null` outside a run. */
  readonly at: number | null
}

/** Makes the lines of a log that grows. */
export interface LineBuilder {
  /** Reads on up to this many events. */
  readonly readTo: (length: number) => readonly EventLine[]
}

/** Lines of what a query finds, in the order of the log. What streams is folded into one line, so a log can be read. */
export function createLines(events: readonly AgentEvent[], query: EventQuery): LineBuilder {
  const lines: EventLine[] = []
  const startOfRun = new Map<string, number>()
  const toolOfCall = new Map<string, string>()
  let read = 0
  let shown: readonly EventLine[] = []

  function add(event: AgentEvent, position: number): void {
    const line = lines.at(-1)
    const chars = charsOf(event)
    if (line && line.last === position - 1 && isMoreOf(line.event, event)) {
      lines[lines.length - 1] = { ...line, last: position, event, chars: line.chars + chars }
    } else {
      const [at, subject] = [sinceStart(event), subjectOf(event)]
      lines.push({ first: position, last: position, event, subject, chars, at })
    }
  }

  /** What later lines need of an event, whether it is shown or not. */
  function note(event: AgentEvent): void {
    if (event.type === 'agent_start' && event.runId !== null) startOfRun.set(event.runId, event.ts)
    if ('toolName' in event && 'toolCallId' in event) {
      toolOfCall.set(event.toolCallId, event.toolName)
    }
  }

  function subjectOf(event: AgentEvent): string {
    if ('toolName' in event) return event.toolName
    if ('toolCallId' in event) return toolOfCall.get(event.toolCallId ?? '') ?? ''
    return event.type === 'message_start' || event.type === 'message_end' ? event.message.role : ''
  }

  function sinceStart({ runId, ts }: AgentEvent): number | null {
    const start = runId === null ? undefined : startOfRun.get(runId)
    return start === undefined ? null : Math.max(0, ts - start)
  }

  return {
    readTo: (length) => {
      if (read === length) return shown
      for (; read < length; read += 1) {
        const event = events[read]
        if (event) note(event)
        if (event && matches(query, event)) add(event, read + 1)
      }
      // Another list each time, which costs little: React looks at its identity.
      shown = lines.slice()
      return shown
    },
  }
}

function isMoreOf(before: AgentEvent, event: AgentEvent): boolean {
  if (before.type !== event.type) return false
  switch (event.type) {
    case 'message_update':
      return before.type === event.type && stepOf(before) === stepOf(event) && isDelta(event)
    case 'tool_progress':
    case 'tool_log':
    case 'tool_execution_update':
      return 'toolCallId' in before && before.toolCallId === event.toolCallId
    default:
      return false
  }
}

type Update = Extract<AgentEvent, { readonly type: 'message_update' }>

function stepOf({ messageId, assistantMessageEvent: step }: Update): string {
  return `${messageId} ${step.contentIndex} ${step.type}`
}

function isDelta({ assistantMessageEvent: { type } }: Update): boolean {
  return type.endsWith('_delta')
}

function charsOf(event: AgentEvent): number {
  if (event.type !== 'message_update') return 0
  const { assistantMessageEvent: step } = event
  return 'delta' in step ? step.delta.length : 0
}
