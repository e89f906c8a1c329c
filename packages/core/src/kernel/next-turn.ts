import type { Draft } from './draft.ts'
import { endOfRun } from './end-of-run.ts'
import type { QueuedInput } from './events.ts'
import type { KernelConfig, QueueMode } from './kernel-config.ts'
import type { InputSource, Usage } from './message.ts'
import type { RunError } from './run-error.ts'
import type { Situation } from './situation.ts'
import type { Answer, MessageNode, Queues, Run, State } from './state.ts'

/** What follows when no turn is open and nobody stopped the run: another turn, or the end. */
export function nextTurn(situation: Situation): readonly Draft[] {
  const { state, run, config } = situation
  const { queues } = state
  const { last } = run.step.kind === 'between_turns' ? run.step : { last: null }
  if (run.rejected !== null) return [endOfRun(run, 'rejected')]
  const failure = last && endByAnswer(run, last)
  if (failure) return [failure]
  if (run.isLooping) return [endOfRun(run, 'loop_detected')]
  if (isUnchecked(run, config)) return []
  const isDue = run.pending.length > 0 || (last ? goesOn(last) : needsAnswer(state.head))
  if (isDue || queues.steering.length > 0) return anotherTurn(situation, 'steering')
  if (queues.followUp.length > 0) return anotherTurn(situation, 'follow_up')
  if (last?.toolCallIds.length) return [endOfRun(run, 'terminated')]
  return [...(last ? warningsOf(last) : []), endOfRun(run, 'stop')]
}

/** Whether the conversation can go on without a new prompt. */
export function hasMoreToDo({ head, queues }: State): boolean {
  return needsAnswer(head) || queues.steering.length > 0 || queues.followUp.length > 0
}

/** Whether the prompt still has to be looked at by somebody before it may be written. */
export function isUnchecked(run: Run, { checksPrompts }: KernelConfig): boolean {
  return checksPrompts && run.trigger === 'prompt' && run.turns === 0 && run.pending.length > 0
}

/** A turn with what it begins with: the prompt, then what is taken from one queue. */
export function startOfTurn(
  { state, run, config }: Situation,
  from: Exclude<InputSource, 'prompt'>,
  prompt: readonly QueuedInput[] = run.pending,
): readonly Draft[] {
  const { steering, followUp } = state.queues
  const isSteering = from === 'steering'
  const [queue, mode]: [readonly QueuedInput[], QueueMode] = isSteering
    ? [steering, config.steeringMode]
    : [followUp, config.followUpMode]
  const taken = mode === 'all' ? queue : queue.slice(0, 1)
  const rest = queue.slice(taken.length)
  const left: Queues = isSteering ? { steering: rest, followUp } : { steering, followUp: rest }
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

/** Whether the run used what it may use. */
export function isOverBudget({ usage }: Run, { budget }: KernelConfig): boolean {
  const { maxTokens, maxCost } = budget
  if (maxTokens !== undefined && tokensIn(usage) >= maxTokens) return true
  return maxCost !== undefined && (usage.cost ?? 0) >= maxCost
}

function anotherTurn(situation: Situation, from: Exclude<InputSource, 'prompt'>): readonly Draft[] {
  const { run, config } = situation
  // A follow-up is a new task: its turns count anew.
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
  return startOfTurn(situation, from)
}

const unknownCost: RunError = {
  kind: 'bad_request',
  message:
    'The run has a maxCost, but the model did not say what its answer cost. Use a model that reports it, or limit maxTokens instead.',
  retryable: false,
}

function endByAnswer(run: Run, { stopReason, error }: Answer): Draft | null {
  if (stopReason === 'refusal') return endOfRun(run, 'refusal', error)
  return error ? endOfRun(run, 'error', error) : null
}

function goesOn({ stopReason, toolCallIds, terminate }: Answer): boolean {
  return (toolCallIds.length > 0 && !terminate) || stopReason === 'pause_turn'
}

// Whether the conversation ends with something that nobody answered yet.
function needsAnswer(head: MessageNode | null): boolean {
  let node = head
  while (node?.excluded) node = node.parent
  if (!node) return false
  const { message } = node
  return (
    message.role !== 'assistant' || message.stopReason === 'pause_turn' || node.calls.length > 0
  )
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

/** The tokens that were used, however they were used. */
export function tokensIn(usage: Usage): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens
}
