import type { AgentEndDraft, Draft } from './draft.ts'
import { dueBatchFacts } from './due-batch-facts.ts'
import type { RunEndReason } from './events.ts'
import type { Halt } from './halt.ts'
import { haltOf } from './halt.ts'
import type { KernelConfig } from './kernel-config.ts'
import type { AssistantMessage } from './message.ts'
import type { Answer, Run, State } from './state.ts'

/** The facts that follow from a state by themselves. */
export function dueFacts(state: State, config: KernelConfig): readonly Draft[] {
  const { openMessage, run } = state
  // A whole message is two facts. The page may have gone away between them.
  if (openMessage) return [{ type: 'message_end', message: openMessage }]
  if (!run) return []
  const { step } = run
  const halt = haltOf(state, run)
  switch (step.kind) {
    case 'between_turns':
      return halt && run.pending.length === 0 ? [endOfRun(run, halt)] : nextTurn(run, step.last)
    case 'collecting':
      return dueInput(run) ?? (halt ? [endOfTurn(null)] : [])
    case 'asking':
      return halt ? [endOfCutAnswer(step.message, halt)] : []
    case 'answered':
      return state.batch
        ? dueBatchFacts({ state, batch: state.batch, run, config })
        : [endOfTurn(step.answer)]
  }
}

function nextTurn(run: Run, last: Answer | null): readonly Draft[] {
  if (!last) return [{ type: 'turn_start' }]
  if (last.error) return [endOfRun(run, 'error', last)]
  if (last.stopReason === 'refusal') return [endOfRun(run, 'refusal', last)]
  if (last.toolCallIds.length === 0) return [...warningsOf(last), endOfRun(run, 'stop')]
  if (last.terminate) return [endOfRun(run, 'terminated')]
  if (run.maxTurns !== null && run.countedTurns >= run.maxTurns) {
    const turns = run.maxTurns === 1 ? '1 turn' : `${run.maxTurns} turns`
    const message = `Stopped after ${turns}; the model had not finished.`
    return [{ type: 'warning', code: 'max_turns', message }, endOfRun(run, 'max_turns')]
  }
  return [{ type: 'turn_start' }]
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

function dueInput(run: Run): readonly Draft[] | null {
  const [content] = run.pending
  return content ? [{ type: 'whole_message', message: { role: 'user', content } }] : null
}

function endOfCutAnswer(message: AssistantMessage, halt: Halt): Draft {
  if (halt === 'interrupted') {
    return { type: 'message_end', message: { ...message, stopReason: 'error' }, excluded: true }
  }
  // What a person has read stays; calls and thinking are only valid whole.
  const content = message.content.filter((part) => part.type === 'text' && part.text.trim() !== '')
  const kept: AssistantMessage = { ...message, content, stopReason: 'aborted' }
  return content.length > 0
    ? { type: 'message_end', message: kept }
    : { type: 'message_end', message: kept, excluded: true }
}

/** The end of a turn, by its answer; `null` for a turn that ended before the model was asked. */
function endOfTurn(answer: Answer | null): Draft {
  if (!answer) {
    return { type: 'turn_end', toolCallIds: [], usage: { inputTokens: 0, outputTokens: 0 } }
  }
  const { messageId, toolCallIds, usage, stopReason } = answer
  return { type: 'turn_end', messageId, toolCallIds, usage, ...(stopReason && { stopReason }) }
}

function endOfRun(run: Run, reason: RunEndReason, answer?: Answer): AgentEndDraft {
  return {
    type: 'agent_end',
    reason,
    maxTurnsReached: reason === 'max_turns',
    turns: run.turns,
    usage: run.usage,
    ...(answer?.error && { error: answer.error }),
  }
}
