import { createAgentIn } from '../agent/create-agent.ts'
import type { AgentOptions } from '../agent/options.ts'
import { partsOf } from '../agent/prompt.ts'
import type { Environment } from '../internal/environment.ts'
import { platformEnvironment } from '../internal/environment.ts'
import type { QueuedInput, RunEndReason } from '../kernel/events.ts'
import type { AssistantMessage, Message, Usage } from '../kernel/message.ts'
import type { RunError } from '../kernel/run-error.ts'
import type { ToolHost } from '../tools/host.ts'
import type { AnswerEvent } from './own-events.ts'
import { isOfAnswer, only } from './own-events.ts'
import { privateEnvironment } from './private-environment.ts'

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
  /** What the model may call. Nothing of it is ever run: the calls are in the answer. */
  readonly tools?: ToolHost | readonly ToolHost[]
  /** Stops the request. What was written by then is the answer, with the stop reason `aborted`. */
  readonly signal?: AbortSignal
  /** Told of the answer while it is written. Whatever it does, it cannot influence it. */
  readonly onEvent?: (event: AnswerEvent) => void
}

/** What a model said to one question. */
export interface QueryResult {
  /** The answer; `null` when there is none: it failed, was refused, or stopped before its first word. */
  readonly message: AssistantMessage | null
  /**
   * `stop`: an answer without calls; its `stopReason` says whether it was cut off. `awaiting_tool_results`: an answer
   * with calls, for you to run. `max_turns`: it was paused, or cut off with calls in it, and another request would go
   * on. `refusal`, `aborted`, `error`: as they say.
   */
  readonly reason: RunEndReason
  /** Of all attempts. */
  readonly usage: Usage
  /** Why it failed or was refused. */
  readonly error?: RunError
}

/**
 * Asks a model once, in a loop of your own, by the code of an agent: the answer is put together, watched while it
 * streams, and tried again where that may help. It never runs a tool.
 *
 * Failures are results, also a conversation that is no legal one: that is never sent, and ends as an error of the kind
 * `internal`. Only misuse rejects, with a `TypeError`: an empty input, no messages, or both of them.
 *
 * @example
 * ```ts
 * const { message } = await query({ model, messages: history, tools })
 * if (message) history.push(message, ...(await executeToolCalls({ message, tools })).toolResults)
 * ```
 */
export function query(options: QueryOptions): Promise<QueryResult> {
  return queryIn(options, platformEnvironment)
}

/** `query` with time, ids and chance of one's own: for tests. */
export async function queryIn(
  options: QueryOptions,
  environment: Environment,
): Promise<QueryResult> {
  const { signal, onEvent } = options
  const { prompt, messages } = questionOf(options)
  const last = messages?.at(-1)
  const agent = createAgentIn(
    optionsOf(options, messages),
    // The answer follows the last message as its caller knows it: for the agent that is its prompt.
    privateEnvironment(environment, last && { msg: [last.id] }),
  )
  agent.subscribe(only(isOfAnswer, onEvent))
  try {
    const run = await agent.prompt(prompt, { ...(signal && { signal }) })
    const { reason, usage, error } = run
    const message = run.messages.find(({ role }) => role === 'assistant')
    const answer = message?.role === 'assistant' ? message : null
    return { message: answer, reason, usage, ...(error && { error }) }
  } finally {
    agent.dispose()
  }
}

interface Question {
  readonly prompt: QueuedInput
  /** What is sent in place of the prompt. */
  readonly messages?: readonly Message[]
}

function questionOf({ messages, input }: QueryOptions): Question {
  if (messages !== undefined && input !== undefined) {
    throw new TypeError('query takes either messages or an input. Add the input to the messages.')
  }
  if (input !== undefined) return { prompt: partsOf(input) }
  if (!messages || !hasEntries(messages)) {
    throw new TypeError('query needs something to ask: an input, or at least one message.')
  }
  return { prompt: partsOf('The messages.'), messages: [...messages] }
}

function hasEntries(messages: unknown): boolean {
  return Array.isArray(messages) && messages.length > 0
}

function optionsOf(
  { model, system, tools, retry, streamIdleMs }: QueryOptions,
  messages: readonly Message[] | undefined,
): AgentOptions {
  // One by one: whoever passes on all options of an agent does not want its session written to.
  return {
    model,
    toolMode: 'manual',
    maxTurns: 1,
    ...(messages && { hooks: { transformContext: () => messages } }),
    ...(system !== undefined && { system }),
    ...(tools !== undefined && { tools }),
    ...(retry !== undefined && { retry }),
    ...(streamIdleMs !== undefined && { streamIdleMs }),
  }
}
