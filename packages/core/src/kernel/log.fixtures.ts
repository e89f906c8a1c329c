/** Builds logs for tests: a log is a list of facts, which become events in order. */

import type { Json, JsonObject } from '../internal/json.ts'
import {
  type AgentEvent,
  type AssistantMessageEvent,
  type DurableFact,
  type Fact,
  isDurable,
} from './events.ts'
import { fold } from './fold.ts'
import type { KernelConfig, ToolInfo } from './kernel-config.ts'
import type {
  AssistantContent,
  AssistantMessage,
  Part,
  StopReason,
  ToolCallContent,
  Usage,
  UserMessage,
} from './message.ts'
import type { RunError } from './run-error.ts'
import { emptyState, type State } from './state.ts'
import type { ToolMessage, ToolResult } from './tool-outcome.ts'

type FactOf<Type extends Fact['type']> = Extract<Fact, { readonly type: Type }>

/** The events of these facts: numbered, timed by a counted clock, each with the run and the turn it belongs to. */
export function logOf(...facts: readonly (Fact | readonly Fact[])[]): AgentEvent[] {
  let seq = -1
  let sub = 0
  let runs = 0
  let runId: string | null = null
  let turn = 0
  return facts.flat().map((fact, index): AgentEvent => {
    if (fact.type === 'agent_start') {
      runs += 1
      runId = `run_${runs}`
    }
    if (fact.type === 'turn_start') turn += 1
    const durable = isDurable(fact)
    seq += durable ? 1 : 0
    sub = durable ? 0 : sub + 1
    const order = durable ? { seq } : { seq, sub }
    const event: AgentEvent = {
      v: 1,
      ...order,
      ts: 1000 + index,
      sessionId: 'session_1',
      runId,
      turn,
      ...fact,
    }
    if (fact.type === 'agent_end') {
      runId = null
      turn = 0
    }
    return event
  })
}

/** The state after these facts. */
export function stateOf(...facts: readonly (Fact | readonly Fact[])[]): State {
  return stateAfter(logOf(...facts))
}

/** The state after these events. */
export function stateAfter(log: readonly AgentEvent[]): State {
  return log.reduce(fold, emptyState('session_1'))
}

/** Some tools, and every setting with its default. */
export const config: KernelConfig = {
  tools: new Map([
    ['add', toolInfo({ label: 'Add' })],
    ['draw', toolInfo({ label: 'Draw', place: 'page' })],
    ['alone', toolInfo({ label: 'Alone', sequential: true })],
    ['ask', toolInfo({ label: 'Ask', place: 'client' })],
  ]),
  model: { provider: 'test', id: 'test-1' },
  toolExecution: 'parallel',
  toolMode: 'auto',
  mayPauseForPeople: true,
  approvalMode: 'wait',
  steeringMode: 'one-at-a-time',
  followUpMode: 'one-at-a-time',
  checksPrompts: false,
  checksResults: false,
  maxTurns: 5,
  maxCallsPerTurn: 64,
  maxToolResultChars: 10_000,
  retry: { maxAttempts: 4, baseMs: 1000, capMs: 30_000 },
  deadlineMs: null,
  budget: {},
  loop: { noteAt: 3, stopAt: 6 },
  compaction: null,
}

/** A tool in a worker with default options, and the changes. */
export function toolInfo(changes: Partial<ToolInfo> = {}): ToolInfo {
  return {
    label: 'Tool',
    place: 'worker',
    sequential: false,
    retry: null,
    repeatable: false,
    resumable: false,
    ...changes,
  }
}

const model = { provider: 'test', id: 'test-1' } as const
export const usage: Usage = { inputTokens: 10, outputTokens: 5 }

export function opened(bootId = 'boot_1'): Fact {
  return { type: 'session_opened', bootId }
}

export function agentStart(
  input = 'Go.',
  changes: Partial<FactOf<'agent_start'>> = {},
): FactOf<'agent_start'> {
  return {
    type: 'agent_start',
    trigger: 'prompt',
    input: [text(input)],
    model,
    toolExecution: 'parallel',
    maxTurns: 5,
    ...changes,
  }
}

/** The start of a run that continues what is there. */
export function goesOn(
  trigger: 'continue' | 'resume' | 'regenerate' = 'continue',
  changes: Partial<FactOf<'agent_start'>> = {},
): FactOf<'agent_start'> {
  const { input: _input, ...start } = agentStart('', { trigger, ...changes })
  return start
}

export const turnStart: Fact = { type: 'turn_start' }

export function turnEnd(changes: Partial<FactOf<'turn_end'>> = {}): Fact {
  return { type: 'turn_end', toolCallIds: [], usage, ...changes }
}

export function agentEnd(
  reason: FactOf<'agent_end'>['reason'] = 'stop',
  changes: Partial<FactOf<'agent_end'>> = {},
): Fact {
  return {
    type: 'agent_end',
    reason,
    maxTurnsReached: false,
    turns: 1,
    usage,
    durationMs: 7,
    ...changes,
  }
}

/** A session with a run whose first turn has its prompt: the request to the model is due. */
export function asked(input = 'Go.', changes: Partial<FactOf<'agent_start'>> = {}): Fact[] {
  return [opened(), agentStart(input, changes), turnStart, ...said('msg_1', input)]
}

/** A session in which the model answered the prompt, as message `msg_2`. */
export function answered(...content: readonly AssistantContent[]): Fact[] {
  return [...asked(), ...answer('msg_2', content)]
}

/** A session in which the model made these calls and each has its start. */
export function accepted(...calls: readonly ToolCallContent[]): Fact[] {
  return [...answered(...calls), ...starts(...calls)]
}

/** A session in which the model made these calls and each is dispatched. */
export function handedOut(...calls: readonly ToolCallContent[]): Fact[] {
  return [
    ...accepted(...calls),
    ...calls.flatMap(({ toolCallId }) => [prepared(toolCallId), dispatched(toolCallId)]),
  ]
}

/** A whole answer with one call that succeeded, up to its result message. */
export function didCall(id: string, toolCallId: string, argsText = '{}'): Fact[] {
  const one = call(toolCallId, 'add', argsText)
  return [
    ...answer(id, [text('Let me see.'), one]),
    ...starts(one),
    prepared(toolCallId),
    dispatched(toolCallId),
    ended(toolCallId),
    toolsEnd(toolMessage(toolCallId)),
    ...delivered(`${id}_result`, toolMessage(toolCallId)),
  ]
}

/** A user message. */
export function said(id: string, words: string, source?: UserMessage['source']): Fact[] {
  const content = [text(words)]
  const message: UserMessage = {
    id,
    parentId: null,
    role: 'user',
    content,
    ...(source && { source }),
  }
  return [
    { type: 'message_start', message },
    { type: 'message_end', message },
  ]
}

export interface AnswerChanges {
  readonly stopReason?: StopReason
  readonly usage?: Usage
  readonly excluded?: boolean
  readonly error?: RunError
}

/** A whole answer. With calls its stop reason is `tool_use`, unless given. */
export function answer(
  id: string,
  content: readonly AssistantContent[],
  { excluded, error, ...changes }: AnswerChanges = {},
): Fact[] {
  const hasCalls = content.some((part) => part.type === 'toolCall')
  const message: AssistantMessage = {
    ...emptyAnswer(id),
    content,
    stopReason: hasCalls ? 'tool_use' : 'stop',
    usage,
    ...changes,
  }
  return [
    answerStart(id),
    { type: 'message_end', message, ...(excluded && { excluded }), ...(error && { error }) },
  ]
}

export function answerStart(id: string): FactOf<'message_start'> {
  return { type: 'message_start', message: emptyAnswer(id) }
}

function emptyAnswer(id: string): AssistantMessage {
  return { id, parentId: null, role: 'assistant', content: [], model }
}

/** One delta of an answer. */
export function step(messageId: string, assistantMessageEvent: AssistantMessageEvent): Fact {
  return { type: 'message_update', messageId, assistantMessageEvent }
}

/** A text of an answer, in its deltas. */
export function streamed(messageId: string, ...deltas: readonly string[]): Fact[] {
  return [
    step(messageId, { type: 'text_start', contentIndex: 0 }),
    ...deltas.map((delta) => step(messageId, { type: 'text_delta', contentIndex: 0, delta })),
  ]
}

export function text(words: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: words }
}

export function call(toolCallId: string, toolName = 'add', argsText = '{}'): ToolCallContent {
  return { type: 'toolCall', toolCallId, toolName, argsText }
}

/** The starts of a batch of known calls with valid arguments. */
export function starts(...calls: readonly ToolCallContent[]): FactOf<'tool_execution_start'>[] {
  return calls.map(({ toolCallId, toolName, argsText }, index) => ({
    type: 'tool_execution_start',
    toolCallId,
    toolName,
    label: config.tools.get(toolName)?.label ?? toolName,
    args: JSON.parse(argsText) as Json,
    index,
    batchSize: calls.length,
    place: config.tools.get(toolName)?.place ?? 'worker',
  }))
}

export function prepared(toolCallId: string, effectiveArgs: JsonObject = {}): Fact {
  return { type: 'tool_prepared', toolCallId, effectiveArgs }
}

export function dispatched(toolCallId: string, attempt = 1): Fact {
  const executionId = attempt === 1 ? `exec_${toolCallId}` : `exec_${toolCallId}_${attempt}`
  return { type: 'tool_dispatched', toolCallId, attempt, executionId }
}

export function running(toolCallId: string): Fact {
  return { type: 'tool_running', toolCallId, attempt: 1, executionId: `exec_${toolCallId}` }
}

export function cancelled(toolCallId: string): Fact {
  return { type: 'tool_cancel_requested', toolCallId, by: 'user' }
}

/** A person has a call run once more. */
export function retried(toolCallId: string, args?: JsonObject): Fact {
  return { type: 'tool_retry_requested', toolCallId, by: 'user', ...(args && { args }) }
}

/** A call with these arguments needs approval; their digest is `digest`. */
export function approvalAsked(toolCallId: string, args: JsonObject = {}): Fact {
  const toolName = 'add'
  return { type: 'tool_approval_requested', toolCallId, toolName, args, argsDigest: 'digest' }
}

export function approvalGiven(
  toolCallId: string,
  decision: FactOf<'tool_approval_resolved'>['decision'],
  changes: Partial<FactOf<'tool_approval_resolved'>> = {},
): Fact {
  return { type: 'tool_approval_resolved', toolCallId, decision, argsDigest: 'digest', ...changes }
}

/** An answer from outside. */
export function staged(toolCallId: string, words = 'done', isError = false): Fact {
  return { type: 'tool_result_staged', toolCallId, result: resultOf(words), isError }
}

/** The content of a queue. */
export function queued(queues: {
  readonly steering?: readonly string[]
  readonly followUp?: readonly string[]
}): FactOf<'queue_update'> {
  const inputs = (words: readonly string[] = []) => words.map((one) => [text(one)])
  const { steering, followUp } = queues
  return { type: 'queue_update', steering: inputs(steering), followUp: inputs(followUp) }
}

export const overloaded: RunError = {
  kind: 'overloaded',
  message: 'Try later.',
  retryable: true,
}

/** The request to the model is due again. */
export function modelRetry(
  changes: Partial<FactOf<'auto_retry_start'>> = {},
): FactOf<'auto_retry_start'> {
  return {
    type: 'auto_retry_start',
    scope: 'model',
    attempt: 2,
    maxAttempts: 4,
    delayMs: 700,
    error: overloaded,
    ...changes,
  }
}

/** A call is to be run again. */
export function callRetry(toolCallId: string, attempt = 2): FactOf<'auto_retry_start'> {
  return modelRetry({ scope: 'tool', toolCallId, attempt, maxAttempts: 3 })
}

export const aborted: Fact = { type: 'abort_requested', by: 'user' }

export const timing = { queuedMs: 1, startMs: 2, runMs: 3 } as const

/** The end of a call that returned this text. */
export function ended(
  toolCallId: string,
  words = 'done',
  changes: Partial<FactOf<'tool_execution_end'>> = {},
): FactOf<'tool_execution_end'> {
  return {
    type: 'tool_execution_end',
    toolCallId,
    toolName: 'add',
    attempt: 1,
    result: resultOf(words),
    isError: false,
    outcome: 'succeeded',
    mayHaveRun: true,
    timing,
    ...changes,
  }
}

export function resultOf(words: string): ToolResult {
  return { content: [text(words)] }
}

export function toolMessage(toolCallId: string, words = 'done'): ToolMessage {
  return { toolCallId, toolName: 'add', content: [text(words)], isError: false }
}

/** The end of a batch whose calls all succeeded with these messages. */
export function toolsEnd(...toolMessages: readonly ToolMessage[]): FactOf<'tools_end'> {
  return {
    type: 'tools_end',
    toolCallIds: toolMessages.map((message) => message.toolCallId),
    toolMessages,
    executionResults: toolMessages.map(({ toolCallId, toolName }) => ({
      toolCallId,
      toolName,
      outcome: 'succeeded',
      isError: false,
      timing,
    })),
    terminate: false,
  }
}

/** The message with a call's result. */
export function delivered(id: string, message: ToolMessage): DurableFact[] {
  const whole = { id, parentId: null, role: 'toolResult', ...message } as const
  return [
    { type: 'message_start', message: whole },
    { type: 'message_end', message: whole },
  ]
}

/** The text of the parts, to compare what the model reads. */
export function wordsOf(content: readonly Part[]): string[] {
  return content.map((part) => (part.type === 'text' ? part.text : part.type))
}
