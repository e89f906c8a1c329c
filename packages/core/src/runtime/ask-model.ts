import type { Environment } from '../internal/environment.ts'
import { messageOf } from '../internal/message-of.ts'
import type { AssistantMessage } from '../kernel/message.ts'
import type { RunError } from '../kernel/run-error.ts'
import { problemOf, transcript } from '../kernel/transcript.ts'
import type { Accumulated } from '../model/accumulate.ts'
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
  const open: AssistantMessage = {
    id: ports.environment.newId('msg'),
    parentId: scope.state().head?.message.id ?? null,
    role: 'assistant',
    content: [],
    model: ports.model.identity,
  }
  let hasFinished = false
  const finish = ({ stopReason, usage }: Finish): void => {
    hasFinished = true
    const message: AssistantMessage = { ...asked(scope, open), stopReason, usage }
    // A refused answer may break off anywhere: it is shown, and not sent back.
    const refused = stopReason === 'refusal'
    scope.commit({ type: 'message_end', message, ...(refused && { excluded: true }) })
  }
  void answer({ scope, ports, open, finish, signal: controller.signal })
  return {
    update: () => {},
    giveUp: () => {
      // What has finished by itself is not told to stop.
      if (!hasFinished) controller.abort()
    },
  }
}

type Finish = Extract<Accumulated, { readonly kind: 'finish' }>

interface Asking {
  readonly scope: EffectScope
  readonly ports: AskModelPorts
  readonly open: AssistantMessage
  readonly finish: (finish: Finish) => void
  readonly signal: AbortSignal
}

async function answer(asking: Asking): Promise<void> {
  const { scope, open } = asking
  if (!scope.commit({ type: 'message_start', message: open })) return
  try {
    await stream(asking)
  } catch (thrown) {
    const message: AssistantMessage = { ...asked(scope, open), stopReason: 'error' }
    scope.commit({ type: 'message_end', message, excluded: true, error: runErrorOf(thrown) })
  }
}

async function stream({ scope, ports, open, finish, signal }: Asking): Promise<void> {
  const { model, system, tools, environment } = ports
  const messages = transcript(scope.state(), ports.maxToolResultChars)
  const problem = problemOf(messages)
  if (problem) throw new ModelError({ kind: 'internal', message: problem, retryable: false })
  const accumulate = createAccumulator(() => environment.newId('call'))
  for await (const chunk of model.stream({ system, messages, tools }, { signal })) {
    const accumulated = accumulate(chunk)
    // Leaving the loop waits for the adapter's clean-up; the answer does not.
    if (accumulated.kind === 'finish') return finish(accumulated)
    const assistantMessageEvent = accumulated.step
    if (!scope.commit({ type: 'message_update', messageId: open.id, assistantMessageEvent })) return
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
  return { kind: 'internal', message: messageOf(thrown), retryable: false }
}
