import { isAgentHost } from '../agent/agent-host.ts'
import type { Agent } from '../agent/create-agent.ts'
import { createAgentIn } from '../agent/create-agent.ts'
import type { AgentOptions } from '../agent/options.ts'
import type { HostedTool } from '../agent/settings.ts'
import { settle } from '../agent/settings.ts'
import type { Environment } from '../internal/environment.ts'
import { platformEnvironment } from '../internal/environment.ts'
import type { QueuedInput } from '../kernel/events.ts'
import type { ToolCallContent, ToolResultMessage } from '../kernel/message.ts'
import type { ExecutionResult } from '../kernel/tool-result.ts'
import type { AgentHooks } from '../runtime/hooks.ts'
import type { Approve } from './answer-approvals.ts'
import { answerApprovals } from './answer-approvals.ts'
import type { CallingMessage } from './calling-message.ts'
import { finishOf, readCalls } from './calling-message.ts'
import type { ToolCallEvent } from './own-events.ts'
import { isOfCalls, only } from './own-events.ts'
import { collectSteering } from './own-steering.ts'
import { privateEnvironment } from './private-environment.ts'
import { replayModel } from './replay-model.ts'

/** The hooks that see calls. */
export type ToolHooks = Pick<AgentHooks, 'beforeToolCall' | 'afterToolCall'>

type SharedOptions = Pick<
  AgentOptions,
  | 'tools'
  | 'toolExecution'
  | 'toolEvents'
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
  /** Told of every event of the calls as it happens. Whatever it does, it cannot influence them. */
  readonly onEvent?: (event: ToolCallEvent) => void
  /**
   * `'call'`: ends come in call order, after all calls are done. `'completion'`: each as its call ends.
   * Default `'call'`.
   */
  readonly endOrder?: 'completion' | 'call'
  /** Functions of yours that see each call before and after it runs. Several run in order. */
  readonly hooks?: ToolHooks | readonly ToolHooks[]
  /**
   * Says whether a call that needs it may run; only `true` lets it. Without this, and when it throws, such calls are
   * denied. It may take as long as a person does.
   */
  readonly approve?: Approve
  /**
   * Gives what the user said since it was last asked: once after all calls, and where they do not all run at once
   * also between them: anything said there skips the calls that have not started. It may take as long as a hook, and
   * an abort ends the asking. What it throws is reported as an uncaught error and counts as nothing said.
   */
  readonly getSteeringMessages?: () => readonly QueuedInput[] | Promise<readonly QueuedInput[]>
}

/** What the calls of one answer gave. */
export interface ExecutedToolCalls {
  /** One for each call, in call order, exactly as the model should read it. */
  readonly toolResults: readonly ToolResultMessage[]
  /** How each call ended, in call order: for people and programs. */
  readonly executionResults: readonly ExecutionResult[]
  /** What the user said meanwhile, oldest first; `null` for nothing. It is for you to deliver. */
  readonly steeringMessages: readonly QueuedInput[] | null
  /** The bytes of an artifact that a tool returned: the events name them. */
  readonly getArtifact: (artifactId: string) => Blob | undefined
}

/**
 * Runs the calls of one answer in a loop of your own, by the code of an agent: every call is checked, runs in its
 * place, and gets exactly one result, whatever it does. At the end no worker, timer or listener is left.
 *
 * Failures and aborts are results. Only misuse rejects, with a `TypeError` and before anything runs: a message that
 * is no answer, two calls of one id, a call of a tool with place `'client'`, options out of range.
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

/** `executeToolCalls` with time, ids and chance of one's own: for tests. */
export async function executeToolCallsIn(
  options: ExecuteToolCallsOptions,
  environment: Environment,
): Promise<ExecutedToolCalls> {
  const { message, signal, getSteeringMessages } = options
  const calls = readCalls(message)
  const steering = getSteeringMessages && collectSteering(getSteeringMessages)
  const agentOptions = optionsOf(options, calls)
  const { tools, hookTimeoutMs: timeoutMs } = settle(agentOptions, steering !== undefined)
  for (const call of calls) refuseUnfit(call, tools.get(call.toolName))
  const agent = createAgentIn(agentOptions, {
    // The answer is whole: what may not run need not be started.
    opensEarly: false,
    ...privateEnvironment(environment, givenIds(message, { calls, environment })),
    ...(steering && { pollSteering: steering.poll }),
  })
  const done = calls.length > 0 ? await run(agent, options) : nothing
  const { clock } = environment
  const steeringMessages = (await steering?.finish({ timeoutMs, clock, signal })) ?? null
  return { ...done, steeringMessages, getArtifact: agent.getArtifact }
}

type Done = Pick<ExecutedToolCalls, 'toolResults' | 'executionResults'>

const nothing: Done = { toolResults: [], executionResults: [] }

async function run(agent: Agent, options: ExecuteToolCallsOptions): Promise<Done> {
  const { signal, onEvent, approve, endOrder = 'call' } = options
  let executionResults: readonly ExecutionResult[] = []
  const stop = (): void => agent.abort()
  agent.subscribe((event) => {
    // The last one is that of these calls: an agent inside a call ends before its call does.
    if (event.type === 'tools_end') ({ executionResults } = event)
    if (event.type !== 'message_end' || event.message.role !== 'assistant') return
    // Not earlier: an answer that is cut off has no calls, and each call is to get its result.
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop)
  })
  answerApprovals(agent, approve)
  agent.subscribe(only(isOfCalls, onEvent), { endOrder })
  try {
    const { messages } = await agent.prompt('Run the calls.')
    const toolResults = messages.filter((message) => message.role === 'toolResult')
    return { toolResults, executionResults }
  } finally {
    signal?.removeEventListener('abort', stop)
    agent.dispose()
  }
}

function optionsOf(
  options: ExecuteToolCallsOptions,
  calls: readonly ToolCallContent[],
): AgentOptions {
  const { message, hooks = [], tools, toolExecution, toolEvents, hookTimeoutMs } = options
  const { maxConcurrency, maxCallsPerTurn, maxToolResultChars, abortGraceMs } = options
  // One by one: whoever passes on all options of an agent does not want its session written to.
  return {
    model: replayModel(calls, finishOf(message)),
    maxTurns: 1,
    loopDetection: null,
    hooks: (isList(hooks) ? hooks : [hooks]).map(toolHooks),
    ...(tools !== undefined && { tools }),
    ...(toolExecution !== undefined && { toolExecution }),
    ...(toolEvents !== undefined && { toolEvents }),
    ...(hookTimeoutMs !== undefined && { hookTimeoutMs }),
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(maxCallsPerTurn !== undefined && { maxCallsPerTurn }),
    ...(maxToolResultChars !== undefined && { maxToolResultChars }),
    ...(abortGraceMs !== undefined && { abortGraceMs }),
  }
}

function isList(hooks: ToolHooks | readonly ToolHooks[]): hooks is readonly ToolHooks[] {
  return Array.isArray(hooks)
}

// No prompt was submitted and no request is made: hooks for those have nothing to see.
function toolHooks({ beforeToolCall, afterToolCall }: ToolHooks): ToolHooks {
  return { ...(beforeToolCall && { beforeToolCall }), ...(afterToolCall && { afterToolCall }) }
}

interface Given {
  readonly calls: readonly ToolCallContent[]
  readonly environment: Environment
}

// The results hang on the answer as its caller knows it: the agent's first message is a prompt, its second the answer.
function givenIds({ id }: CallingMessage, { calls, environment }: Given) {
  const call = calls.map(({ toolCallId }) => toolCallId)
  return id === undefined ? { call } : { call, msg: [environment.newId('msg'), id] }
}

function refuseUnfit({ toolCallId, toolName }: ToolCallContent, hosted?: HostedTool): void {
  if (!hosted) return
  const { tool, host } = hosted
  if (tool.place === 'client') {
    throw new TypeError(
      `The call ${toolCallId} is for "${toolName}", which the user interface answers (place 'client'). Leave it out of the message and answer it yourself.`,
    )
  }
  if (isAgentHost(host) && !host.hasModel) {
    throw new TypeError(
      `The agent "${toolName}" has no model, and there is no agent around it. Pass one: agentTool({ agent: { model } }).`,
    )
  }
}
