import type { Draft } from './draft.ts'
import { endOfRun } from './end-of-run.ts'
import type { QueuedInput } from './events.ts'
import { needsAnswer } from './head.ts'
import type { KernelConfig } from './kernel-config.ts'
import type { InputSource, Usage } from './message.ts'
import { isOutputMissing, outputError, uncheckedAnswer } from './output.ts'
import type { RunError } from './run-error.ts'
import type { Situation } from './situation.ts'
import type { Answer, Run, State } from './state.ts'
import { isSteered, type QueueSource, takeQueued } from './steering.ts'
import { repairText } from './texts.ts'

/** What follows when no turn is open and the run was not stopped: another turn, or its end. */
export function nextTurn(situation: Situation): readonly Draft[] {
  const { state, run, config } = situation
  const { last } = run.step.kind === 'between_turns' ? run.step : { last: null }
  if (run.rejected !== null) return [endOfRun(run, 'rejected')]
  const failure = last && endByAnswer(run, last)
  if (failure) return [failure]
  if (run.isLooping) return [endOfRun(run, 'loop_detected')]
  if (isUnchecked(run, config)) return []
  const isDue = run.pending.length > 0 || (last ? goesOn(last) : needsAnswer(state.head))
  if (isDue || isSteered(state)) return anotherTurn(situation, 'steering')
  if (state.queues.followUp.length > 0) return anotherTurn(situation, 'follow_up')
  if (last?.toolCallIds.length) return [endOfRun(run, 'terminated')]
  if (uncheckedAnswer(run) !== null) return []
  if (last && run.checked?.problem !== undefined) return dueRepair(situation, run.checked.problem)
  return [...(last ? warningsOf(last) : []), endOfRun(run, 'stop')]
}

/** Whether the conversation can go on without a new prompt. */
export function hasMoreToDo(state: State): boolean {
  return (
    needsAnswer(state.head) ||
    isSteered(state) ||
    state.queues.followUp.length > 0 ||
    isOutputMissing(state)
  )
}

// The answer does not fit the schema of the output: a repair says why to the model, at most `maxRepairs` times.
function dueRepair(situation: Situation, problem: string): readonly Draft[] {
  const { run } = situation
  const { output, checked, repairs } = run
  if (!output || checked?.failed || repairs >= output.maxRepairs) {
    return [endOfRun(run, 'error', outputError(run))]
  }
  const text = repairText(problem)
  return anotherTurn(situation, 'steering', [inputDraft([{ type: 'text', text }], 'repair')])
}

/** Whether the hooks still have to see the prompt before it may be written. */
export function isUnchecked(run: Run, { checksPrompts }: KernelConfig): boolean {
  return checksPrompts && run.trigger === 'prompt' && run.turns === 0 && run.pending.length > 0
}

/** The start of a turn with its user messages: the prompt, then what is taken from one queue. */
export function startOfTurn(
  situation: Situation,
  from: QueueSource,
  prompt: readonly QueuedInput[] = situation.run.pending,
): readonly Draft[] {
  const { taken, left } = takeQueued(situation, from)
  return [
    { type: 'turn_start' },
    ...prompt.map((input) => inputDraft(input, 'prompt')),
    ...taken.map((input) => inputDraft(input, from)),
    ...(taken.length > 0 ? [{ type: 'queue_update', ...left } as const] : []),
  ]
}

/** A user message. */
export function inputDraft(content: QueuedInput, source: InputSource): Draft {
  return { type: 'whole_message', message: { role: 'user', content, source } }
}

/** Whether the run has used its budget. */
export function isOverBudget({ usage }: Run, { budget }: KernelConfig): boolean {
  const { maxTokens, maxCost } = budget
  if (maxTokens !== undefined && tokensIn(usage) >= maxTokens) return true
  return maxCost !== undefined && (usage.cost ?? 0) >= maxCost
}

function anotherTurn(
  situation: Situation,
  from: QueueSource,
  said: readonly Draft[] = [],
): readonly Draft[] {
  const { run, config } = situation
  // A follow-up is a new task, so `maxTurns` does not limit its first turn.
  const isOut = from === 'steering' && run.maxTurns !== null && run.countedTurns >= run.maxTurns
  if (isOut) {
    const turns = run.maxTurns === 1 ? '1 turn' : `${run.maxTurns} turns`
    const message = `Stopped after ${turns}; the model had not finished.`
    return [{ type: 'warning', code: 'max_turns', message }, endOfRun(run, 'max_turns')]
  }
  if (config.budget.maxCost !== undefined && run.hasUnknownCost) {
    return [endOfRun(run, 'error', unknownCost)]
  }
  if (isOverBudget(run, config)) return [endOfRun(run, 'budget')]
  return [...startOfTurn(situation, from), ...said]
}

const unknownCost: RunError = {
  kind: 'bad_request',
  message:
    'The run has a maxCost, but the model reports no cost. Use one that does, or budget.maxTokens.',
  retryable: false,
}

function endByAnswer(run: Run, { stopReason, error }: Answer): Draft | null {
  if (stopReason === 'refusal') return endOfRun(run, 'refusal', error)
  return error ? endOfRun(run, 'error', error) : null
}

function goesOn({ stopReason, toolCallIds, terminate }: Answer): boolean {
  return (toolCallIds.length > 0 && !terminate) || stopReason === 'pause_turn'
}

function warningsOf(answer: Answer): readonly Draft[] {
  if (answer.stopReason === 'max_tokens' || answer.stopReason === 'context_overflow') {
    return [
      { type: 'warning', code: 'cut_off', message: 'The answer was cut off at its length limit.' },
    ]
  }
  return answer.isEmpty
    ? [{ type: 'warning', code: 'empty_answer', message: 'The model answered nothing.' }]
    : []
}

/** All tokens of a usage, whatever they were used for. */
export function tokensIn(usage: Usage): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens
}
