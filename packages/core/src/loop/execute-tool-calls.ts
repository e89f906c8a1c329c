import { isAgentHost } from '../agent/agent-host.ts'
import { createEngine, type Engine } from '../agent/engine.ts'
import type { AgentOptions } from '../agent/options.ts'
import { optionsOf } from '../agent/options-of.ts'
import type { UserInput } from '../agent/prompt.ts'
import { type HostedTool, hookList, resolveCallSettings, type Settings } from '../agent/settings.ts'
import { checkFunctions, oneOf } from '../internal/check-value.ts'
import { type Environment, platformEnvironment } from '../internal/environment.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Place, QueuedInput } from '../kernel/events.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import type { AssistantMessage, ToolCallContent, ToolResultMessage } from '../kernel/message.ts'
import { startOf } from '../kernel/outside-run.ts'
import type { ExecutionResult } from '../kernel/tool-outcome.ts'
import { inCallOrder } from '../runtime/call-order.ts'
import type { AgentHooks } from '../runtime/hooks.ts'
import { type Approve, answerApprovals } from './answer-approvals.ts'
import { askBetweenUnits } from './ask-between-units.ts'
import { type CallingMessage, readCalls } from './calling-message.ts'
import { isOfCalls, only, type ToolCallEvent } from './own-events.ts'
import { singleRun } from './single-run.ts'

/** The hooks for calls. */
export type ToolHooks = Pick<AgentHooks, 'beforeToolCall' | 'afterToolCall'>

type SharedOptions = Pick<
  AgentOptions,
  | 'tools'
  | 'context'
  | 'toolExecution'
  | 'toolEvents'
  | 'updateIntervalMs'
  | 'maxConcurrency'
  | 'maxCallsPerTurn'
  | 'maxToolResultChars'
  | 'abortGraceMs'
  | 'hookTimeoutMs'
>

/** What to run, and how. Only `message` is required; the options that an agent has, too, mean the same here. */
export interface ExecuteToolCallsOptions extends SharedOptions {
  readonly message: CallingMessage
  /** Stops every call. The promise still resolves: what did not end by then is cancelled. */
  readonly signal?: AbortSignal
  /** Called with every event of the calls as it happens. Nothing that it does or throws changes the calls. */
  readonly onEvent?: (event: ToolCallEvent) => void
  /**
   * `'call'`: ends come in call order, after all calls are done. `'completion'`: each as its call ends.
   * Default `'call'`.
   */
  readonly endOrder?: 'completion' | 'call'
  /** Your functions that see each call before and after it runs. Several run in order. */
  readonly hooks?: ToolHooks | readonly ToolHooks[]
  /**
   * Says whether a call that needs it may run; only `true` lets it. Without this, and when it throws, such calls are
   * denied. It may take as long as a person does.
   */
  readonly approve?: Approve
  /**
   * Returns the user's messages since its last call. It is called once after all calls, and, where they do not all run
   * at once, also between two units: a message there skips the calls that have not started. It may take as long as a
   * hook (`hookTimeoutMs`), and an abort ends the waiting. An error that it throws is reported as uncaught, and counts
   * as no messages.
   */
  readonly getSteeringMessages?: () => readonly UserInput[] | Promise<readonly UserInput[]>
}

/** The results of the calls of one answer. */
export interface ExecutedToolCalls {
  /** One result for each call, in call order, exactly as the model should read it. */
  readonly toolResults: readonly ToolResultMessage[]
  /** How each call ended, in call order: for people and programs. */
  readonly executionResults: readonly ExecutionResult[]
  /** The user's messages meanwhile, oldest first; `null` for none. You have to deliver them. */
  readonly steeringMessages: readonly QueuedInput[] | null
  /** The bytes of an artifact that a tool returned: the events name them. */
  readonly getArtifact: (artifactId: string) => Blob | undefined
}

/**
 * Runs the calls of one answer in a loop of your own, with the code that agents run them with: every call is checked,
 * runs in its place, and gets exactly one result, whatever it does. At the end no worker, timer or listener is left.
 *
 * Failures and aborts are results. Only misuse rejects, with a `TypeError` and before anything runs: a message that
 * is no answer, two calls of one id, options out of range. A call of a tool with place `'client'` has an error result:
 * there is no user interface here to answer it.
 *
 * @example
 * ```ts
 * const { toolResults, steeringMessages } = await executeToolCalls({
 *   message: answer,
 *   tools: inWorkers([countPrimes], startWorker),
 *   onEvent: (event) => show(event),
 * })
 * history.push(answer, ...toolResults)
 * ```
 */
export function executeToolCalls(options: ExecuteToolCallsOptions): Promise<ExecutedToolCalls> {
  return executeToolCallsIn(options, platformEnvironment)
}

/** `executeToolCalls` in a given environment: for tests. */
export async function executeToolCallsIn(
  options: ExecuteToolCallsOptions,
  environment: Environment,
): Promise<ExecutedToolCalls> {
  const { message, signal, getSteeringMessages } = optionsOf(options)
  checkFunctions(options, ['onEvent', 'approve', 'getSteeringMessages'])
  const { clock, newId } = environment
  const content = readCalls(message)
  const settings = settingsOf(options)
  oneOf('endOrder', ['completion', 'call'], options.endOrder)
  const { kernel, hookTimeoutMs: timeoutMs } = settings
  for (const call of content) refuseUnfit(call, settings.tools.get(call.toolName))
  const steering =
    getSteeringMessages &&
    askBetweenUnits(getSteeringMessages, { kernel, timeoutMs, clock, signal })
  const engine = createEngine({
    sessionId: newId('session'),
    settings: () => settings,
    environment,
    decide: steering?.decide,
  })
  steering?.askDuring(engine)
  const start = startAfter({ ...message, id: message.id ?? newId('msg'), content }, kernel)
  const done = content.length > 0 ? await runCalls(engine, start, options) : nothing
  const steeringMessages = (await steering?.finish()) ?? null
  return { ...done, steeringMessages, getArtifact: engine.artifacts.get }
}

type Done = Pick<ExecutedToolCalls, 'toolResults' | 'executionResults'>

const nothing: Done = { toolResults: [], executionResults: [] }

async function runCalls(
  engine: Engine,
  start: readonly Draft[],
  { signal, onEvent, approve, endOrder }: ExecuteToolCallsOptions,
): Promise<Done> {
  let executionResults: readonly ExecutionResult[] = []
  const { subscribe } = engine.notifier
  subscribe((event) => {
    const isOwn = event.agentId === undefined
    if (isOwn && event.type === 'tools_end') ({ executionResults } = event)
  })
  answerApprovals(engine, approve)
  const listener = only(isOfCalls, onEvent)
  subscribe(endOrder === 'completion' ? listener : inCallOrder(listener))
  const { messages } = await singleRun(engine, start, signal)
  const toolResults = messages.filter((message) => message.role === 'toolResult')
  return { toolResults, executionResults }
}

type Answer = Partial<AssistantMessage> & Pick<AssistantMessage, 'id' | 'content'>

/** The start of a run that has this answer already. */
function startAfter(answer: Answer, config: KernelConfig): readonly Draft[] {
  const { parentId = null, model = config.model, stopReason = 'tool_use', id, content } = answer
  const message = { id, parentId, role: 'assistant', content, model, stopReason } as const
  return [
    startOf('continue', config),
    { type: 'turn_start' },
    { type: 'message_start', message },
    { type: 'message_end', message },
  ]
}

/** Checks the options. They are taken one by one: other options of an agent count for nothing here. */
function settingsOf(options: ExecuteToolCallsOptions): Settings {
  const { tools, context, toolExecution, toolEvents, hookTimeoutMs, hooks } = options
  const { updateIntervalMs } = options
  const { maxConcurrency, maxCallsPerTurn, maxToolResultChars, abortGraceMs } = options
  const settings = resolveCallSettings({
    ...{ tools, context, toolExecution, toolEvents, updateIntervalMs, hookTimeoutMs },
    ...{ maxConcurrency, maxCallsPerTurn, maxToolResultChars, abortGraceMs },
    hooks: hookList(hooks).map(toolHooks),
    maxTurns: 1,
    loopDetection: null,
  })
  for (const { host } of settings.tools.values()) {
    if (isAgentHost(host) && host.hasModel) host.validate(settings.options)
  }
  return { ...settings, kernel: { ...settings.kernel, tools: withoutClients(settings) } }
}

// A call that waits for the page would wait for ever. Run as one of the page's own code, it fails as that is missing.
function withoutClients({ kernel }: Settings): KernelConfig['tools'] {
  const infos = [...kernel.tools].map(([name, info]) => {
    const place: Place = info.place === 'client' ? 'page' : info.place
    return [name, { ...info, place }] as const
  })
  return new Map(infos)
}

// There is no prompt and no request here, so hooks for those are never called.
function toolHooks({ beforeToolCall, afterToolCall }: ToolHooks): ToolHooks {
  return { ...(beforeToolCall && { beforeToolCall }), ...(afterToolCall && { afterToolCall }) }
}

function refuseUnfit({ toolName }: ToolCallContent, hosted?: HostedTool): void {
  if (hosted && isAgentHost(hosted.host) && !hosted.host.hasModel) {
    throw new TypeError(
      `The agent "${toolName}" has no model, and there is no agent around it. Pass one: agentTool({ agent: { model } }).`,
    )
  }
}
