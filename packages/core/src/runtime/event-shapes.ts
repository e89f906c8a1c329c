import type { DurableFact } from '../kernel/events.ts'
import {
  count,
  fields,
  flag,
  id,
  json,
  jsonObject,
  listOf,
  maybe,
  number,
  oneOf,
  orNull,
  type Shape,
  text,
  time,
  word,
  yes,
} from './shape.ts'

const textPart = fields({ text })
const part = oneOf('type', {
  text: textPart,
  image: fields({ mediaType: text, data: text }),
  document: fields({ mediaType: text, data: text, name: maybe(text) }),
})
/** The parts of a message, a result or an input. */
export const parts: Shape = listOf(part)
const answerContent = listOf(
  oneOf('type', {
    text: textPart,
    thinking: fields({ text, signature: maybe(text), redacted: maybe(text) }),
    toolCall: fields({ toolCallId: id, toolName: id, argsText: text, providerId: maybe(text) }),
    opaque: fields({ data: jsonObject }),
  }),
)
const delta = fields({ contentIndex: count, delta: text })
const edge = fields({ contentIndex: count })
/** A step of an answer that is being written. */
export const answerStep: Shape = oneOf('type', {
  text_start: edge,
  text_delta: delta,
  text_end: edge,
  thinking_start: fields({ contentIndex: count, redacted: maybe(text) }),
  thinking_delta: delta,
  thinking_end: fields({ contentIndex: count, signature: maybe(text) }),
  toolcall_start: fields({
    contentIndex: count,
    toolCallId: id,
    toolName: id,
    providerId: maybe(text),
  }),
  toolcall_delta: delta,
  toolcall_end: edge,
  opaque_start: fields({ contentIndex: count, data: jsonObject }),
  opaque_end: fields({ contentIndex: count, data: maybe(jsonObject) }),
})
const usage = fields({
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens: maybe(number),
  cacheWriteTokens: maybe(number),
  cost: maybe(number),
  isCostReported: maybe(yes),
})
const model = fields({ provider: id, id })
const place = { id, parentId: orNull(id), redacted: maybe(yes) }
const message = oneOf('role', {
  user: fields({ ...place, source: maybe(id), content: parts }),
  system: fields({ ...place, content: parts }),
  assistant: fields({
    ...place,
    content: answerContent,
    model,
    stopReason: maybe(id),
    usage: maybe(usage),
  }),
  toolResult: fields({ ...place, toolCallId: id, toolName: id, content: parts, isError: flag }),
})
const error = fields({ kind: id, message: text, retryable: flag, details: maybe(json) })
const artifact = fields({ artifactId: id, name: text, mediaType: text, bytes: count })
const result = fields({
  content: parts,
  details: maybe(json),
  structuredContent: maybe(json),
  artifacts: maybe(listOf(artifact)),
  terminate: maybe(flag),
  redacted: maybe(yes),
})
const timing = fields({ queuedMs: number, startMs: number, runMs: number })
/** A line that a tool logged. */
export const logLine: Shape = fields({ level: id, text, t: number })
const inputs = listOf(parts)
const strategy = word('parallel', 'sequential')
const batched = fields({ type: word('batched'), size: count })
const toolExecution: Shape = (value) =>
  typeof value === 'string' ? strategy(value) : batched(value)
const ofCall = { toolCallId: id }
const named = { toolCallId: id, toolName: id }
const outcome = word(
  ...['succeeded', 'failed', 'denied', 'skipped', 'cancelled', 'timed_out', 'interrupted'],
)
const attempts = { scope: word('model', 'tool'), toolCallId: maybe(id), attempt: count }

/** What every event carries. */
export const envelope: Shape = fields({
  ts: time,
  sessionId: text,
  runId: orNull(id),
  turn: count,
  agentId: maybe(id),
  parentToolCallId: maybe(id),
})

/**
 * What each type of stored event holds. Fields whose words a later release may add to (reasons, kinds) take any short
 * text.
 */
export const eventShapes: Readonly<Record<DurableFact['type'], Shape>> = {
  session_opened: fields({ bootId: id }),
  agent_start: fields({
    trigger: word('prompt', 'continue', 'regenerate', 'resume'),
    input: maybe(parts),
    model,
    toolExecution,
    maxTurns: orNull(count),
    output: maybe(fields({ schema: jsonObject, maxRepairs: count })),
  }),
  agent_end: fields({
    ...{ reason: id, maxTurnsReached: flag, turns: count, usage, durationMs: number },
    error: maybe(error),
  }),
  turn_start: fields({}),
  turn_end: fields({
    ...{ messageId: maybe(id), toolCallIds: listOf(id), usage },
    stopReason: maybe(id),
  }),
  message_start: fields({ message }),
  message_checkpoint: fields({ messageId: id, content: answerContent }),
  message_end: fields({ message, excluded: maybe(flag), error: maybe(error) }),
  tool_execution_start: fields({
    ...{ ...named, label: text, args: json, index: count, batchSize: count },
    place: word('worker', 'page', 'client', 'isolated'),
  }),
  tool_prepared: fields({ ...ofCall, effectiveArgs: jsonObject, isUnchecked: maybe(flag) }),
  tool_dispatched: fields({ ...ofCall, attempt: count, executionId: id }),
  tool_result_staged: fields({ ...ofCall, result, isError: flag }),
  tool_cancel_requested: fields({ ...ofCall, by: text }),
  tool_retry_requested: fields({ ...ofCall, by: text, args: maybe(jsonObject) }),
  tool_execution_end: fields({
    ...{ ...named, attempt: count, result, isError: flag, outcome, errorKind: maybe(id) },
    ...{ mayHaveRun: flag, timing, how: maybe(id), truncatedForModel: maybe(flag) },
    partialResult: maybe(fields({ content: parts, details: maybe(json) })),
    logs: maybe(fields({ lines: listOf(logLine), dropped: count })),
  }),
  tools_end: fields({
    toolCallIds: listOf(id),
    toolMessages: listOf(fields({ ...named, content: parts, isError: flag })),
    executionResults: listOf(fields({ ...named, outcome, isError: flag, timing })),
    terminate: flag,
  }),
  tool_approval_requested: fields({ ...named, args: json, argsDigest: id }),
  tool_approval_resolved: fields({
    ...{ ...ofCall, decision: word('approve', 'deny', 'edit'), args: maybe(json) },
    ...{ argsDigest: id, reason: maybe(text) },
  }),
  abort_requested: fields({ by: text, reason: maybe(text) }),
  queue_update: fields({ steering: inputs, followUp: inputs, by: maybe(text) }),
  auto_retry_start: fields({ ...attempts, maxAttempts: count, delayMs: number, error }),
  auto_retry_end: fields({ ...attempts, success: flag, error: maybe(error) }),
  compaction_start: fields({ reason: id }),
  compaction_end: fields({
    result: maybe(
      fields({ summary: text, firstKeptMessageId: id, tokensBefore: number, tokensAfter: number }),
    ),
    aborted: flag,
    error: maybe(error),
  }),
  head_moved: fields({ messageId: orNull(id) }),
  loop_detected: fields({ toolName: id, repetitions: count, aborted: flag }),
  input_rejected: fields({ reason: text }),
  output_checked: fields({ messageId: id, problem: maybe(text), failed: maybe(yes) }),
  warning: fields({ code: text, message: text }),
  message_redacted: fields({ messageId: id, artifactIds: listOf(id), by: text }),
  tool_custom: fields({ ...named, name: text, data: json, durable: yes }),
}
