import { iterateEvents } from './agent-events.ts'
import type { AgentEnvironment, AgentOptions, Settings } from './agent-options.ts'
import { createParts } from './agent-parts.ts'
import type { RunResult } from './agent-result.ts'
import type { AgentStart } from './agent-run.ts'
import { abortRun, startRun } from './agent-run.ts'
import { platformEnvironment } from './internal/environment.ts'
import type { AgentEvent } from './kernel/events.ts'
import type { Part } from './kernel/message.ts'
import { openCall } from './kernel/state.ts'
import { hasEnded } from './kernel/tool-call.ts'
import type { EventListener } from './runtime/notifier.ts'
import type { AgentState } from './store/agent-state.ts'
import { pageSchedule } from './store/publish.ts'
import type { AgentStore } from './store/store.ts'

/** Thrown when something needs the agent to be at rest and it is not. */
export class AgentBusyError extends Error {
  override readonly name = 'AgentBusyError'
}

/** A conversation with a model that may call tools. Every member may be passed around freely. */
export interface Agent {
  /**
   * Says something to the model and runs until nothing is left to do. Resolves with how it ended, also when
   * it failed or was stopped; rejects only for misuse: with `AgentBusyError` while a run is active, with a
   * `TypeError` for an empty input.
   */
  readonly prompt: (input: string | readonly Part[], options?: PromptOptions) => Promise<RunResult>
  /** Stops the run with everything it started. Does nothing when none is active. */
  readonly abort: (reason?: string) => void
  /** Cancels one call; its siblings and the run go on. Says whether there was something to cancel. */
  readonly cancelTool: (toolCallId: string) => boolean
  /** Changes the model, the tools or another option for the next run. Throws `AgentBusyError` in a run. */
  readonly configure: (changes: Partial<AgentOptions>) => void
  /** Tells of every event from now on. A listener cannot influence the run, whatever it does. */
  readonly subscribe: (listener: EventListener) => () => void
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

  return {
    prompt: async (input, { signal } = {}) => {
      const start = promptStart(input, parts.settings())
      requireRest('prompt')
      return startRun({ runtime, notifier, disposal: disposal.signal, signal }, start)
    },
    abort: (reason) => abortRun(runtime, reason),
    cancelTool: (toolCallId) => {
      const call = openCall(runtime.state(), toolCallId)
      if (disposal.signal.aborted || !call || hasEnded(call)) return false
      if (call.cancelledBy !== undefined) return false
      runtime.write({ type: 'tool_cancel_requested', toolCallId, by: 'user' })
      return true
    },
    configure: (changes) => {
      requireRest('configure')
      parts.configure(changes)
    },
    subscribe: notifier.subscribe,
    events: ({ after = -1, signal } = {}) =>
      iterateEvents({
        log: parts.log,
        after,
        subscribe: notifier.subscribe,
        signal: signal ? AbortSignal.any([signal, disposal.signal]) : disposal.signal,
      }),
    getState: publisher.store.getState,
    store: publisher.store,
    getArtifact: parts.artifacts.get,
    dispose: () => {
      parts.dispose()
      disposal.abort(new TypeError('The agent was disposed. Create a new one.'))
    },
  }
}

function promptStart(input: string | readonly Part[], settings: Settings): AgentStart {
  const parts: readonly Part[] = typeof input === 'string' ? [{ type: 'text', text: input }] : input
  if (!parts.some((part) => part.type !== 'text' || part.text.trim() !== '')) {
    throw new TypeError('The prompt is empty. Pass some text, or at least one part.')
  }
  return {
    type: 'agent_start',
    trigger: 'prompt',
    input: parts,
    model: settings.model.identity,
    toolExecution: 'parallel',
    maxTurns: settings.maxTurns,
  }
}
