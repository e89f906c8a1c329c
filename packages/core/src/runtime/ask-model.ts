import { abandoned, waitedTooLong } from '../internal/abort.ts'
import type { Environment } from '../internal/environment.ts'
import { isObject } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import { readJson } from '../internal/read-json.ts'
import type { AssistantMessage, Message } from '../kernel/message.ts'
import type { RunError } from '../kernel/run-error.ts'
import { problemOf, transcript } from '../kernel/transcript.ts'
import { type Accumulated, createAccumulator } from '../model/accumulate.ts'
import {
  identityOf,
  isName,
  type Model,
  ModelError,
  type ToolSpec,
  truncated,
} from '../model/port.ts'
import { createIdleWatch, type IdleWatch } from './idle-watch.ts'
import type { EffectHandle, EffectScope } from './running-effects.ts'

export interface AskModelPorts {
  readonly model: Model
  readonly maxToolResultChars: number
  /** The messages as the hooks leave them. */
  readonly transform: (
    messages: readonly Message[],
    signal: AbortSignal,
  ) => Promise<readonly Message[]>
  readonly system: string
  readonly tools: readonly ToolSpec[]
  /** Milliseconds without a chunk before the request fails as `stalled`. */
  readonly streamIdleMs: number | null
  /** Milliseconds to wait before asking. */
  readonly delayMs: number
  readonly environment: Environment
  /** Called when the model has named a tool; its arguments follow. */
  readonly onToolNamed: (toolCallId: string, toolName: string) => void
}

/** Asks the model for one answer and writes it as it comes. */
export function askModel(scope: EffectScope, ports: AskModelPorts): EffectHandle {
  const controller = new AbortController()
  const asking: Asking = { scope, ports, controller, watch: null, hasFinished: false }
  const { clock } = ports.environment
  const start = (): void => void answer(asking)
  const clear = ports.delayMs > 0 ? clock.setTimer(ports.delayMs, start) : undefined
  if (!clear) start()
  return {
    cancel: () => {
      clear?.()
      asking.watch?.clear()
      // An adapter that has finished by itself gets no abort.
      if (!asking.hasFinished) controller.abort(abandoned)
    },
  }
}

interface Asking {
  readonly scope: EffectScope
  readonly ports: AskModelPorts
  readonly controller: AbortController
  watch: IdleWatch | null
  hasFinished: boolean
}

async function answer(asking: Asking): Promise<void> {
  const { scope, ports } = asking
  const open: AssistantMessage = {
    id: ports.environment.newId('msg'),
    parentId: scope.state().head?.message.id ?? null,
    role: 'assistant',
    content: [],
    model: identityOf(ports.model),
  }
  if (!scope.commit({ type: 'message_start', message: open })) return
  try {
    await stream(asking, open)
  } catch (thrown) {
    fail(asking, open, runErrorOf(thrown))
  }
}

async function stream(asking: Asking, open: AssistantMessage): Promise<void> {
  const { scope, ports, controller } = asking
  const { model, system, tools, environment, streamIdleMs } = ports
  const { signal } = controller
  const messages = await context(asking)
  signal.throwIfAborted()
  const accumulate = createAccumulator(() => environment.newId('call'))
  // `fail` ends the answer here, also if the adapter ignores its signal: what it yields later is not written.
  const watch = createIdleWatch(streamIdleMs, environment.clock, () => {
    fail(asking, open, stalled)
    controller.abort(waitedTooLong)
  })
  asking.watch = watch
  try {
    const options = { signal, onAlive: watch.restart }
    for await (const chunk of model.stream({ system, messages, tools }, options)) {
      watch.restart()
      const step = accumulate(chunk)
      // The answer is written first, because leaving the loop waits for the adapter's clean-up.
      if (step.type === 'finish') {
        watch.clear()
        return finish(asking, open, step)
      }
      const update = { messageId: open.id, assistantMessageEvent: step }
      if (!scope.commit({ type: 'message_update', ...update })) return
      if (step.type === 'toolcall_start') ports.onToolNamed(step.toolCallId, step.toolName)
    }
    throw truncated()
  } finally {
    watch.clear()
  }
}

function fail({ scope }: Asking, open: AssistantMessage, error: RunError): void {
  const message: AssistantMessage = { ...asked(scope, open), stopReason: 'error' }
  scope.commit({ type: 'message_end', message, excluded: true, error })
}

/** The messages of the request. Throws if they are no legal transcript, so that an illegal one is never sent. */
async function context({ scope, ports, controller }: Asking): Promise<readonly Message[]> {
  const own = transcript(scope.state(), ports.maxToolResultChars)
  const messages = await ports.transform(own, controller.signal)
  const problem = problemOf(messages)
  if (problem) throw new ModelError({ kind: 'internal', message: problem, retryable: false })
  return messages
}

type Finish = Extract<Accumulated, { readonly type: 'finish' }>

function finish(asking: Asking, open: AssistantMessage, finished: Finish): void {
  const { scope } = asking
  const { stopReason, usage } = finished
  asking.hasFinished = true
  const message: AssistantMessage = { ...asked(scope, open), stopReason, usage }
  // A refused answer may break off anywhere, so it is shown but never sent back.
  const refusal = stopReason === 'refusal' && { excluded: true, error: refusalError(finished) }
  scope.commit({ type: 'message_end', message, ...refusal })
}

function refusalError({ explanation }: Finish): RunError {
  const isGiven = explanation !== undefined && /\S/.test(explanation)
  const message = isGiven ? explanation : 'The model refused to answer. Ask in other words.'
  return { kind: 'refusal', message, retryable: false }
}

const stalled: RunError = {
  kind: 'stalled',
  message: 'The model said nothing for too long. Try again.',
  retryable: true,
}

function asked(scope: EffectScope, open: AssistantMessage): AssistantMessage {
  const step = scope.state().run?.step
  return step?.kind === 'asking' && step.message.id === open.id ? step.message : open
}

function runErrorOf(thrown: unknown): RunError {
  const given: unknown = thrown instanceof ModelError && readJson(thrown.error)
  if (isRunError(given)) return { ...given, message: messageOf(given.message) }
  return { kind: 'internal', message: messageOf(thrown), retryable: false }
}

/** A model that the app wrote may give an error any fields, and the error goes into events. */
function isRunError(value: unknown): value is RunError {
  if (!isObject(value)) return false
  const { kind, message, retryable, retryAfterMs = 0 } = value
  const hasTexts = isName(kind) && typeof message === 'string'
  return hasTexts && typeof retryable === 'boolean' && typeof retryAfterMs === 'number'
}
