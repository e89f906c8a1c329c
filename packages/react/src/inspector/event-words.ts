import type { AgentEvent } from '@offthread/core'
import { shownName } from '../parts/shown-text.ts'
import { formatMs } from '../rows/format-ms.ts'
import type { EventLine } from './event-lines.ts'
import { printJson } from './print-json.ts'

const mostChars = 120

/** What happened, in one short line. */
export function summaryOf({ event, count, chars }: EventLine): string {
  const times = count > 1 ? ` ×${count}` : ''
  const text = chars > 0 ? `, ${chars.toLocaleString('en')} characters` : ''
  return `${shownName(wordsFor(event))}${times}${text}`
}

function wordsFor(event: AgentEvent): string {
  switch (event.type) {
    case 'agent_start':
      return `${event.trigger}, ${event.model.id}`
    case 'agent_end':
      return `${event.reason} after ${formatMs(event.durationMs)}`
    case 'message_update':
      return event.assistantMessageEvent.type.replace('_delta', '').replaceAll('_', ' ')
    case 'message_start':
    case 'message_end':
      return messageWords(event)
    case 'turn_end':
      return event.stopReason ?? ''
    case 'queue_update':
      return `${event.steering.length} to steer, ${event.followUp.length} to follow`
    case 'output_checked':
      return event.problem ?? 'fits'
    case 'abort_requested':
      return `by ${event.by}`
    case 'auto_retry_start':
      return `attempt ${event.attempt} of ${event.maxAttempts}: ${event.error.message}`
    case 'warning':
    case 'input_rejected':
    case 'head_moved':
    case 'loop_detected':
      return otherWords(event)
    default:
      return 'toolCallId' in event ? callWords(event) : ''
  }
}

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>

function messageWords({ message, ...event }: Of<'message_start' | 'message_end'>): string {
  if ('error' in event && event.error) return event.error.message
  const [part] = message.content
  return part?.type === 'text' ? firstLine(part.text) : ''
}

function otherWords(
  event: Of<'warning' | 'input_rejected' | 'head_moved' | 'loop_detected'>,
): string {
  switch (event.type) {
    case 'warning':
      return `${event.code}: ${event.message}`
    case 'input_rejected':
      return event.reason
    case 'head_moved':
      return event.messageId ?? 'before the first message'
    case 'loop_detected':
      return `${event.toolName}, ${event.repetitions} times`
  }
}

function callWords(event: Extract<AgentEvent, { readonly toolCallId?: string }>): string {
  switch (event.type) {
    case 'tool_execution_start':
    case 'tool_approval_requested':
      return printJson(event.args, { most: mostChars, indent: 0 })
    case 'tool_dispatched':
    case 'tool_running':
      return `attempt ${event.attempt}`
    case 'tool_progress':
      return progressWords(event)
    case 'tool_log':
      return logWords(event)
    case 'tool_cancel_requested':
      return `by ${event.by}`
    case 'tool_approval_resolved':
      return event.decision
    case 'tool_execution_end':
      return `${event.outcome.replaceAll('_', ' ')} after ${formatMs(event.timing.runMs)}`
    case 'tool_custom':
      return event.name
    default:
      return ''
  }
}

/** The last line, with its level where that matters. */
function logWords({ lines }: Of<'tool_log'>): string {
  const { level = 'info', text = '' } = lines.at(-1) ?? {}
  return `${level === 'error' || level === 'warn' ? `${level}: ` : ''}${firstLine(text)}`
}

function progressWords({ message, value, total, unit = '' }: Of<'tool_progress'>): string {
  const of = total === undefined ? '' : ` of ${rounded(total)}`
  const done = value === undefined ? '' : `${rounded(value)}${of} ${unit}`
  return [message, done.trim()].filter(Boolean).join(' · ')
}

const inTenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

function rounded(value: number): string {
  return inTenths.format(value)
}

function firstLine(text: string): string {
  return text.slice(0, mostChars * 2).split('\n', 1)[0] ?? ''
}
