/** Plays sessions against the kernel alone: no runtime, no clock, no chance. The same plan gives the same log. */

import { decide } from './decide.ts'
import type { Draft } from './draft.ts'
import type { Effect } from './effect.ts'
import { effectKey } from './effect.ts'
import type { Ending } from './ending.ts'
import { endOfCall } from './ending.ts'
import type { AgentEvent, Fact } from './events.ts'
import { isDurable } from './events.ts'
import { fold } from './fold.ts'
import type { KernelConfig } from './kernel-config.ts'
import { agentStart, model, resultOf, stateAfter, text } from './log.fixtures.ts'
import type { AssistantContent, AssistantMessage, StopReason } from './message.ts'
import type { State } from './state.ts'
import { openCall } from './state.ts'
import { hasEnded } from './tool-call.ts'

/** What happens in a session, from its first prompt to its end. */
export interface Plan {
  readonly runs: readonly RunPlan[]
  /** What happens next, whenever something may. When all are used, everything goes on in order. */
  readonly moves: readonly Move[]
}

export interface RunPlan {
  readonly maxTurns: number | null
  /** What the model answers, turn by turn; afterwards it is done. */
  readonly answers: readonly AnswerPlan[]
}

export interface AnswerPlan {
  readonly words: string
  readonly calls: readonly CallPlan[]
  readonly stopReason: StopReason
  readonly fails: boolean
}

export interface CallPlan {
  readonly toolName: string
  readonly argsText: string
  readonly fitsSchema: boolean
  readonly ending:
    | 'returns'
    | 'terminates'
    | 'throws'
    | 'crashes'
    | 'times_out'
    | 'not_started'
    | 'hangs'
  readonly words: string
  readonly updates: number
  /** It ends its own way although somebody wants it stopped. */
  readonly deaf: boolean
}

export type Move =
  | { readonly type: 'go'; readonly pick: number }
  | { readonly type: 'cancel'; readonly pick: number }
  | { readonly type: 'abort' }

/** A log that is being written. */
export interface Writer {
  readonly log: readonly AgentEvent[]
  readonly state: () => State
  readonly write: (...drafts: readonly (Draft | Fact)[]) => void
  /** Writes what is due until nothing is, and says what should go on then. */
  readonly settle: () => readonly Effect[]
}

/** Goes on with a log. Ids and times are counted by the length of the log. */
export function createWriter(before: readonly AgentEvent[], config: KernelConfig): Writer {
  const log = [...before]
  let state = stateAfter(log)

  function append(fact: Fact): void {
    const { run, nextSeq, sub } = state
    const order = isDurable(fact) ? { seq: nextSeq } : { seq: nextSeq - 1, sub: sub + 1 }
    const event: AgentEvent = {
      v: 1,
      ...order,
      ts: 1000 + log.length,
      sessionId: state.sessionId,
      runId: fact.type === 'agent_start' ? `run_${nextSeq}` : (run?.runId ?? null),
      turn: (run?.turns ?? 0) + (fact.type === 'turn_start' ? 1 : 0),
      ...fact,
    }
    log.push(event)
    state = fold(state, event)
  }

  function write(...drafts: readonly (Draft | Fact)[]): void {
    for (const draft of drafts) for (const fact of complete(draft, state)) append(fact)
  }

  return {
    log,
    state: () => state,
    write,
    settle: () => {
      for (let steps = 0; steps < 1000; steps += 1) {
        const { facts, effects } = decide(state, config)
        if (facts.length === 0) return effects
        write(...facts)
      }
      throw new Error('The kernel never comes to rest.')
    },
  }
}

function complete(draft: Draft | Fact, { nextSeq, head }: State): readonly Fact[] {
  switch (draft.type) {
    case 'whole_message': {
      const place = { id: `msg_${nextSeq}`, parentId: head?.message.id ?? null }
      const message = { ...draft.message, ...place }
      return [
        { type: 'message_start', message },
        { type: 'message_end', message },
      ]
    }
    case 'agent_end':
      return [{ durationMs: nextSeq, ...draft }]
    case 'auto_retry_start': {
      if (!('delay' in draft)) return [draft]
      const { delay, ...fact } = draft
      return [{ ...fact, delayMs: 'exactly' in delay ? delay.exactly : delay.below }]
    }
    case 'tool_execution_end':
      return [{ timing: { queuedMs: 1, startMs: 2, runMs: nextSeq }, ...draft }]
    default:
      return [draft]
  }
}

/** Plays a plan to its end and gives the log. */
export function rehearse(plan: Plan, config: KernelConfig): readonly AgentEvent[] {
  const writer = createWriter([], config)
  const moves = [...plan.moves]
  writer.write({ type: 'session_opened', bootId: 'boot_1' })
  for (const [index, run] of plan.runs.entries()) {
    writer.write(agentStart(`Question ${index}`, { maxTurns: run.maxTurns }))
    play({ writer, run, moves, config })
  }
  return writer.log
}

interface Scene {
  readonly writer: Writer
  readonly run: RunPlan
  readonly moves: Move[]
  readonly config: KernelConfig
}

type Acting = Generator<readonly Draft[], void>

function play(scene: Scene): void {
  const { writer, moves } = scene
  const acting = new Map<string, Acting>()
  const stops = new Set<string>()
  for (let steps = 0; steps < 2000; steps += 1) {
    const wanted = writer.settle()
    if (!writer.state().run) return
    const keys = wanted.map(effectKey)
    for (const key of acting.keys()) if (!keys.includes(key)) acting.delete(key)
    for (const effect of wanted) {
      const key = effectKey(effect)
      if (effect.type === 'run_call' && effect.stop) stops.add(effect.toolCallId)
      if (!acting.has(key)) acting.set(key, act(effect, scene, stops))
    }
    const move = moves.shift()
    if (move && move.type !== 'go') interfere(writer, move)
    else advance(acting.get(keys[(move?.pick ?? steps) % keys.length] ?? ''), scene)
  }
  throw new Error('The run never ends.')
}

function interfere({ state, write }: Writer, move: Exclude<Move, { type: 'go' }>): void {
  const { run, batch } = state()
  if (move.type === 'abort' && !run?.abort) write({ type: 'abort_requested', by: 'user' })
  if (move.type !== 'cancel') return
  const open = batch?.calls.filter((call) => !hasEnded(call) && call.cancelledBy === undefined)
  const call = open?.[move.pick % open.length]
  if (call) write({ type: 'tool_cancel_requested', toolCallId: call.toolCallId, by: 'user' })
}

// A call that hangs waits for somebody to stop it. When nobody will, the user does.
function advance(acting: Acting | undefined, { writer, moves }: Scene): void {
  const drafts = acting?.next().value ?? []
  writer.write(...drafts)
  if (drafts.length === 0 && moves.length === 0) interfere(writer, { type: 'abort' })
}

function act(effect: Effect, scene: Scene, stops: ReadonlySet<string>): Acting {
  const { writer, run, config } = scene
  if (effect.type === 'ask_model') return answering(writer, run.answers[effect.turn - 1] ?? done)
  if (effect.type !== 'prepare_call' && effect.type !== 'run_call') {
    throw new Error(`Nobody plays ${effect.type} here.`)
  }
  const { toolCallId } = effect
  const [, turn, index] = /_(\d+)_(\d+)$/.exec(toolCallId) ?? []
  const plan = run.answers[Number(turn) - 1]?.calls[Number(index)]
  if (!plan) throw new Error(`Nobody made the call ${toolCallId}.`)
  const end = (ending: Ending): readonly Draft[] => {
    const call = openCall(writer.state(), toolCallId)
    return call ? [endOfCall(call, ending, config.maxToolResultChars)] : []
  }
  return effect.type === 'prepare_call'
    ? preparing(plan, toolCallId, end)
    : running({ plan, effect, end, isStopped: () => stops.has(toolCallId) })
}

const done: AnswerPlan = { words: 'Done.', calls: [], stopReason: 'stop', fails: false }

function* answering({ state }: Writer, plan: AnswerPlan): Acting {
  const { nextSeq, head, run } = state()
  const id = `msg_${nextSeq}`
  const parentId = head?.message.id ?? null
  const message: AssistantMessage = { id, parentId, role: 'assistant', content: [], model }
  yield [{ type: 'message_start', message }]
  const content: AssistantContent[] = [
    { type: 'thinking', text: 'Hm.', signature: 'signed' },
    ...(plan.words === '' ? [] : [text(plan.words)]),
    ...plan.calls.map(({ toolName, argsText }, index) => {
      const toolCallId = `call_${run?.runId}_${run?.turns}_${index}`
      return { type: 'toolCall', toolCallId, toolName, argsText } as const
    }),
  ]
  for (const [contentIndex, part] of content.entries()) {
    for (const step of stepsOf(part, contentIndex)) {
      yield [{ type: 'message_update', messageId: id, assistantMessageEvent: step }]
    }
  }
  const usage = { inputTokens: nextSeq, outputTokens: content.length }
  yield plan.fails
    ? [
        {
          type: 'message_end',
          message: { ...message, content, stopReason: 'error' },
          excluded: true,
          error: { kind: 'network', message: 'The line is dead.', retryable: true },
        },
      ]
    : [
        {
          type: 'message_end',
          message: { ...message, content, stopReason: plan.stopReason, usage },
        },
      ]
}

function stepsOf(part: AssistantContent, contentIndex: number) {
  const halves = (whole: string) => [whole.slice(0, 2), whole.slice(2)]
  switch (part.type) {
    case 'text':
      return [
        { type: 'text_start', contentIndex } as const,
        ...halves(part.text).map((delta) => ({ type: 'text_delta', contentIndex, delta }) as const),
        { type: 'text_end', contentIndex } as const,
      ]
    case 'thinking':
      return [
        { type: 'thinking_start', contentIndex } as const,
        { type: 'thinking_delta', contentIndex, delta: part.text } as const,
        { type: 'thinking_end', contentIndex, signature: part.signature ?? '' } as const,
      ]
    case 'toolCall': {
      const { toolCallId, toolName, argsText } = part
      return [
        { type: 'toolcall_start', contentIndex, toolCallId, toolName } as const,
        ...halves(argsText).map(
          (delta) => ({ type: 'toolcall_delta', contentIndex, delta }) as const,
        ),
        { type: 'toolcall_end', contentIndex } as const,
      ]
    }
  }
}

type End = (ending: Ending) => readonly Draft[]

function* preparing(plan: CallPlan, toolCallId: string, end: End): Acting {
  yield plan.fitsSchema
    ? [{ type: 'tool_prepared', toolCallId, effectiveArgs: {} }]
    : end({ kind: 'invalid_args', problem: 'Invalid arguments: a: is missing' })
}

interface RunningCall {
  readonly plan: CallPlan
  readonly effect: Extract<Effect, { readonly type: 'run_call' }>
  readonly end: End
  readonly isStopped: () => boolean
}

function* running({ plan, effect, end, isStopped }: RunningCall): Acting {
  const { toolCallId, attempt } = effect
  if (plan.ending === 'not_started') yield end({ kind: 'not_started', message: 'no worker' })
  const executionId = `exec_${toolCallId}_${attempt}`
  yield [{ type: 'tool_dispatched', toolCallId, attempt, executionId }]
  yield [{ type: 'tool_running', toolCallId, attempt, executionId }]
  const named = { toolCallId, toolName: plan.toolName }
  for (let value = 0; value < plan.updates; value += 1) {
    if (isStopped() && !plan.deaf) yield end({ kind: 'cancelled', how: 'cooperative' })
    yield [
      { type: 'tool_progress', ...named, value },
      { type: 'tool_execution_update', ...named, partialResult: resultOf(`${value}`) },
      {
        type: 'tool_log',
        toolCallId,
        lines: [{ level: 'info', text: 'on', t: value }],
        dropped: 0,
      },
    ]
  }
  while (plan.ending === 'hangs' && !isStopped()) yield []
  if (isStopped() && !plan.deaf) yield end({ kind: 'cancelled', how: 'terminated' })
  yield end(endingOf(plan))
}

function endingOf({ ending, words }: CallPlan): Ending {
  switch (ending) {
    case 'throws':
      return { kind: 'threw', errorKind: 'failed', message: words }
    case 'crashes':
      return { kind: 'crashed', message: words }
    case 'times_out':
      return { kind: 'timed_out', timeoutMs: 60_000, how: 'terminated' }
    case 'hangs':
      return { kind: 'cancelled', how: 'terminated' }
    default:
      return {
        kind: 'returned',
        result: { ...resultOf(words), terminate: ending === 'terminates' },
      }
  }
}
