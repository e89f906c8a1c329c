import type { JsonObject } from '../internal/json.ts'
import type { AgentEvent } from '../kernel/events.ts'
import type { Message, Part } from '../kernel/message.ts'
import type { EventListener } from '../runtime/notifier.ts'
import type { AgentState } from '../store/agent-state.ts'
import type { AgentStore } from '../store/store.ts'
import type { Tool } from '../tools/definition.ts'
import type { ToolHost } from '../tools/host.ts'
import type { ToolArgs } from '../tools/tool-types.ts'
import type { ToolAnswer } from '../tools/worker/implement.ts'
import type { ApprovalResponse } from './approvals.ts'
import type { Ask, PromptOptions, RunOptions } from './ask.ts'
import type { AgentChanges } from './options.ts'
import type { UserInput } from './prompt.ts'
import type { RunResult } from './run.ts'

/**
 * A conversation with a model that may call tools. Every member may be passed around freely. `createAgent` infers the
 * types of the tools it is given; code that takes any agent takes an `Agent`.
 */
export interface Agent<T extends Tool = Tool> {
  /**
   * Says something to the model and runs until nothing is left to do. Resolves with how it ended, also when
   * it failed or was stopped; rejects only for misuse: with `AgentBusyError` while a run is active, with a
   * `TypeError` for an empty input, with an `AgentUsageError` for an `after` that is not there. Nothing has changed then.
   *
   * @example
   * ```ts
   * await agent.prompt('How many primes are there?')
   * // The same question in other words: the first one stays on a branch of its own.
   * await agent.prompt('How many primes are below 100?', { after: question.parentId })
   * ```
   *
   * With `output` it ends with an answer that fits a schema, and the result has what that gave. An answer that does not fit
   * is sent back to be mended, `maxRepairs` times; after that the run ends as `error`, of the kind `invalid_output`. Rejects
   * with a `TypeError` for a schema that describes no object or cannot be JSON Schema.
   *
   * @example
   * ```ts
   * const { output } = await agent.prompt('Who signed it?', { output: z.object({ names: z.array(z.string()) }) })
   * ```
   */
  readonly prompt: Ask<[input: UserInput], PromptOptions>
  /**
   * Goes on where the conversation stands: with answers of calls that were missing, with what is queued, or with
   * what a stopped, failed or limited run left unanswered. Rejects with an `AgentUsageError` if there is nothing
   * to go on with, or calls are still unanswered.
   *
   * A run that was to end with an output and did not goes on to that output; to have its value, give the schema again.
   */
  readonly continue: Ask<[], RunOptions>
  /**
   * Has the last question answered again. The old answer stays on a branch of its own. Rejects with
   * `AgentBusyError` while a run is active, with an `AgentUsageError` if nothing was asked yet. Where the last run was asked
   * for an output, so is this one.
   */
  readonly regenerate: Ask<[], RunOptions>
  /**
   * Says something into the run: it is delivered at the next checkpoint, and calls that have not started then are
   * skipped. Without a run it waits for the next one. Throws a `TypeError` for an empty input, a `StorageError`
   * once the storage has failed.
   */
  readonly steer: (input: UserInput) => void
  /** Queues a message for the moment when the run would end. Throws as `steer` does. */
  readonly followUp: (input: UserInput) => void
  /** Takes back what is queued and not delivered. */
  readonly clearQueues: () => void
  /**
   * Takes back one message that is queued, or moves it to the steering messages, for the next checkpoint of the run.
   * The others keep their order. Does nothing if the message was delivered meanwhile. Throws a `TypeError` for what names
   * no message, a `StorageError` once the storage has failed.
   *
   * @example
   * ```ts
   * const [content] = agent.getState().queues.followUp
   * if (content) agent.takeQueued({ queue: 'followUp', index: 0, content })
   * ```
   */
  readonly takeQueued: (message: QueuedItem) => void
  /**
   * Answers a call of a tool with place `'client'`, or any call with `toolMode: 'manual'`. Takes what an
   * implementation may return. In auto mode the run goes on by itself after the last missing answer. Rejects
   * with an `AgentUsageError` for a call that is unknown, settled, of another tool than `toolName`, or answered by its
   * tool, and with a `TypeError` for a result that does not fit.
   *
   * @example
   * ```ts
   * await agent.addToolResult(id, { date: '2026-03-01' }, { toolName: 'pick_date' })
   * await agent.addToolResult(id, 'The dialog was closed.', { isError: true })
   * ```
   */
  // A method, so that an agent with some tools is an `Agent`.
  addToolResult<Name extends T['name'] = T['name'], Failed extends boolean = false>(
    this: void,
    toolCallId: string,
    result: [Failed] extends [true] ? unknown : AnswerOf<T, Name>,
    options?: ResultOptions<Name, Failed>,
  ): Promise<void>
  /**
   * Answers a call that waits to be allowed. `argsDigest` is that of the arguments which were shown: an answer to
   * others throws an `AgentUsageError`, as does one for a call that does not wait.
   */
  readonly respondToApproval: (toolCallId: string, response: ApprovalResponse) => void
  /**
   * Makes another message the last one: to say something else after it, or to go back to another branch. `null` is
   * before the first. Open calls are cancelled; nothing is deleted. Throws `AgentBusyError` in a run and while the
   * session is still being read, an `AgentUsageError` for a message that is not there.
   */
  readonly moveHead: (messageId: string | null) => void
  /** Stops the run with everything it started. Does nothing when none is active. */
  readonly abort: (reason?: string) => void
  /** Cancels one call; its siblings and the run go on. Says whether there was something to cancel. */
  readonly cancelTool: (toolCallId: string) => boolean
  /**
   * Runs a call that has ended once more, as another attempt: with the arguments that it had or with others, checked,
   * asked about and seen by the hooks as the first time. How it ended before stays in the log, and in `earlier`.
   *
   * While other calls of its answer have not ended, the new result takes the place of the old one. Once the model has read
   * that, the conversation goes on from the answer that made the call, on a branch of its own: the other calls keep their
   * results and do not run. Resolves when the run has ended. Rejects with an `AgentUsageError` for a call that is unknown,
   * not of this branch, not of `toolName`, has not ended or was cut off with its answer; with `AgentBusyError` while a run
   * is active that has gone on without the call, with a `TypeError` for arguments that are no JSON object. Nothing has
   * changed then.
   *
   * @example
   * ```ts
   * await agent.retryTool(id)
   * await agent.retryTool(id, { toolName: 'count_primes', args: { n: 1000 } })
   * ```
   */
  retryTool<Name extends T['name'] = T['name']>(
    this: void,
    toolCallId: string,
    options?: RetryToolOptions<Name, ArgsOf<T, Name>>,
  ): Promise<RunResult<never>>
  /**
   * Changes the model, the tools or another option for the next run. Throws `AgentBusyError` in a run, a
   * `TypeError` for a wrong option; nothing is changed then.
   */
  configure(this: void, changes: AgentChanges<ToolHost<T> | readonly ToolHost<T>[]>): void
  /** The tools that the model may call now. */
  readonly getTools: () => readonly T[]
  /**
   * Calls the listener with every event from now on. A listener cannot influence the run, whatever it does. Throws a
   * `TypeError` for what is no function.
   */
  readonly subscribe: (listener: EventListener, options?: SubscribeOptions) => () => void
  /** Resolves when the stored session is read; rejects when it cannot be. At once without a `storage`. */
  readonly ready: Promise<void>
  /**
   * Makes this agent the owner of its session, if it follows another tab, or only shows a session that broke the page.
   * The owner before gets 3 s to store what it did; a run that is active there ends as `interrupted`.
   */
  readonly takeOver: () => Promise<void>
  /**
   * Removes the content of a message for good: from the stored session, with the files that only it names, and from
   * every agent that has the session open. With an answer go its calls, and all that they were given and returned; with
   * the result of a call goes that call. What is left says `redacted`, and models read a plain text in its place.
   * Quotations in other messages stay, and so do copies that were made of the session before. A prompt that never
   * became a message, because a hook refused it or the run was stopped before, is removed by the id of its run.
   *
   * Rejects with `AgentBusyError` while a run is active, with an `AgentUsageError` for a message that is not there, that
   * has open calls, or whose storage cannot remove anything, and with a `StorageError` if that fails. Nothing is removed
   * then.
   *
   * @example
   * ```ts
   * await agent.redact(message.id)
   * ```
   */
  readonly redact: (messageId: string) => Promise<void>
  /**
   * The events after number `after` (default: all), then the live ones, until `signal` or `dispose` ends it. Throws a
   * `StorageError` at a stored one that cannot be read.
   */
  readonly events: (options?: EventsOptions) => AsyncIterable<AgentEvent>
  /** Whether a run is active at this moment: the snapshot may be a moment older. */
  readonly isRunning: () => boolean
  /** The last published snapshot: `store.getState`. */
  readonly getState: () => AgentState<T>
  /** The published snapshots, for a view to follow. */
  readonly store: AgentStore<T>
  /**
   * The messages of the current branch with the results of their calls, at this moment: what `formatForAnthropic`,
   * `formatForOpenAI` and `query` take. An answer that `addToolResult` has stored is in it at once. A call without a
   * result gets one that says so: that it is still running, or what it waits for. An answer that is being written, and
   * failed ones, are left out. Messages that a summary replaces for the model are in it themselves.
   */
  readonly getTranscript: () => readonly Message[]
  /**
   * The bytes of an artifact that a tool returned: for as long as the page lives, or as the session is stored. Rejects
   * with a `StorageError` if they cannot be read.
   */
  readonly getArtifact: (artifactId: string) => Promise<Blob | undefined>
  /**
   * Resolves when everything written so far is stored, or cannot be. Wait for it after `dispose()` before another
   * agent opens the same session.
   */
  readonly stored: () => Promise<void>
  /** Ends everything at once: workers, timers, listeners. A waiting `prompt` resolves as `interrupted`. */
  readonly dispose: () => void
}

/** A message that waits, as `getState().queues` shows it. */
export interface QueuedItem {
  readonly queue: 'steering' | 'followUp'
  /** The place of the message in the queue. Of equal messages, the one at this place is meant. */
  readonly index: number
  readonly content: readonly Part[]
  /** The queue in which the message waits from then on. Default: none, it is taken back. */
  readonly to?: 'steering' | undefined
}

/** The commands of a user. */
export type Commands = Pick<
  Agent,
  | 'prompt'
  | 'continue'
  | 'regenerate'
  | 'abort'
  | 'isRunning'
  | 'steer'
  | 'followUp'
  | 'clearQueues'
  | 'takeQueued'
  | 'addToolResult'
  | 'respondToApproval'
  | 'cancelTool'
  | 'retryTool'
  | 'moveHead'
  | 'configure'
> & {
  /**
   * Loads the code that a command needs; `null` if it needs none. Once this has resolved, the command is written at
   * once or not at all.
   */
  readonly loadFor: (wish: {
    readonly command: string
    readonly output?: unknown
  }) => Promise<unknown> | null
}

/** How a call is answered. */
type ResultOptions<Name extends string, Failed extends boolean> = {
  /** The name of the tool that is called: it gives the result its type, and is checked. */
  readonly toolName?: Name | undefined
  /** The result says why there is no output. It need not fit the tool's `outputSchema`. Default `false`. */
  readonly isError?: Failed
}

/** The answers that a call of one of these tools may get. */
type AnswerOf<T extends Tool, Name extends string> = T extends Tool
  ? Name extends T['name']
    ? ToolAnswer<T>
    : never
  : never

/** How a call is run once more. */
type RetryToolOptions<Name extends string, Args> = RunOptions & {
  /** The name of the tool that is called: it gives the arguments their type, and is checked. */
  readonly toolName?: Name
  /** Arguments in place of those that the call had. The model still reads those that it wrote. */
  readonly args?: Args
}

/** The arguments that the tools of these names take; any object where the names are not known. */
type ArgsOf<T extends Tool, Name extends string> = string extends Name
  ? JsonObject
  : T extends Tool
    ? Name extends T['name']
      ? ToolArgs<T>
      : never
    : never

/** How a listener gets events. */
type SubscribeOptions = {
  /** `'call'`: ends of calls come in call order, after all calls of the answer are done. Default `'completion'`. */
  readonly endOrder?: 'completion' | 'call'
}

/** Which events an iteration gives, and what ends it. */
type EventsOptions = {
  /** Leave out durable events up to and including this number. */
  readonly after?: number
  readonly signal?: AbortSignal
}
