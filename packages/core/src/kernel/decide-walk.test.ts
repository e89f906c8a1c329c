import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstKept } from './compaction.ts'
import { decide } from './decide.ts'
import type { Draft } from './draft.ts'
import type { Effect } from './effect.ts'
import type { AgentEvent, Fact, ToolExecution } from './events.ts'
import { fold } from './fold.ts'
import type { KernelConfig, QueueMode } from './kernel-config.ts'
import {
  aborted,
  agentStart,
  answer,
  approvalAsked,
  approvalGiven,
  call,
  cancelled,
  dispatched,
  ended,
  goesOn,
  opened,
  overloaded,
  prepared,
  resultOf,
  said,
  staged,
  stateAfter,
  text,
  toolInfo,
  wordsOf,
} from './log.fixtures.ts'
import { callsOf } from './message.ts'
import { hasMoreToDo } from './next-turn.ts'
import { cancelledByMove } from './outside-run.ts'
import { configWith, type Scene, scene } from './scene.fixtures.ts'
import { emptyState, openCall, type State } from './state.ts'
import { hasEnded, isDispatched, type ToolCall } from './tool-call.ts'
import { endsOfCall, retryOfCall } from './tool-retry.ts'
import { problemOf, transcript } from './transcript.ts'

/** What may happen at any moment: an effect does its work, a user acts, the page goes away. */
type Move =
  | 'work'
  | 'fail'
  | 'say'
  | 'ask'
  | 'answer'
  | 'stale'
  | 'cancel'
  | 'abort'
  | 'move'
  | 'crash'

const anyMove = fc.record({
  move: fc.oneof(
    { weight: 12, arbitrary: fc.constant<Move>('work') },
    { weight: 2, arbitrary: fc.constantFrom<Move>('fail', 'answer', 'say', 'ask') },
    { weight: 1, arbitrary: fc.constantFrom<Move>('stale', 'cancel', 'abort', 'move', 'crash') },
  ),
  pick: fc.nat({ max: 30 }),
})

const anySettings = fc
  .record({
    toolExecution: fc.constantFrom<ToolExecution>('parallel', 'sequential', {
      type: 'batched',
      size: 2,
    }),
    toolMode: fc.constantFrom('auto', 'auto', 'manual'),
    approvalMode: fc.constantFrom('wait', 'pause'),
    steeringMode: fc.constantFrom<QueueMode>('one-at-a-time', 'all'),
    followUpMode: fc.constantFrom<QueueMode>('one-at-a-time', 'all'),
    checksPrompts: fc.boolean(),
    checksResults: fc.boolean(),
    maxTurns: fc.constantFrom(1, 2, null),
    compaction: fc.constantFrom(null, { thresholdTokens: 12, keepTokens: 4 }),
  })
  .map((changes) =>
    configWith({ ...changes, tools: { add: toolInfo({ retry, repeatable: true }) } }),
  )

const retry = { maxAttempts: 2, baseMs: 1, capMs: 1 }

test('[I2] [I3] [I7] [I10] [I26] [I28] [I33] in any order of events, calls are answered once and messages are delivered once', () => {
  fc.assert(
    fc.property(
      anySettings,
      fc.array(anyMove, { maxLength: 60, size: 'max' }),
      (settings, moves) => {
        const going = start(settings)
        const words: string[] = []
        for (const { move, pick } of moves) act(going, { move, pick, words, settings })
        rest(going, settings)

        let state = emptyState('session_1')
        for (const event of going.log) {
          state = fold(state, event)
          expect(problemOf(transcript(state, 1000))).toBeNull()
        }
        expect(going.state()).toMatchObject({ run: null, batch: null, openMessage: null })
        expect(brokenCalls(going.log)).toEqual([])
        expect(brokenRuns(going.log)).toEqual([])
        expect([...saidBy(going.log), ...queuedIn(going.state())].toSorted()).toEqual(
          words.toSorted(),
        )
      },
    ),
    { numRuns: 200 },
  )
})

test('takes random walks through what can happen', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(
      anySettings,
      fc.array(anyMove, { maxLength: 60, size: 'max' }),
      (settings, moves) => {
        const going = start(settings)
        for (const { move, pick } of moves) act(going, { move, pick, words: [], settings })
        for (const event of going.log) {
          if (event.type === 'agent_start') seen.add(event.trigger)
          if (event.type === 'agent_end') seen.add(event.reason)
          if (event.type === 'tool_execution_end') seen.add(event.outcome)
          if (event.type === 'auto_retry_start') seen.add(`${event.scope} again`)
        }
      },
    ),
    { numRuns: 400, seed: 7 },
  )

  expect(seen).toEqual(new Set(everything))
})

test('[I6] [I35] a walk folds from its JSON to the same state, and durable events alone give the same calls and messages', () => {
  fc.assert(
    fc.property(anySettings, fc.array(anyMove, { maxLength: 40 }), (settings, moves) => {
      const going = start(settings)
      for (const { move, pick } of moves) act(going, { move, pick, words: [], settings })

      const copy = JSON.parse(JSON.stringify(going.log)) as readonly AgentEvent[]

      expect(stateAfter(copy)).toEqual(going.state())
      expect(decide(stateAfter(copy), settings)).toEqual(decide(going.state(), settings))
    }),
    { numRuns: 60 },
  )
})

const everything = [
  ...['prompt', 'continue', 'resume'],
  ...['stop', 'max_turns', 'aborted', 'rejected', 'interrupted'],
  ...['awaiting_approval', 'awaiting_tool_results'],
  ...['succeeded', 'failed', 'denied', 'skipped', 'cancelled', 'interrupted'],
  ...['model again', 'tool again'],
]

interface Acting {
  readonly move: Move
  readonly pick: number
  readonly words: string[]
  readonly settings: KernelConfig
}

function start(settings: KernelConfig): Scene {
  const { toolExecution, maxTurns } = settings
  return scene(settings, opened(), agentStart('Go.', { toolExecution, maxTurns }))
}

function act(going: Scene, { move, pick, words, settings }: Acting): void {
  const { write, state, effects, log } = going
  const { run, batch, head, queues } = state()
  const open = batch?.calls.filter((one) => !hasEnded(one)) ?? []
  const one = open[pick % open.length]
  const effect = effects()[pick % effects().length]
  switch (move) {
    case 'work':
      if (effect) write(...worked(effect, going, pick))
      break
    case 'fail':
      if (effect) write(...failed(effect, going))
      break
    case 'say': {
      const word = `word_${log.length}`
      words.push(word)
      const queue = pick % 2 === 0 ? 'steering' : 'followUp'
      write({ type: 'queue_update', ...queues, [queue]: [...queues[queue], [text(word)]] })
      break
    }
    case 'ask':
      if (run) break
      if (pick % 2 === 0 && (batch || hasMoreToDo(state()))) write(goesOn())
      else write(agentStart('Next.', { maxTurns: settings.maxTurns }))
      break
    case 'answer':
      if (one && canBeAnswered(one, state(), settings)) write(...answerOf(one, pick))
      break
    case 'stale':
      if (one)
        write(approvalGiven(one.toolCallId, 'approve', { argsDigest: 'old' }), ended('call_none'))
      break
    case 'cancel':
      if (one) write(cancelled(one.toolCallId))
      break
    case 'abort':
      if (run && !run.abort) write(aborted)
      break
    case 'move':
      if (run || !head) break
      write(
        open.map(({ toolCallId }) => ({
          type: 'tool_cancel_requested',
          toolCallId,
          by: cancelledByMove,
        })),
      )
      write({ type: 'head_moved', messageId: head.parent?.message.id ?? null })
      break
    case 'crash':
      write(opened(`boot_${log.length}`))
  }
}

function worked(effect: Effect, { state, log }: Scene, pick: number): (Fact | Draft)[] {
  const id = `${log.length}`
  switch (effect.type) {
    case 'check_prompt':
      return pick % 5 === 0
        ? [{ type: 'input_rejected', reason: 'No.' }]
        : [{ type: 'turn_start' }, ...said(`msg_p${id}`, 'Checked.', 'prompt')]
    case 'ask_model': {
      const names = ['add', 'draw', 'alone', 'ask', 'missing'].slice(
        pick % 5,
        (pick % 5) + (pick % 4),
      )
      const calls = names.map((name, index) => call(`call_${id}_${index}`, name, `{"n":${id}}`))
      return answer(`msg_a${id}`, [text('Well.'), ...calls])
    }
    case 'compact': {
      const kept = firstKept(state(), 4)?.message.id
      const result = {
        summary: 'So.',
        firstKeptMessageId: kept ?? '',
        tokensBefore: 2,
        tokensAfter: 1,
      }
      return [{ type: 'compaction_end', aborted: false, ...(kept !== undefined && { result }) }]
    }
    case 'prepare_call':
      return pick % 3 === 0 && !effect.isEdited
        ? [approvalAsked(effect.toolCallId)]
        : [prepared(effect.toolCallId)]
    case 'run_call': {
      const found = openCall(state(), effect.toolCallId)
      if (!found) return []
      if (!isDispatched(found)) return [dispatched(effect.toolCallId, effect.attempt)]
      return [...endsOfCall(found, { kind: 'returned', result: resultOf('done') }, 1000)]
    }
    case 'finish_call': {
      const found = openCall(state(), effect.toolCallId)
      return found?.staged ? [...endsOfCall(found, { kind: 'given', ...found.staged }, 1000)] : []
    }
    case 'check_output': {
      const { messageId } = effect
      return [{ type: 'output_checked', messageId, ...(pick % 3 === 0 && { problem: 'No.' }) }]
    }
    case 'watch_deadline':
      return []
  }
}

function failed(effect: Effect, going: Scene): (Fact | Draft)[] {
  const { state, log } = going
  if (effect.type === 'ask_model') {
    const error = { excluded: true, error: overloaded, stopReason: 'error' } as const
    return answer(`msg_f${log.length}`, [], error)
  }
  if (effect.type === 'compact')
    return [{ type: 'compaction_end', aborted: false, error: overloaded }]
  const found = effect.type === 'run_call' ? openCall(state(), effect.toolCallId) : undefined
  if (!found || !isDispatched(found)) return worked(effect, going, 1)
  const ending = { kind: 'crashed', message: 'gone' } as const
  const again = retryOfCall(
    found,
    ending,
    configWith({ tools: { add: toolInfo({ retry, repeatable: true }) } }),
  )
  return again ? [again] : [...endsOfCall(found, ending, 1000)]
}

function canBeAnswered(
  { stage, staged }: ToolCall,
  { run }: State,
  { toolMode }: KernelConfig,
): boolean {
  const isForPeople = toolMode === 'manual' && stage.kind === 'streaming' && !run
  const isForClient = stage.kind === 'prepared' && stage.place === 'client'
  return stage.kind === 'awaiting_approval' || (!staged && (isForPeople || isForClient))
}

function answerOf({ toolCallId, stage }: ToolCall, pick: number): Fact[] {
  if (stage.kind !== 'awaiting_approval') return [staged(toolCallId)]
  const decision = (['approve', 'deny', 'edit'] as const)[pick % 3] ?? 'deny'
  return [approvalGiven(toolCallId, decision, decision === 'edit' ? { args: { x: 1 } } : {})]
}

/** Lets the log come to rest: every open wait is answered. */
function rest(going: Scene, settings: KernelConfig): void {
  const { write, state, effects } = going
  for (let steps = 0; steps < 400; steps += 1) {
    const { run, batch } = state()
    const open = batch?.calls.filter((one) => !hasEnded(one)) ?? []
    const [waiting] = open.filter((one) => canBeAnswered(one, state(), settings))
    const [effect] = effects().filter(({ type }) => type !== 'watch_deadline')
    if (effect?.type === 'ask_model') write(answer(`msg_r${steps}`, [text('Done.')]))
    else if (effect) write(...worked(effect, going, 1))
    else if (waiting) write(...answerOf(waiting, 1))
    else if (!run && batch) write(goesOn())
    else if (!run) return
    else throw new Error('Nothing goes on, without a reason.')
  }
  throw new Error('It never ends.')
}

/** What is wrong with the calls of a log, found without the state. */
function brokenCalls(log: readonly AgentEvent[]): string[] {
  const problems: string[] = []
  const calls = log.flatMap((event) =>
    event.type === 'message_end' && event.message.role === 'assistant' && !event.excluded
      ? callsOf(event.message.content).map(({ toolCallId }) => toolCallId)
      : [],
  )
  for (const id of calls) {
    const own = log.filter((event) => 'toolCallId' in event && event.toolCallId === id)
    const count = (type: AgentEvent['type']) => own.filter((event) => event.type === type).length
    const results = log.filter(
      (event) =>
        event.type === 'message_end' &&
        event.message.role === 'toolResult' &&
        event.message.toolCallId === id,
    )
    if (count('tool_execution_start') !== 1) problems.push(`${id} has not one start`)
    if (count('tool_execution_end') !== 1) problems.push(`${id} has not one end`)
    if (results.length !== 1) problems.push(`${id} has not one result`)
    if (own.at(-1)?.type !== 'tool_execution_end') problems.push(`${id} goes on after its end`)
    const attempts = own.flatMap((event) =>
      event.type === 'tool_dispatched' ? [event.attempt] : [],
    )
    if (attempts.some((attempt, index) => attempt !== index + 1))
      problems.push(`${id} ran ${attempts.join()}`)
    const end = own.find((event) => event.type === 'tool_execution_end')
    // What the page did is not known as a run, unless its answer is left out.
    const isLeftOut = count('tool_result_staged') > 0 && end?.outcome !== 'succeeded'
    if (end?.mayHaveRun !== (attempts.length > 0 || isLeftOut))
      problems.push(`${id} does not say whether it ran`)
  }
  return problems
}

/** What is wrong with the runs and turns of a log. */
function brokenRuns(log: readonly AgentEvent[]): string[] {
  const problems: string[] = []
  let run = false
  let turn = false
  for (const event of log) {
    if (event.type === 'agent_start' && run) problems.push(`two runs at ${event.seq}`)
    if (event.type === 'turn_start' && (turn || !run)) problems.push(`turn at ${event.seq}`)
    if (event.type === 'turn_end' && !turn) problems.push(`no turn at ${event.seq}`)
    if (event.type === 'agent_end' && (turn || !run)) problems.push(`end at ${event.seq}`)
    if (event.type === 'agent_start' || event.type === 'agent_end')
      run = event.type === 'agent_start'
    if (event.type === 'turn_start' || event.type === 'turn_end') turn = event.type === 'turn_start'
  }
  return problems
}

function saidBy(log: readonly AgentEvent[]): string[] {
  return log.flatMap((event) => {
    if (event.type !== 'message_end' || event.message.role !== 'user') return []
    return event.message.source === 'prompt' ? [] : wordsOf(event.message.content)
  })
}

function queuedIn({ queues }: State): string[] {
  return [...queues.steering, ...queues.followUp].flatMap(wordsOf)
}
