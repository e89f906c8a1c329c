import type { AgentEvent, EventOf } from '../kernel/events.ts'
import { isDurable } from '../kernel/events.ts'

/** The rules of SPEC.md that every log keeps, read off the events alone. An empty list for a log that keeps them. */
export function brokenRules(events: readonly AgentEvent[]): readonly string[] {
  return [...orderProblems(events), ...runProblems(events), ...callProblems(events)]
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
    if (JSON.stringify(JSON.parse(JSON.stringify(event))) !== JSON.stringify(event)) {
      problems.push(`I6 at ${nameOf(event)}`)
    }
  }
  return problems
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

type OfCall = Extract<AgentEvent, { readonly toolCallId: string }>

function callProblems(events: readonly AgentEvent[]): readonly string[] {
  const answers = events.filter(isAnswer)
  return answers.flatMap((answer) => {
    const calls = answer.message.content.filter((part) => part.type === 'toolCall')
    if (calls.length === 0) return []
    const ids = calls.map((call) => call.toolCallId)
    const from = events.indexOf(answer)
    const later = events.slice(from + 1)
    const end = later.findIndex((event) => event.type === 'turn_end' || event.type === 'agent_end')
    const turn = end < 0 ? later : later.slice(0, end)
    return [
      ...ids.flatMap((id) => oneCallProblems(id, events, turn)),
      ...batchProblems(ids, turn),
      ...(end < 0 ? [] : closingProblems(ids, turn)),
    ]
  })
}

const rank: { readonly [Type in OfCall['type']]?: number } = {
  tool_execution_start: 0,
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
  const ranks = own.flatMap((event) => rank[event.type] ?? [])
  const problems: string[] = []
  if (ranks.some((one, index) => one < (ranks[index - 1] ?? 0))) problems.push(`I10 for ${id}`)
  const count = (type: AgentEvent['type']) => own.filter((event) => event.type === type).length
  for (const type of [
    'tool_execution_start',
    'tool_prepared',
    'tool_dispatched',
    'tool_running',
    'tool_execution_end',
  ] as const) {
    if (count(type) > 1) problems.push(`I7: ${type} twice for ${id}`)
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

function batchProblems(ids: readonly string[], turn: readonly AgentEvent[]): readonly string[] {
  const problems: string[] = []
  const starts = turn.filter((event) => event.type === 'tool_execution_start')
  if (String(starts.map((event) => event.toolCallId)) !== String(ids))
    problems.push(`I9 order of ${ids}`)
  const lastStart = turn.findLastIndex((event) => event.type === 'tool_execution_start')
  const firstDispatch = turn.findIndex((event) => event.type === 'tool_dispatched')
  if (firstDispatch >= 0 && firstDispatch < lastStart) problems.push(`I9 dispatch of ${ids}`)
  return problems
}

function closingProblems(ids: readonly string[], turn: readonly AgentEvent[]): readonly string[] {
  const problems: string[] = []
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
  if (String(closing.toolCallIds) !== String(ids)) problems.push(`I12 order of ${ids}`)
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
