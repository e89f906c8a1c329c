import type { AgentEvent, EventOf, ToolExecution } from '../kernel/events.ts'
import { isDurable } from '../kernel/events.ts'

/**
 * The rules of SPEC.md that every log keeps, read off the events alone, with the names of the tools that run by
 * themselves. An empty list for a log that keeps them.
 */
export function brokenRules(
  events: readonly AgentEvent[],
  sequential: ReadonlySet<string> = new Set(),
): readonly string[] {
  // An agent inside a call writes into the same log: the rules hold for each agent by itself.
  const agents = [...new Set(events.map(({ agentId }) => agentId))]
  return [
    ...orderProblems(events),
    ...agents.flatMap((agentId) => {
      const own = events.filter((event) => event.agentId === agentId)
      return [...runProblems(own), ...callProblems(own, sequential)]
    }),
  ]
}

function orderProblems(events: readonly AgentEvent[]): readonly string[] {
  const problems: string[] = []
  let seq = -1
  let sub = 0
  for (const event of events) {
    if (isDurable(event)) {
      if (event.seq !== seq + 1 || event.sub !== undefined) problems.push(`I1 at ${nameOf(event)}`)
      seq = event.seq
      sub = 0
    } else {
      if (event.seq !== seq || event.sub !== sub + 1) problems.push(`I1 at ${nameOf(event)}`)
      sub = event.sub ?? 0
    }
    if (!isPlain(event)) problems.push(`I6 at ${nameOf(event)}`)
  }
  return problems
}

// What is the same after a trip through JSON. A field that is `undefined` is one that is absent.
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) {
    return ['string', 'boolean', 'undefined'].includes(typeof value) || value === null
  }
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isPlain(item))
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain)
}

function runProblems(events: readonly AgentEvent[]): readonly string[] {
  const problems: string[] = []
  let runId: string | null = null
  const ended = new Set<string>()
  let turnOpen = false
  let openMessage: string | null = null
  for (const event of events) {
    if (event.runId !== null && ended.has(event.runId)) problems.push(`I2 at ${nameOf(event)}`)
    switch (event.type) {
      case 'agent_start':
        if (runId !== null) problems.push(`I2 at ${nameOf(event)}`)
        runId = event.runId
        break
      case 'agent_end':
        if (runId === null || turnOpen) problems.push(`I3 at ${nameOf(event)}`)
        if (runId !== null) ended.add(runId)
        runId = null
        break
      case 'turn_start':
        if (turnOpen) problems.push(`I3 at ${nameOf(event)}`)
        turnOpen = true
        break
      case 'turn_end':
        if (!turnOpen) problems.push(`I3 at ${nameOf(event)}`)
        turnOpen = false
        break
      case 'message_start':
        if (openMessage !== null) problems.push(`I4 at ${nameOf(event)}`)
        openMessage = event.message.id
        break
      case 'message_end':
        if (openMessage !== event.message.id) problems.push(`I4 at ${nameOf(event)}`)
        openMessage = null
        break
      case 'message_update':
        if (openMessage !== event.messageId) problems.push(`I4 at ${nameOf(event)}`)
        break
      default:
    }
  }
  return problems
}

type OfCall = Extract<AgentEvent, { readonly toolCallId: string }> | EventOf<'auto_retry_start'>

function callProblems(
  events: readonly AgentEvent[],
  sequential: ReadonlySet<string>,
): readonly string[] {
  return events.filter(isAnswer).flatMap((answer) => {
    const calls = answer.message.content.filter((part) => part.type === 'toolCall')
    if (calls.length === 0) return []
    const ids = calls.map((call) => call.toolCallId)
    const from = events.indexOf(answer)
    const end = endOfCalls(events, from)
    const turn = events.slice(from + 1, end < 0 ? undefined : end)
    const start = events.findLast((event, index) => event.type === 'agent_start' && index < from)
    const size = start?.type === 'agent_start' ? sizeOf(start.toolExecution) : Infinity
    const units = unitsOf(calls, size, sequential)
    return [
      ...ids.flatMap((id) => oneCallProblems(id, events, turn)),
      ...unitProblems(ids, units, turn),
      ...(end < 0 ? [] : closingProblems(ids, turn)),
    ]
  })
}

// The turn of an answer, or, if its run ended while people had to answer, all until the next turn or branch.
function endOfCalls(events: readonly AgentEvent[], from: number): number {
  const after = (types: readonly AgentEvent['type'][], index: number) =>
    events.findIndex((event, at) => at > index && types.includes(event.type))
  const turnEnd = after(['turn_end'], from)
  const runEnd = events[turnEnd + 1]
  const isLeftOpen = runEnd?.type === 'agent_end' && runEnd.reason.startsWith('awaiting_')
  return turnEnd < 0 || !isLeftOpen ? turnEnd : after(['turn_start', 'head_moved'], turnEnd)
}

function sizeOf(execution: ToolExecution): number {
  if (execution === 'parallel') return Infinity
  return execution === 'sequential' ? 1 : execution.size
}

interface NamedCall {
  readonly toolCallId: string
  readonly toolName: string
}

function unitsOf(
  calls: readonly NamedCall[],
  size: number,
  sequential: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const units: string[][] = []
  let room = 0
  for (const { toolCallId, toolName } of calls) {
    const isAlone = sequential.has(toolName)
    if (room === 0 || isAlone) units.push([])
    units.at(-1)?.push(toolCallId)
    room = isAlone ? 0 : (room === 0 ? size : room) - 1
  }
  return units
}

const rank: { readonly [Type in OfCall['type']]?: number } = {
  tool_execution_start: 0,
  tool_approval_requested: 0.3,
  tool_approval_resolved: 0.6,
  tool_prepared: 1,
  tool_dispatched: 2,
  tool_running: 3,
  tool_execution_update: 4,
  tool_progress: 4,
  tool_log: 4,
  tool_custom: 4,
  tool_execution_end: 5,
}

function oneCallProblems(
  id: string,
  events: readonly AgentEvent[],
  turn: readonly AgentEvent[],
): readonly string[] {
  const own = events.filter(
    (event): event is OfCall => 'toolCallId' in event && event.toolCallId === id,
  )
  const attempts = attemptsOf(own)
  const problems: string[] = []
  for (const attempt of attempts) {
    const ranks = attempt.flatMap((event) => rank[event.type] ?? [])
    if (ranks.some((one, index) => one < (ranks[index - 1] ?? 0))) problems.push(`I10 for ${id}`)
  }
  const count = (type: AgentEvent['type'], events: readonly OfCall[] = own) =>
    events.filter((event) => event.type === type).length
  for (const type of ['tool_execution_start', 'tool_prepared', 'tool_execution_end'] as const) {
    if (count(type) > 1) problems.push(`I7: ${type} twice for ${id}`)
  }
  for (const type of ['tool_dispatched', 'tool_running'] as const) {
    if (attempts.some((attempt) => count(type, attempt) > 1)) {
      problems.push(`I7: ${type} twice for ${id}`)
    }
  }
  const ran = own.some((event) => (rank[event.type] ?? 0) === 4 || event.type === 'tool_running')
  if (ran && count('tool_dispatched') === 0) problems.push(`I33 for ${id}`)
  if (own.some((event) => rank[event.type] !== undefined && !turn.includes(event))) {
    problems.push(`I7: not in its turn: ${id}`)
  }
  const end = own.findIndex((event) => event.type === 'tool_execution_end')
  if (end >= 0 && end !== own.length - 1) problems.push(`I10: after the end of ${id}`)
  return problems
}

// What is repeated of a call is told again from its dispatch on.
function attemptsOf(own: readonly OfCall[]): readonly (readonly OfCall[])[] {
  const attempts: OfCall[][] = [[]]
  for (const event of own) {
    if (event.type === 'auto_retry_start') attempts.push([])
    else attempts.at(-1)?.push(event)
  }
  return attempts
}

function unitProblems(
  ids: readonly string[],
  units: readonly (readonly string[])[],
  turn: readonly AgentEvent[],
): readonly string[] {
  const problems: string[] = []
  const starts = turn.filter((event) => event.type === 'tool_execution_start')
  const started = starts.map((event) => event.toolCallId)
  // The calls of later units have not started yet, as long as the answer is not through.
  if (String(started) !== String(ids.slice(0, started.length))) problems.push(`I9 order of ${ids}`)
  for (const unit of units) {
    const isOfUnit = (event: AgentEvent) =>
      'toolCallId' in event && unit.includes(event.toolCallId ?? '')
    const own = turn.filter(isOfUnit)
    const lastStart = own.findLastIndex((event) => event.type === 'tool_execution_start')
    const firstDispatch = own.findIndex((event) => event.type === 'tool_dispatched')
    if (firstDispatch >= 0 && firstDispatch < lastStart) problems.push(`I9 dispatch of ${unit}`)
  }
  return problems
}

function closingProblems(ids: readonly string[], turn: readonly AgentEvent[]): readonly string[] {
  const problems: string[] = []
  const starts = turn.filter((event) => event.type === 'tool_execution_start')
  if (starts.length !== ids.length) problems.push(`I7 starts of ${ids}`)
  const ends = turn.filter((event) => event.type === 'tool_execution_end')
  if (String(ends.map((event) => event.toolCallId).toSorted()) !== String(ids.toSorted())) {
    problems.push(`I7 ends of ${ids}`)
  }
  const closings = turn.filter((event) => event.type === 'tools_end')
  const [closing] = closings
  if (!closing || closings.length !== 1) return [...problems, `I12 for ${ids}`]
  const after = turn.slice(turn.indexOf(closing) + 1)
  if (after.some((event) => event.type === 'tool_execution_end'))
    problems.push(`I12 late end of ${ids}`)
  const results = after.flatMap((event) =>
    event.type === 'message_end' && event.message.role === 'toolResult' ? [event.message] : [],
  )
  const told = results.map(({ toolCallId, toolName, content, isError }) => ({
    toolCallId,
    toolName,
    content,
    isError,
  }))
  if (JSON.stringify(told) !== JSON.stringify(closing.toolMessages))
    problems.push(`I12 messages of ${ids}`)
  const order = [
    closing.toolCallIds,
    closing.toolMessages.map((message) => message.toolCallId),
    closing.executionResults.map((result) => result.toolCallId),
  ]
  if (order.some((one) => String(one) !== String(ids))) problems.push(`I12 order of ${ids}`)
  return problems
}

type AnswerEvent = EventOf<'message_end'> & {
  readonly message: Extract<EventOf<'message_end'>['message'], { role: 'assistant' }>
}

function isAnswer(event: AgentEvent): event is AnswerEvent {
  return event.type === 'message_end' && event.message.role === 'assistant' && !event.excluded
}

function nameOf(event: AgentEvent): string {
  return `${event.type} (${event.seq}${event.sub === undefined ? '' : `.${event.sub}`})`
}
