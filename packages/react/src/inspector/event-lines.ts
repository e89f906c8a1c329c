import type { AgentEvent } from '@offthread/core'
import { type EventQuery, levelsOf } from './event-query.ts'
import { createReader, type ReadEvent } from './event-reader.ts'
import { jsonSize } from './json-size.ts'

/** One line of a list of events: an event, or several that stream the same. */
export interface EventLine {
  /** The number of the first event in the log, from 1. */
  readonly first: number
  /** The number of the last event: the log up to here is what a replay at this position shows. */
  readonly last: number
  /** How many events the line stands for. Events of other lines may lie between them. */
  readonly count: number
  /** The last event. */
  readonly event: AgentEvent
  /** The subject of the events: the tool of a call, or whose message it is. */
  readonly subject: string
  /** The characters of text that the events brought together. */
  readonly chars: number
  /** The bytes of the events as JSON; of very long ones about as many. */
  readonly bytes: number
  /** Milliseconds from the start of its run to the first event; `null` outside a run. */
  readonly at: number | null
  /** Milliseconds from the first event of the line before; `null` on the first line. */
  readonly since: number | null
  /** The most serious level of its events; `null`: none is anything to worry about. */
  readonly level: 'error' | 'warn' | null
}

/** The lines of a log so far. */
export interface EventLines {
  /** In the order of their first events. */
  readonly list: readonly EventLine[]
  /** The index of the line that an event is in, by its number in the log; else that of the last line before it, or -1. */
  readonly indexOf: (position: number) => number
}

/** Makes the lines of a log that grows. */
export interface LineBuilder {
  /** Reads on up to this many events. */
  readonly readTo: (length: number) => EventLines
}

/**
 * Lines of what a query finds, in the order of the log. What streams is folded into one line, so a log can be read: the
 * pieces of a text, and what each of several calls reports at the same time. A line ends where something else happens.
 */
export function createLines(events: readonly AgentEvent[], query: EventQuery): LineBuilder {
  const list: EventLine[] = []
  /** The index of the line of each event, or of the last line before it. */
  const indexes: number[] = []
  /** The lines that may still grow, by what they stream. */
  const open = new Map<string, number>()
  const indexOf = (position: number): number =>
    indexes[Math.min(position, indexes.length) - 1] ?? -1
  let before: AgentEvent | undefined
  let shown: EventLines = { list: [], indexOf }

  function place(read: ReadEvent): number {
    const stream = streamOf(read.event)
    const index = stream === null ? undefined : open.get(stream)
    const line = index === undefined ? undefined : list[index]
    if (index !== undefined && line) {
      list[index] = grown(line, read)
      return index
    }
    const since = before ? Math.max(0, read.event.ts - before.ts) : null
    before = read.event
    list.push(lineOf(read, since))
    if (stream !== null) open.set(stream, list.length - 1)
    return list.length - 1
  }

  const readOn = createReader(events, query, (read, isFound) => {
    if (streamOf(read.event) === null) open.clear()
    indexes.push(isFound ? place(read) : list.length - 1)
  })
  return {
    readTo: (length) => {
      if (indexes.length === length) return shown
      readOn(length)
      // A new list each time, which costs little: React looks at its identity.
      shown = { list: list.slice(), indexOf }
      return shown
    },
  }
}

function lineOf(read: ReadEvent, since: number | null): EventLine {
  const { event, position, subject, at, json } = read
  return {
    ...{ first: position, last: position, count: 1, event, subject, at, since },
    ...{ chars: charsOf(event), bytes: jsonSize(event, json), level: levelOf(event) },
  }
}

function grown(line: EventLine, read: ReadEvent): EventLine {
  const { event, position, json } = read
  const level = levelOf(event)
  return {
    ...{ ...line, event, last: position, count: line.count + 1 },
    chars: line.chars + charsOf(event),
    bytes: line.bytes + jsonSize(event, json),
    level: line.level === 'error' ? line.level : (level ?? line.level),
  }
}

/** What the event is a piece of: the same text, or the reports of the same call. `null`: it is no piece of a stream. */
function streamOf(event: AgentEvent): string | null {
  switch (event.type) {
    case 'message_update': {
      const { type, contentIndex } = event.assistantMessageEvent
      return type.endsWith('_delta') ? `${type} ${event.messageId} ${contentIndex}` : null
    }
    case 'tool_progress':
    case 'tool_log':
    case 'tool_execution_update':
      return `${event.type} ${event.toolCallId}`
    default:
      return null
  }
}

function levelOf(event: AgentEvent): EventLine['level'] {
  const levels = levelsOf(event)
  if (levels.includes('error')) return 'error'
  return levels.includes('warn') ? 'warn' : null
}

function charsOf(event: AgentEvent): number {
  if (event.type !== 'message_update') return 0
  const { assistantMessageEvent: step } = event
  return 'delta' in step ? step.delta.length : 0
}
