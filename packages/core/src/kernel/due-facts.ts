import { defined } from '../internal/defined.ts'
import { isTooLong, mayCompact } from './compaction.ts'
import type { Draft } from './draft.ts'
import { dueBatchFacts, dueResults } from './due-batch-facts.ts'
import { endOfRun, endOfTurn } from './end-of-run.ts'
import { type Halt, haltOf } from './halt.ts'
import type { KernelConfig } from './kernel-config.ts'
import type { AssistantMessage } from './message.ts'
import { delayBefore, mayRetryModel } from './model-retry.ts'
import { inputDraft, isOverBudget, nextTurn } from './next-turn.ts'
import { dueOutsideRun } from './outside-run.ts'
import type { Situation } from './situation.ts'
import type { Answer, Run, State } from './state.ts'

/** The facts that follow from a state without any effect. */
export function dueFacts(state: State, config: KernelConfig): readonly Draft[] {
  const { openMessage, run, batch } = state
  // A complete message is two facts, and a page may have gone away between them.
  if (openMessage) return [{ type: 'message_end', message: openMessage }]
  if (batch?.toolMessages) return dueResults(batch, batch.toolMessages)
  if (!run) return dueOutsideRun(state, config)
  const { step } = run
  const halt = haltOf(state, run)
  switch (step.kind) {
    case 'between_turns':
      if (batch) return dueBatchFacts({ state, run, batch, config })
      return halt ? haltBetweenTurns(run, halt, config) : nextTurn({ state, run, config })
    case 'collecting':
      return dueBeforeRequest({ state, run, config })
    case 'compacting':
      return halt ? [{ type: 'compaction_end', aborted: true }] : []
    case 'asking':
      return halt ? [endOfCutAnswer(step.message, halt)] : []
    case 'retrying':
      return halt ? [endOfRetries(run, false), endOfTurn(run, null)] : []
    case 'answered':
      return dueAfterAnswer({ state, run, config }, step.answer)
  }
}

// The prompt is written although the run ends, unless the hooks still have to check it.
function haltBetweenTurns(run: Run, halt: Halt, { checksPrompts }: KernelConfig): readonly Draft[] {
  const isUnchecked = checksPrompts && run.trigger === 'prompt' && run.turns === 0
  return run.pending.length === 0 || isUnchecked ? [endOfRun(run, halt)] : [{ type: 'turn_start' }]
}

function dueBeforeRequest({ state, run, config }: Situation): readonly Draft[] {
  const [input] = run.pending
  if (input) return [inputDraft(input, 'prompt')]
  if (haltOf(state, run)) return [endOfTurn(run, null)]
  return isTooLong({ state, run, config })
    ? [{ type: 'compaction_start', reason: 'threshold' }]
    : []
}

function dueAfterAnswer(situation: Situation, answer: Answer): readonly Draft[] {
  const { state, run, config } = situation
  const { batch } = state
  const isOver = run.retry?.pending === null
  const retry = answer.error && !isOver && !haltOf(state, run) && dueRetry(situation, answer)
  if (retry) return [retry]
  if (run.retry && !isOver) return [endOfRetries(run, !answer.error, answer)]
  return batch ? dueBatchFacts({ state, run, batch, config }) : [endOfTurn(run, answer)]
}

function dueRetry(situation: Situation, { error, ...answer }: Answer): Draft | null {
  const { run, config } = situation
  if (error?.kind === 'context_overflow' && mayCompact(situation)) {
    return { type: 'compaction_start', reason: 'overflow' }
  }
  const { retry } = config
  if (!error || !retry || !mayRetryModel(run, { ...answer, error }, config)) return null
  if (isOverBudget(run, config)) return null
  const attempt = run.attempt + 1
  return {
    type: 'auto_retry_start',
    scope: 'model',
    attempt,
    maxAttempts: retry.maxAttempts,
    delay: delayBefore(attempt, retry, error),
    error,
  }
}

function endOfRetries({ attempt }: Run, success: boolean, answer?: Answer): Draft {
  const ended = { type: 'auto_retry_end', scope: 'model', success, attempt } as const
  return { ...ended, ...defined({ error: answer?.error }) }
}

function endOfCutAnswer(message: AssistantMessage, halt: Halt): Draft {
  if (halt === 'interrupted') {
    return { type: 'message_end', message: { ...message, stopReason: 'error' }, excluded: true }
  }
  // Text that a person has read stays. Calls and thinking are only valid when they are complete.
  const content = message.content.filter((part) => part.type === 'text' && part.text.trim() !== '')
  const kept: AssistantMessage = { ...message, content, stopReason: 'aborted' }
  return content.length > 0
    ? { type: 'message_end', message: kept }
    : { type: 'message_end', message: kept, excluded: true }
}
