import type { ApprovalResponse } from './agent-calls.ts'
import { cancelCall, resolveApproval, stageResult } from './agent-calls.ts'
import { AgentBusyError } from './agent-errors.ts'
import { iterateEvents } from './agent-events.ts'
import { continueStart, partsOf, promptStart, queueInput, regenerateFrom, moveTo } from './agent-history.ts'
import type { AgentEnvironment, AgentOptions } from './agent-options.ts'
import { createParts } from './agent-parts.ts'
import type { RunResult } from './agent-result.ts'
import { failedRun } from './agent-result.ts'
import { abortRun, startRun } from './agent-run.ts'
import { platformEnvironment } from './internal/environment.ts'
import type { Draft } from './kernel/draft.ts'
import type { AgentEvent } from './kernel/events.ts'
import type { Part } from './kernel/message.ts'
import { inCallOrder } from './runtime/call-order.ts'
import type { EventListener } from './runtime/notifier.ts'
import type { AgentState } from './store/agent-state.ts'
import { pageSchedule } from './store/publish.ts'
import type { AgentStore } from './store/store.ts'

/** A conversation with a model that may call tools. Every member may be passed around freely. */
export interface Agent {
  /**
   * Says something to the model and runs until nothing is left to do. Resolves with how it ended, also when
   * it failed or was stopped; rejects only for misuse: with `AgentBusyError` while a run is active, with a
   * `TypeError` for an empty input.
   */
  readonly prompt: (input: string | readonly Part[], options?: PromptOptions) => Promise<RunResult>
  /**
   * Goes on where the conversation stands: with answers of calls that were missing, with what is queued, or with
   * what a stopped, failed or limited run left unanswered. Rejects with an `AgentUsageError` if there is nothing
   * to go on with, or calls are still unanswered.
   */
  readonly continue: (options?: PromptOptions) => Promise<RunResult>
  /** Has the last question answered anew. The old answer stays on a branch of its own. */
  readonly regenerate: (options?: PromptOptions) => Promise<RunResult>
  /**
   * Says something into the run: it is delivered at the next checkpoint, and calls that have not started then are
   * skipped. Without a run it waits for the next one. Throws a `TypeError` for an empty input.
   */
  readonly steer: (input: string | readonly Part[]) => void
  /** Says something for when the run would end. */
  readonly followUp: (input: string | readonly Part[]) => void
  /** Takes back what is queued and not delivered. */
  readonly clearQueues: () => void
  /**
   * Answers a call of a tool with place `'client'`, or any call with `toolMode: 'manual'`. Takes what an
   * implementation may return. In auto mode the run goes on by itself after the last missing answer. Rejects
   * with an `AgentUsageError` for a call that is unknown, settled, or answered by its tool, and with a `TypeError` for
   * a result that does not fit.
   */
  readonly addToolResult: (
    toolCallId: string,
    result: unknown,
    options?: { readonly isError?: boolean },
  ) => Promise<void>
  /**
   * Answers a call that waits to be allowed. `argsDigest` is that of the arguments which were shown: an answer to
   * others throws an `AgentUsageError`, as does one for a call that does not wait.
   */
  readonly respondToApproval: (toolCallId: string, response: ApprovalResponse) => void
  /**
   * Makes another message the last one: to say something else after it, or to go back to another branch. `null` is
   * before the first. Open calls are cancelled; nothing is deleted. Throws `AgentBusyError` in a run.
   */
  readonly moveHead: (messageId: string | null) => void
  /** Stops the run with everything it started. Does nothing when none is active. */
  readonly abort: (reason?: string) => void
  /** Cancels one call; its siblings and the run go on. Says whether there was something to cancel. */
  readonly cancelTool: (toolCallId: string) => boolean
  /** Changes the model, the tools or another option for the next run. Throws `AgentBusyError` in a run. */
  readonly configure: (changes: Partial<AgentOptions>) => void
  /** Tells of every event from now on. A listener cannot influence the run, whatever it does. */
  readonly subscribe: (listener: EventListener, options?: SubscribeOptions) => () => void
  /** Resolves when the stored session is read; rejects when it cannot be. At once without a `storage`. */
  readonly ready: Promise<void>
  /** The events after number `after` (default: all), then the live ones, until `signal` or `dispose` ends it. */
  readonly events: (options?: EventsOptions) => AsyncIterable<AgentEvent>
  /** The last published snapshot. */
  readonly getState: () => AgentState
  /** The published snapshots, for a view to follow. */
  readonly store: AgentStore
  /** The bytes of an artifact that a tool returned. */
  readonly getArtifact: (artifactId: string) => Blob | undefined
  /** Ends everything at once: workers, timers, listeners. A waiting `prompt` resolves as `interrupted`. */
  readonly dispose: () => void
}

/** What a prompt may be given besides its input. */
export interface PromptOptions {
  /** Aborting it stops the run. */
  readonly signal?: AbortSignal
}

/** How a listener is told. */
export interface SubscribeOptions {
  /** `'call'`: ends of calls come in call order, after all calls of the answer are done. Default `'completion'`. */
  readonly endOrder?: 'completion' | 'call'
}

/** Which events an iteration gives, and what ends it. */
export interface EventsOptions {
  /** Leave out durable events up to and including this number. */
  readonly after?: number
  readonly signal?: AbortSignal
}

/**
 * Creates an agent with an empty history.
 *
 * Failures do not reject `prompt`: they are facts in the log, read through `getState().error`. Only misuse
 * throws, here a `TypeError` for a duplicate tool name or a limit out of range.
 *
 * @example
 * ```ts
 * const agent = createAgent({
 *   model: anthropic({ model: 'claude-opus-5-5', apiKey: () => key }),
 *   tools: inWorkers([countPrimes], () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' })),
 * })
 * const { text } = await agent.prompt('How many primes are there below one million?')
 * ```
 */
export function createAgent(options: AgentOptions): Agent {
  return createAgentIn(options, {
    ...platformEnvironment,
    schedule: pageSchedule(platformEnvironment.clock),
  })
}

/** `createAgent` with time, ids and frames of one's own: for tests. */
export function createAgentIn(options: AgentOptions, environment: AgentEnvironment): Agent {
  const parts = createParts(options, environment)
  const { runtime, notifier, publisher } = parts
  const disposal = new AbortController()

  function requireRest(what: string): void {
    disposal.signal.throwIfAborted()
    if (!runtime.state().run) return
    throw new AgentBusyError(
      `Cannot ${what} while a run is active. Wait for it, or abort() it first.`,
    )
  }

  // The check and the start are one step: nothing can come between them.
  async function run(what: string, start: () => Draft, signal?: AbortSignal): Promise<RunResult> {
    if (!parts.isOpen()) await parts.opened.catch(() => {})
    const failed = parts.failure.error()
    if (failed) return failedRun([], failed)
    requireRest(what)
    return startRun({ parts, disposal: disposal.signal, signal }, start())
  }

  // What is said before the log is read is said after it.
  function whenOpen(command: () => void): void {
    disposal.signal.throwIfAborted()
    if (parts.isOpen()) command()
    else void parts.opened.then(command, () => {})
  }

  return {
    prompt: async (input, { signal } = {}) => {
      const content = partsOf(input)
      return run('prompt', () => promptStart(content, parts.settings().kernel), signal)
    },
    continue: ({ signal } = {}) => run('continue', () => continueStart(parts), signal),
    regenerate: ({ signal } = {}) => run('regenerate', () => regenerateFrom(parts), signal),
    steer: (input) => {
      const content = partsOf(input)
      whenOpen(() => runtime.write(queueInput(runtime.state(), 'steering', content)))
    },
    followUp: (input) => {
      const content = partsOf(input)
      whenOpen(() => runtime.write(queueInput(runtime.state(), 'followUp', content)))
    },
    clearQueues: () =>
      whenOpen(() => runtime.write({ type: 'queue_update', steering: [], followUp: [] })),
    addToolResult: async (toolCallId, result, { isError = false } = {}) => {
      if (!parts.isOpen()) await parts.opened
      disposal.signal.throwIfAborted()
      await stageResult(parts, toolCallId, { result, isError })
    },
    respondToApproval: (toolCallId, response) => {
      disposal.signal.throwIfAborted()
      resolveApproval(parts, toolCallId, response)
    },
    moveHead: (messageId) => {
      requireRest('move the head')
      moveTo(parts, messageId)
    },
    abort: (reason) => abortRun(runtime, reason),
    cancelTool: (toolCallId) => !disposal.signal.aborted && cancelCall(parts, toolCallId),
    configure: (changes) => {
      requireRest('configure')
      parts.configure(changes)
    },
    subscribe: (listener, { endOrder = 'completion' } = {}) =>
      notifier.subscribe(endOrder === 'call' ? inCallOrder(listener) : listener),
    events: ({ after = -1, signal } = {}) =>
      iterateEvents({
        log: parts.log,
        after,
        subscribe: notifier.subscribe,
        signal: signal ? AbortSignal.any([signal, disposal.signal]) : disposal.signal,
      }),
    ready: parts.opened,
    getState: publisher.store.getState,
    store: publisher.store,
    getArtifact: parts.artifacts.get,
    dispose: () => {
      parts.dispose()
      disposal.abort(new TypeError('The agent was disposed. Create a new one.'))
    },
  }
}
