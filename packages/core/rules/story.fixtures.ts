/** Writes logs by hand: facts in order, numbered, each in the run and the turn of its agent. */

import { type AgentEvent, type EventOf, type Fact, isDurable } from '../src/kernel/events.ts'
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ToolCallContent,
  UserMessage,
} from '../src/kernel/message.ts'
import type { PartialToolResult } from '../src/kernel/tool-outcome.ts'

type FactOf<Type extends Fact['type']> = Extract<Fact, { readonly type: Type }>

/** A fact, and the fields of its envelope that differ from the usual ones. */
export type Line = Fact & {
  readonly agentId?: string
  readonly parentToolCallId?: string
  readonly ts?: number
  readonly seq?: number
  readonly sub?: number
  readonly runId?: string | null
  readonly turn?: number
}

interface Teller {
  runId: string | null
  turn: number
  head: string | null
}

/** The events of a story. A message without a parent follows the one before it. */
export function story(...lines: readonly (Line | readonly Line[])[]): AgentEvent[] {
  const tellers = new Map<string, Teller>()
  let seq = -1
  let sub = 0
  let runs = 0
  return lines.flat().map((line, index): AgentEvent => {
    const teller = tellers.get(line.agentId ?? '') ?? { runId: null, turn: 0, head: null }
    tellers.set(line.agentId ?? '', teller)
    if (line.type === 'agent_start') {
      runs += 1
      Object.assign(teller, { runId: `run_${runs}`, turn: 0 })
    }
    if (line.type === 'turn_start') teller.turn += 1
    if (isDurable(line)) {
      seq += 1
      sub = 0
    } else sub += 1
    const event: AgentEvent = {
      v: 1,
      ...(isDurable(line) ? { seq } : { seq, sub }),
      ts: 1000 + index,
      sessionId: 'session_1',
      runId: teller.runId,
      turn: teller.turn,
      ...placed(line, teller),
    }
    if (line.type === 'message_end') teller.head = line.message.id
    if (line.type === 'head_moved') teller.head = line.messageId
    if (line.type === 'agent_end') Object.assign(teller, { runId: null, turn: 0 })
    return event
  })
}

function placed(line: Line, { head }: Teller): Line {
  if (line.type !== 'message_start' && line.type !== 'message_end') return line
  const { parentId } = line.message
  return { ...line, message: { ...line.message, parentId: parentId === open ? head : parentId } }
}

const open = 'the head'
const model = { provider: 'test', id: 'test' }
const usage = { inputTokens: 10, outputTokens: 5 }
const timing = { queuedMs: 1, startMs: 2, runMs: 3 }

export const opened = (bootId = 'boot_1'): Line => ({ type: 'session_opened', bootId })

export function runStart(changes: Partial<FactOf<'agent_start'>> = {}): Line {
  const { trigger = 'prompt' } = changes
  return {
    type: 'agent_start',
    trigger,
    ...(trigger === 'prompt' && { input: [{ type: 'text', text: 'Go.' }] }),
    model,
    toolExecution: 'parallel',
    maxTurns: 5,
    ...changes,
  }
}

export function runEnd(
  reason: FactOf<'agent_end'>['reason'],
  turns = 1,
  changes: Partial<FactOf<'agent_end'>> = {},
): Line {
  return {
    type: 'agent_end',
    reason,
    maxTurnsReached: reason === 'max_turns',
    turns,
    usage: { inputTokens: 10 * turns, outputTokens: 5 * turns },
    durationMs: 1,
    ...changes,
  }
}

export const turnStart: Line = { type: 'turn_start' }

export function turnEnd(
  messageId?: string,
  toolCallIds: readonly string[] = [],
  changes: Partial<FactOf<'turn_end'>> = {},
): Line {
  return {
    type: 'turn_end',
    ...(messageId !== undefined && { messageId }),
    toolCallIds,
    usage: messageId === undefined ? { inputTokens: 0, outputTokens: 0 } : usage,
    ...changes,
  }
}

/** A message whose start and end follow each other at once. */
export function said(
  id: string,
  text = 'Go.',
  source?: 'prompt' | 'steering' | 'follow_up',
): Line[] {
  const message: UserMessage = {
    id,
    parentId: open,
    role: 'user',
    ...(source && { source }),
    content: [{ type: 'text', text }],
  }
  return [
    { type: 'message_start', message },
    { type: 'message_end', message },
  ]
}

export const words = (text: string): AssistantContent => ({ type: 'text', text })

export function call(toolCallId: string, toolName = 'add'): ToolCallContent {
  return { type: 'toolCall', toolCallId, toolName, argsText: '{}' }
}

/** An answer as it streams in. */
export function answer(
  id: string,
  content: readonly AssistantContent[],
  changes: Partial<AssistantMessage> & { readonly excluded?: boolean } = {},
): Line[] {
  const { excluded, ...others } = changes
  const hasCalls = content.some((part) => part.type === 'toolCall')
  const empty: AssistantMessage = { id, parentId: open, role: 'assistant', content: [], model }
  const stopReason = hasCalls ? 'tool_use' : 'stop'
  const message: AssistantMessage = { ...empty, content, stopReason, usage, ...others }
  return [
    { type: 'message_start', message: empty },
    ...content.flatMap((part, index) => deltas(id, part, index)),
    { type: 'message_end', message, ...(excluded && { excluded }) },
  ]
}

function deltas(messageId: string, part: AssistantContent, contentIndex: number): Line[] {
  const step = (
    assistantMessageEvent: FactOf<'message_update'>['assistantMessageEvent'],
  ): Line => ({
    type: 'message_update',
    messageId,
    assistantMessageEvent,
  })
  if (part.type === 'toolCall') {
    const { toolCallId, toolName, argsText } = part
    return [
      step({ type: 'toolcall_start', contentIndex, toolCallId, toolName }),
      step({ type: 'toolcall_delta', contentIndex, delta: argsText }),
      step({ type: 'toolcall_end', contentIndex }),
    ]
  }
  if (part.type === 'opaque') {
    const { data } = part
    return [
      step({ type: 'opaque_start', contentIndex, data }),
      step({ type: 'opaque_end', contentIndex }),
    ]
  }
  const kind = part.type
  return [
    step({ type: `${kind}_start`, contentIndex }),
    step({ type: `${kind}_delta`, contentIndex, delta: part.text }),
    step({ type: `${kind}_end`, contentIndex }),
  ]
}

/** The start of a call: `start('a', [0, 2])` is the first of two. */
export function start(
  toolCallId: string,
  [index, batchSize]: readonly [number, number] = [0, 1],
  changes: Partial<FactOf<'tool_execution_start'>> = {},
): Line {
  return {
    type: 'tool_execution_start',
    toolCallId,
    toolName: 'add',
    label: 'Add',
    args: {},
    index,
    batchSize,
    place: 'worker',
    ...changes,
  }
}

export const ready = (toolCallId: string): Line => ({
  type: 'tool_prepared',
  toolCallId,
  effectiveArgs: {},
})

export function go(toolCallId: string, attempt = 1): Line {
  return { type: 'tool_dispatched', toolCallId, attempt, executionId: `${toolCallId}_${attempt}` }
}

export function runs(toolCallId: string, attempt = 1): Line {
  return { type: 'tool_running', toolCallId, attempt, executionId: `${toolCallId}_${attempt}` }
}

export const progress = (toolCallId: string): Line => ({
  type: 'tool_progress',
  toolCallId,
  toolName: 'add',
  value: 1,
})

export const update = (toolCallId: string, partialResult: PartialToolResult): Line => ({
  type: 'tool_execution_update',
  toolCallId,
  toolName: 'add',
  partialResult,
})

export function end(
  toolCallId: string,
  text = 'done',
  changes: Partial<FactOf<'tool_execution_end'>> = {},
): FactOf<'tool_execution_end'> {
  return {
    type: 'tool_execution_end',
    toolCallId,
    toolName: 'add',
    attempt: 1,
    result: { content: [{ type: 'text', text }] },
    isError: false,
    outcome: 'succeeded',
    mayHaveRun: true,
    timing,
    ...changes,
  }
}

/** The end of a call that did not succeed and did not run. */
export function unrun(
  toolCallId: string,
  outcome: FactOf<'tool_execution_end'>['outcome'],
  {
    text = 'It did not run.',
    ...changes
  }: Partial<FactOf<'tool_execution_end'>> & { readonly text?: string } = {},
): FactOf<'tool_execution_end'> {
  const errorKind = outcome === 'succeeded' || outcome === 'timed_out' ? 'failed' : outcome
  const base = { attempt: 0, isError: true, outcome, errorKind, mayHaveRun: false } as const
  return end(toolCallId, text, { ...base, ...changes })
}

/** What follows the ends of a batch, in call order: `tools_end` and the result messages. */
export function toolsEnd(...ends: readonly FactOf<'tool_execution_end'>[]): Line[] {
  const toolMessages = ends.map(({ toolCallId, toolName, result, isError }) => ({
    toolCallId,
    toolName,
    content: result.content,
    isError,
  }))
  const closing: Line = {
    type: 'tools_end',
    toolCallIds: ends.map(({ toolCallId }) => toolCallId),
    toolMessages,
    executionResults: ends.map(({ toolCallId, toolName, outcome, isError, errorKind, timing }) => ({
      toolCallId,
      toolName,
      outcome,
      isError,
      ...(errorKind && { errorKind }),
      timing,
    })),
    terminate: ends.every(({ result }) => result.terminate === true),
  }
  return [
    closing,
    ...toolMessages.flatMap((result): Line[] => {
      const id = `result_${result.toolCallId}`
      const message: Message = { id, parentId: open, role: 'toolResult', ...result }
      return [
        { type: 'message_start', message },
        { type: 'message_end', message },
      ]
    }),
  ]
}

/** A run that was prompted, up to its first answer, which has these calls. */
export function called(
  ids: readonly string[],
  changes: Partial<FactOf<'agent_start'>> = {},
): Line[] {
  const calls = ids.map((id) => call(id))
  return [opened(), runStart(changes), turnStart, ...said('ask'), ...answer('ans', calls)]
}

/** The second turn, in which the model is done, and the end of the run. */
export function finished(): Line[] {
  return [turnStart, ...answer('done', [words('Done.')]), turnEnd('done'), runEnd('stop', 2)]
}

export const aborted: Line = { type: 'abort_requested', by: 'user' }

export function queues(steering: readonly string[], followUp: readonly string[] = []): Line {
  const contents = (texts: readonly string[]) =>
    texts.map((text) => [{ type: 'text', text }] as const)
  return { type: 'queue_update', steering: contents(steering), followUp: contents(followUp) }
}

/** The story with the first line of a type changed, or the n-th from 0; `null` takes it out. */
export function changed<Type extends Fact['type']>(
  lines: readonly Line[],
  which: Type | readonly [Type, number],
  change: Partial<EventOf<Type>> | null,
): Line[] {
  const [type, n] = typeof which === 'string' ? [which, 0] : which
  let count = -1
  return lines.flatMap((line) => {
    if (line.type !== type) return [line]
    count += 1
    if (count !== n) return [line]
    return change === null ? [] : [{ ...line, ...change } as Line]
  })
}
