import { createEngine } from '../agent/engine.ts'
import { outputPart } from '../agent/late-output.ts'
import type { AgentOptions } from '../agent/options.ts'
import { optionsOf } from '../agent/options-of.ts'
import type { OutputOf, OutputOptions, OutputSchema } from '../agent/output-schema.ts'
import { partsOf } from '../agent/prompt.ts'
import type { RunResult } from '../agent/run.ts'
import { resolveSettings, type Settings } from '../agent/settings.ts'
import { checkFunctions } from '../internal/check-value.ts'
import { defined } from '../internal/defined.ts'
import { type Environment, platformEnvironment } from '../internal/environment.ts'
import { isList } from '../internal/json.ts'
import type { Draft } from '../kernel/draft.ts'
import type { QueuedInput } from '../kernel/events.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import type { AssistantMessage, Message, Usage } from '../kernel/message.ts'
import type { OutputRequest } from '../kernel/output-request.ts'
import { startOf } from '../kernel/outside-run.ts'
import type { RunEndReason } from '../kernel/run-end-reason.ts'
import type { RunError } from '../kernel/run-error.ts'
import type { ToolHost } from '../tools/host.ts'
import { checkMessages } from './calling-message.ts'
import { type AnswerEvent, isOfAnswer, only } from './own-events.ts'
import { singleRun } from './single-run.ts'

/** One question to a model: a conversation, or just an input. */
export type QueryOptions = AskingOptions &
  (
    | {
        /**
         * The conversation so far, of any length, the question last. Every call in it needs its result right after the
         * answer that made it.
         */
        readonly messages: readonly Message[]
        readonly input?: never
      }
    | {
        /** What the user says: a conversation of one message. */
        readonly input: string | QueuedInput
        readonly messages?: never
      }
  )

interface AskingOptions extends Pick<AgentOptions, 'model' | 'system' | 'retry' | 'streamIdleMs'> {
  /** The tools that the model may call. None is ever run: the calls are in the answer. */
  readonly tools?: ToolHost | readonly ToolHost[]
  /** Stops the request. The text written by then is the answer, with the stop reason `aborted`. */
  readonly signal?: AbortSignal
  /** Called with every event of the answer. Nothing that it does or throws changes the answer. */
  readonly onEvent?: (event: AnswerEvent) => void
}

/** The answer of a model to one question. */
export interface QueryResult<Output = unknown> {
  /** The answer; `null` when there is none: it failed, was refused, or stopped before its first word. */
  readonly message: AssistantMessage | null
  /**
   * `stop`: an answer without calls; its `stopReason` says whether it was cut off. `awaiting_tool_results`: an answer
   * with calls, for you to run. `max_turns`: it was paused, or cut off with calls in it, and another request would go
   * on. `refusal`, `aborted`, `error`: as they say.
   */
  readonly reason: RunEndReason
  /** The usage of all attempts. */
  readonly usage: Usage
  /** Why the request failed or was refused. */
  readonly error?: RunError
  /** What the answer gave, if an output was asked for and it fits. */
  readonly output?: Output
}

/**
 * Asks a model once, in a loop of your own, with the code that agents ask with: the answer is put together, watched
 * while it streams, and tried again where that may help. It never runs a tool.
 *
 * With `output` the answer is to fit a schema, and one that does not is sent back to be mended, `maxRepairs` times:
 * each is a request of its own. Where tools are offered, an answer with calls comes as it is; ask again with their
 * results.
 *
 * Failures are results, also a conversation that is no legal one: that is never sent, and ends as an error of the kind
 * `internal`. Only misuse rejects, with a `TypeError`: an empty input, no messages, both of them, or
 * a message whose content is no list of blocks.
 *
 * @example
 * ```ts
 * const { message } = await query({ model, messages: history, tools })
 * if (message) history.push(message, ...(await executeToolCalls({ message, tools })).toolResults)
 * ```
 */
export function query(options: QueryOptions): Promise<QueryResult<never>>
export function query<Schema extends OutputSchema>(
  options: QueryOptions & OutputOptions<Schema>,
): Promise<QueryResult<OutputOf<Schema>>>
export function query(options: QueryOptions & Partial<OutputOptions>): Promise<QueryResult> {
  return queryIn(options, platformEnvironment)
}

/** `query` in a given environment: for tests. */
export async function queryIn(
  options: QueryOptions & Partial<OutputOptions>,
  environment: Environment,
): Promise<QueryResult> {
  const { output, maxRepairs = 2, signal, onEvent } = optionsOf(options)
  checkFunctions(options, ['onEvent'])
  const question = questionOf(options)
  const settings = settingsFor(options, question, output === undefined ? 0 : maxRepairs)
  const sessionId = environment.newId('session')
  const engine = createEngine({ sessionId, settings: () => settings, environment })
  engine.notifier.subscribe(only(isOfAnswer, onEvent))
  const ask = (asked?: OutputRequest) =>
    singleRun(engine, question.start(settings.kernel, asked), signal)
  if (output === undefined) return resultOf(await ask())
  const { askForOutput } = await outputPart.load()
  const { subscribe } = engine.notifier
  const { hookTimeoutMs: timeoutMs } = settings
  // The engine of this query has checked the answer already: there is nothing left to wait for, or to dispose of.
  const patience = { timeoutMs, clock: environment.clock, signal: new AbortController().signal }
  const source = { subscribe, state: engine.ledger.state, patience }
  return resultOf(await askForOutput({ ...options, output }, source, ask))
}

// Options are taken one by one, so that other options of an agent have no effect here.
function settingsFor(
  { model, system, tools, retry, streamIdleMs }: QueryOptions,
  { messages }: Question,
  repairs: number,
): Settings {
  return resolveSettings({
    ...{ model, system, tools, retry, streamIdleMs },
    toolMode: 'manual',
    maxTurns: Math.max(0, repairs) + 1,
    // The log of the run has no messages: this hook puts the given ones in their place.
    ...(messages && { hooks: { transformContext: (own) => [...messages, ...own.slice(1)] } }),
  })
}

function resultOf({ messages, text: _text, ...result }: RunResult): QueryResult {
  return { message: messages.findLast((one) => one.role === 'assistant') ?? null, ...result }
}

interface Question {
  /** The messages to send, if not just the prompt that the run starts with. */
  readonly messages?: readonly Message[]
  readonly start: (config: KernelConfig, output?: OutputRequest) => readonly Draft[]
}

function questionOf({ messages, input }: QueryOptions): Question {
  if (messages !== undefined && input !== undefined) {
    throw new TypeError('query takes either messages or an input. Add the input to the messages.')
  }
  if (input !== undefined) {
    const parts = partsOf(input)
    return {
      start: (config, output) => [
        startOf('prompt', config, { input: parts, ...defined({ output }) }),
      ],
    }
  }
  const last = messages && isList(messages) ? messages.at(-1) : undefined
  if (!messages || !last) {
    throw new TypeError('query needs something to ask: an input, or at least one message.')
  }
  checkMessages(messages)
  return { messages: [...messages], start: (...asked) => startAfter(last, ...asked) }
}

// The log of the run holds only the id of the last message, which becomes the parent of the answer.
function startAfter(
  { id, parentId }: Message,
  config: KernelConfig,
  output?: OutputRequest,
): readonly Draft[] {
  const message = { id, parentId, role: 'user', content: [] } as const
  return [
    { type: 'message_start', message },
    { type: 'message_end', message },
    startOf('continue', config, defined({ output })),
  ]
}
