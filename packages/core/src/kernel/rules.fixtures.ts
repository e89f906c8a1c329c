/** The rules of the log, checked event by event. Knows events only: nothing of states and decisions. */

import type { AgentEvent, EventOf } from './events.ts'
import type { AssistantContent, AssistantMessage, Message, Usage } from './message.ts'
import type { ToolMessage } from './tool-result.ts'

/** The rules that a log breaks. `atRest`: nothing is going on any more, so nothing may be left open. */
export function brokenRules(
  log: readonly AgentEvent[],
  { atRest }: { readonly atRest: boolean },
): string[] {
  const broken: string[] = []
  const check = (rule: string, holds: boolean, event: AgentEvent | undefined): void => {
    if (!holds) broken.push(`${rule} at ${event ? `${event.seq} ${event.type}` : 'the end'}`)
  }
  const walk = createWalk(check)
  for (const event of log) walk.see(event)
  if (atRest) walk.rest()
  return broken
}

type Check = (rule: string, holds: boolean, event: AgentEvent | undefined) => void

interface Run {
  readonly start: EventOf<'agent_start'>
  readonly usages: Usage[]
  turns: number
  turn: AgentEvent | null
  aborted: boolean
  lost: boolean
  lastAnswer: AssistantMessage | null
  lastTerminate: boolean
}

interface Batch {
  readonly message: AssistantMessage
  readonly calls: readonly Call[]
  toolMessages: readonly ToolMessage[] | null
  delivered: number
}

interface Call {
  readonly toolCallId: string
  stage: 'announced' | 'started' | 'prepared' | 'dispatched' | 'running' | 'ended'
  dispatches: number
  end: EventOf<'tool_execution_end'> | null
}

function createWalk(check: Check) {
  const seenCalls = new Set<string>()
  const seenMessages = new Set<string>()
  const seenRuns = new Set<string>()
  let seq = -1
  let sub = 0
  let run: Run | null = null
  let batch: Batch | null = null
  let lastMessageId: string | null = null
  let open: { readonly message: Message; readonly content: AssistantContent[] } | null = null

  function seeOrder(event: AgentEvent): void {
    sub = event.sub === undefined ? 0 : sub + 1
    if (event.sub === undefined) seq += 1
    check('I1', event.seq === seq && (event.sub ?? 0) === sub, event)
    check('I1', JSON.stringify(JSON.parse(JSON.stringify(event))) === JSON.stringify(event), event)
    if (event.type === 'agent_start') return
    check('I2', event.runId === (run?.start.runId ?? null), event)
    const turn = (run?.turns ?? 0) + (event.type === 'turn_start' ? 1 : 0)
    check('I3', event.turn === turn, event)
  }

  function seeRun(event: AgentEvent): void {
    switch (event.type) {
      case 'session_opened':
        if (run) run.lost = true
        break
      case 'agent_start':
        check('I2', run === null && event.runId !== null && !seenRuns.has(event.runId), event)
        seenRuns.add(event.runId ?? '')
        run = {
          start: event,
          usages: [],
          turns: 0,
          turn: null,
          aborted: false,
          lost: false,
          lastAnswer: null,
          lastTerminate: false,
        }
        break
      case 'abort_requested':
        if (run) run.aborted = true
        break
      case 'turn_start':
        check('I3', run !== null && run.turn === null && batch === null, event)
        if (!run) break
        run.turn = event
        run.turns += 1
        check('I22', run.start.maxTurns === null || run.turns <= run.start.maxTurns, event)
        break
      case 'turn_end':
        check('I3', run?.turn !== null, event)
        check('I7', batch === null && open === null, event)
        if (!run) break
        run.turn = null
        run.usages.push(event.usage)
        break
      case 'agent_end':
        seeEnd(event)
        run = null
        break
      default:
    }
  }

  function seeEnd(event: EventOf<'agent_end'>): void {
    check('I2', run !== null, event)
    if (!run) return
    const { reason } = event
    const calls = callsOf(run.lastAnswer)
    check('I3', run.turn === null && batch === null && open === null, event)
    check('I20', run.aborted === (reason === 'aborted'), event)
    check('I38', !run.lost || reason === 'aborted' || reason === 'interrupted', event)
    check('I22', event.maxTurnsReached === (reason === 'max_turns'), event)
    check('I22', reason !== 'max_turns' || run.turns === run.start.maxTurns, event)
    // A model that paused wants to go on, as one that called tools does.
    const isPaused = run.lastAnswer?.stopReason === 'pause_turn'
    check('I22', reason !== 'max_turns' || calls.length > 0 || isPaused, event)
    check('I23', reason !== 'stop' || (calls.length === 0 && !isPaused), event)
    check('I24', reason !== 'terminated' || run.lastTerminate, event)
    check('I31', event.turns === run.turns, event)
    check('I31', sum(run.usages, 'inputTokens') === event.usage.inputTokens, event)
    check('I31', sum(run.usages, 'outputTokens') === event.usage.outputTokens, event)
  }

  function seeMessage(event: AgentEvent): void {
    switch (event.type) {
      case 'message_start': {
        const { message } = event
        check('I4', open === null && !seenMessages.has(message.id), event)
        check('I37', message.parentId === lastMessageId, event)
        if (message.role === 'assistant') check('I20', !run?.aborted && !run?.lost, event)
        seenMessages.add(message.id)
        open = { message, content: [] }
        break
      }
      case 'message_update':
        check('I4', open?.message.id === event.messageId, event)
        if (open) grow(open.content, event)
        break
      case 'message_end':
        endMessage(event)
        break
      default:
    }
  }

  function endMessage(event: EventOf<'message_end'>): void {
    const { message, excluded } = event
    check('I4', open?.message.id === message.id && open.message.role === message.role, event)
    lastMessageId = message.id
    if (message.role === 'assistant') {
      const streamed = open?.content ?? []
      const isWhole = message.stopReason !== 'aborted' && !excluded && streamed.length > 0
      if (isWhole) check('I5', JSON.stringify(streamed) === JSON.stringify(message.content), event)
      const isText = message.content.every((part) => part.type === 'text')
      check('I37', message.stopReason !== 'aborted' || isText, event)
      check('I29', !run?.lost || run.aborted || excluded === true, event)
      if (run) run.lastAnswer = excluded ? null : message
      commit(event, excluded ? null : message)
    } else if (message.role === 'toolResult') {
      const next = batch?.toolMessages?.[batch.delivered]
      const { id: _id, parentId: _parentId, role: _role, ...toolMessage } = message
      check('I12', JSON.stringify(next) === JSON.stringify(toolMessage), event)
      if (batch) batch.delivered += 1
      if (batch?.delivered === batch?.calls.length) batch = null
    } else {
      check('I13', batch === null, event)
    }
    open = null
  }

  function commit(event: AgentEvent, message: AssistantMessage | null): void {
    check('I13', batch === null, event)
    const calls = callsOf(message).map(({ toolCallId }): Call => {
      check('I7', !seenCalls.has(toolCallId), event)
      seenCalls.add(toolCallId)
      return { toolCallId, stage: 'announced', dispatches: 0, end: null }
    })
    if (message && calls.length > 0) batch = { message, calls, toolMessages: null, delivered: 0 }
  }

  function seeCall(event: AgentEvent): void {
    if (event.type === 'tools_end') endBatch(event)
    if (!('toolCallId' in event) || event.toolCallId === undefined) return
    const index = batch?.calls.findIndex((one) => one.toolCallId === event.toolCallId) ?? -1
    const call = batch?.calls[index]
    check('I8', call !== undefined, event)
    if (!batch || !call) return
    const before = call.stage
    check('I10', before !== 'ended', event)
    if (event.type === 'tool_execution_start') {
      check('I7', before === 'announced', event)
      check('I9', event.index === index && event.batchSize === batch.calls.length, event)
      check(
        'I9',
        batch.calls.every((one, at) => (one.stage === 'announced') === at >= index),
        event,
      )
      call.stage = 'started'
      return
    }
    check(
      'I9',
      batch.calls.every((one) => one.stage !== 'announced'),
      event,
    )
    moveOn(call, event, batch)
  }

  function moveOn(call: Call, event: AgentEvent, { message }: Batch): void {
    const before = call.stage
    const isLive = before === 'dispatched' || before === 'running'
    switch (event.type) {
      case 'tool_prepared':
        check('I10', before === 'started', event)
        call.stage = 'prepared'
        break
      case 'tool_dispatched':
        check('I10', before === 'prepared', event)
        check('I18', message.stopReason === 'tool_use', event)
        check('I20', !run?.aborted && !run?.lost, event)
        call.dispatches += 1
        check('I33', call.dispatches === event.attempt, event)
        call.stage = 'dispatched'
        break
      case 'tool_running':
        check('I10', before === 'dispatched', event)
        call.stage = 'running'
        break
      case 'tool_execution_end':
        check('I33', event.mayHaveRun === isLive, event)
        check('I7', event.isError === (event.outcome !== 'succeeded'), event)
        call.end = event
        call.stage = 'ended'
        break
      case 'tool_progress':
      case 'tool_log':
      case 'tool_execution_update':
        check('I10', isLive, event)
        break
      default:
    }
  }

  function endBatch(event: EventOf<'tools_end'>): void {
    check('I12', batch !== null && batch.toolMessages === null, event)
    if (!batch) return
    const ids = JSON.stringify(batch.calls.map((call) => call.toolCallId))
    const idsOf = (list: readonly { readonly toolCallId: string }[]) =>
      JSON.stringify(list.map((one) => one.toolCallId))
    check(
      'I12',
      batch.calls.every((call) => call.end !== null),
      event,
    )
    check('I12', JSON.stringify(event.toolCallIds) === ids, event)
    check('I12', idsOf(event.toolMessages) === ids, event)
    check('I12', idsOf(event.executionResults) === ids, event)
    for (const [index, { end }] of batch.calls.entries()) {
      const message = event.toolMessages[index]
      if (!end || !message) continue
      const isWhole = JSON.stringify(message.content) === JSON.stringify(end.result.content)
      check('I19', isWhole === (end.truncatedForModel !== true), event)
      check('I12', message.isError === end.isError, event)
      check('I12', event.executionResults[index]?.outcome === end.outcome, event)
    }
    batch.toolMessages = event.toolMessages
    const says = batch.calls.every((call) => call.end?.result.terminate === true)
    check('I24', event.terminate === says, event)
    if (run) run.lastTerminate = says
  }

  return {
    see: (event: AgentEvent): void => {
      seeOrder(event)
      seeRun(event)
      seeMessage(event)
      seeCall(event)
    },
    rest: (): void => {
      check('I2', run === null, undefined)
      check('I4', open === null, undefined)
      check('I7', batch === null, undefined)
    },
  }
}

function callsOf(message: AssistantMessage | null) {
  return message?.content.filter((part) => part.type === 'toolCall') ?? []
}

function sum(usages: readonly Usage[], key: 'inputTokens' | 'outputTokens'): number {
  return usages.reduce((total, usage) => total + usage[key], 0)
}

function grow(
  content: AssistantContent[],
  { assistantMessageEvent }: EventOf<'message_update'>,
): void {
  const step = assistantMessageEvent
  const part = content[step.contentIndex]
  switch (step.type) {
    case 'text_start':
      content.push({ type: 'text', text: '' })
      break
    case 'thinking_start':
      content.push({ type: 'thinking', text: '' })
      break
    case 'toolcall_start': {
      const { toolCallId, toolName } = step
      content.push({ type: 'toolCall', toolCallId, toolName, argsText: '' })
      break
    }
    case 'thinking_end':
      content[step.contentIndex] = { ...part, signature: step.signature } as AssistantContent
      break
    case 'text_delta':
    case 'thinking_delta':
    case 'toolcall_delta': {
      const key = step.type === 'toolcall_delta' ? 'argsText' : 'text'
      const before = part as unknown as Record<string, string>
      content[step.contentIndex] = {
        ...part,
        [key]: `${before[key]}${step.delta}`,
      } as AssistantContent
      break
    }
    default:
  }
}
