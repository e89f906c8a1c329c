import type { Environment } from '../internal/environment.ts'
import type { AssistantMessage, StopReason, Usage } from '../kernel/message.ts'
import type { RunError } from '../kernel/run-error.ts'
import { problemOf, transcript } from '../kernel/transcript.ts'
import { createAccumulator } from '../model/accumulate.ts'
import type { Model, ToolSpec } from '../model/port.ts'
import { ModelError } from '../model/port.ts'
import type { EffectScope, Performance } from './effects.ts'

export interface AskModelPorts {
  readonly model: Model
  readonly system: string
  readonly tools: readonly ToolSpec[]
  readonly maxToolResultChars: number
  readonly environment: Environment
}

/** Asks the model for one answer and writes it as it comes. */
export function askModel(scope: EffectScope, ports: AskModelPorts): Performance {
  const controller = new AbortController()
  void answer({ scope, ports, signal: controller.signal })
  return { update: () => {}, giveUp: () => controller.abort() }
}

interface Asking {
  readonly scope: EffectScope
  readonly ports: AskModelPorts
  readonly signal: AbortSignal
}

async function answer({ scope, ports, signal }: Asking): Promise<void> {
  const { model, environment } = ports
  const open: AssistantMessage = {
    id: environment.newId('msg'),
    parentId: scope.state().head?.message.id ?? null,
    role: 'assistant',
    content: [],
    model: model.identity,
  }
  if (!scope.commit({ type: 'message_start', message: open })) return
  try {
    const { stopReason, usage } = await stream({ scope, ports, signal }, open.id)
    scope.commit({ type: 'message_end', message: { ...asked(scope, open), stopReason, usage } })
  } catch (thrown) {
    const message: AssistantMessage = { ...asked(scope, open), stopReason: 'error' }
    scope.commit({ type: 'message_end', message, excluded: true, error: runErrorOf(thrown) })
  }
}

async function stream(
  { scope, ports, signal }: Asking,
  messageId: string,
): Promise<{ readonly stopReason: StopReason; readonly usage: Usage }> {
  const { model, system, tools, environment } = ports
  const messages = transcript(scope.state(), ports.maxToolResultChars)
  const problem = problemOf(messages)
  if (problem) throw new ModelError({ kind: 'internal', message: problem, retryable: false })
  const accumulate = createAccumulator(() => environment.newId('call'))
  for await (const chunk of model.stream({ system, messages, tools }, { signal })) {
    const accumulated = accumulate(chunk)
    if (accumulated.kind === 'finish') return accumulated
    const { step } = accumulated
    if (!scope.commit({ type: 'message_update', messageId, assistantMessageEvent: step })) break
  }
  throw new ModelError({
    kind: 'truncated_stream',
    message: "The model's answer broke off before its end. Try again.",
    retryable: true,
  })
}

function asked(scope: EffectScope, open: AssistantMessage): AssistantMessage {
  const step = scope.state().run?.step
  return step?.kind === 'asking' && step.message.id === open.id ? step.message : open
}

function runErrorOf(thrown: unknown): RunError {
  if (thrown instanceof ModelError) return thrown.error
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return { kind: 'internal', message, retryable: false }
}
