import type { AgentEvent } from '@offthread/core'
import { type EventQuery, matches } from './event-query.ts'

/** What is known of an event when the log is read from its start. */
export interface ReadEvent {
  readonly event: AgentEvent
  /** The number of the event in the log, from 1. */
  readonly position: number
  /** The subject of the event: the tool of a call, or whose message it is. */
  readonly subject: string
  /** Milliseconds from the start of its run; `null` outside a run. */
  readonly at: number | null
  /** The event as JSON. It is written once. */
  readonly json: () => string
}

/** Reads a log that grows, each event once. `onEvent` gets whether the query found it. */
export function createReader(
  events: readonly AgentEvent[],
  query: EventQuery,
  onEvent: (read: ReadEvent, isFound: boolean) => void,
): (length: number) => void {
  const startOfRun = new Map<string, number>()
  const toolOfCall = new Map<string, string>()
  let length = 0

  function read(event: AgentEvent): void {
    note(event)
    let written: string | undefined
    const json = (): string => {
      written ??= JSON.stringify(event)
      return written
    }
    const tool = toolOf(event)
    const subject = tool || roleOf(event)
    onEvent(
      { event, position: length, subject, at: sinceStart(event), json },
      matches(query, { event, tool, json }),
    )
  }

  function note(event: AgentEvent): void {
    if (event.type === 'agent_start' && event.runId !== null) startOfRun.set(event.runId, event.ts)
    if ('toolName' in event && 'toolCallId' in event) {
      toolOfCall.set(event.toolCallId, event.toolName)
    }
  }

  function toolOf(event: AgentEvent): string {
    if ('toolName' in event) return event.toolName
    return 'toolCallId' in event ? (toolOfCall.get(event.toolCallId ?? '') ?? '') : ''
  }

  function sinceStart({ runId, ts }: AgentEvent): number | null {
    const start = runId === null ? undefined : startOfRun.get(runId)
    return start === undefined ? null : Math.max(0, ts - start)
  }

  return (to) => {
    while (length < to) {
      const event = events[length]
      length += 1
      if (event) read(event)
    }
  }
}

function roleOf(event: AgentEvent): string {
  return event.type === 'message_start' || event.type === 'message_end' ? event.message.role : ''
}
