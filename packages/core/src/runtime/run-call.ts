import { abandoned, untilAborted } from '../internal/abort.ts'
import { defined } from '../internal/defined.ts'
import type { Environment } from '../internal/environment.ts'
import type { JsonObject } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import { pause } from '../internal/pause.ts'
import { withTimeout } from '../internal/with-timeout.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Ending } from '../kernel/ending.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import { openCall } from '../kernel/state.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import { endsOfCall, retryOfCall } from '../kernel/tool-retry.ts'
import type { Artifacts } from '../storage/artifacts.ts'
import { checkArgs } from '../tools/check-args.ts'
import type { Resources, Tool } from '../tools/definition.ts'
import type { Execution, ReturnedResult, Settlement } from '../tools/host.ts'
import { runsInWorker } from '../tools/host-tools.ts'
import { isResources } from '../tools/protocol.ts'
import { settleThrown } from '../tools/result/settle-returned.ts'
import { listenToCall } from './call-listener.ts'
import type { Release, Slots } from './call-slots.ts'
import { createCallTimeout } from './call-timeout.ts'
import { endingFacts } from './finish-call.ts'
import type { HookPorts } from './hooks.ts'
import { keepArtifacts } from './keep-artifacts.ts'
import type { Pace } from './pace.ts'
import type { EffectHandle, EffectScope } from './running-effects.ts'
import type { Stopwatch } from './stopwatch.ts'

/** Milliseconds that a busy worker may run on in Chromium after it was terminated; until then its slot is taken. */
const afterlifeMs = 2000

export interface RunCallPorts extends HookPorts {
  readonly toolCallId: string
  readonly attempt: number
  /** Milliseconds to wait first, because an earlier attempt failed. */
  readonly delayMs: number
  readonly args: JsonObject
  /** Whether the tool's code is first asked what became of the attempt that was cut off with its page. */
  readonly isCheck: boolean
  readonly tool: Tool
  readonly open: () => Execution
  readonly slots: Pick<Slots, 'acquire'>
  readonly artifacts: Artifacts
  readonly environment: Environment
  readonly stopwatch: Stopwatch
  readonly pace: Pace
  readonly config: KernelConfig
  /** What the agent was given for the code of its tools. */
  readonly context: unknown
  /** Whether ephemeral events between start and end are written (`toolEvents`). */
  readonly tellsProgress: boolean
  /** The interval, in milliseconds, for tools without one of their own. */
  readonly updateIntervalMs: number
}

/** Runs one call in an execution of its own: waits for a slot, dispatches it, writes its end. */
export function runCall(scope: EffectScope, ports: RunCallPorts): EffectHandle {
  const controller = new AbortController()
  const { signal } = controller
  const stopping = new AbortController()
  const live: LiveCall = { scope, ports, signal, stopping, stopped: null, execution: null }
  void runLive(live)
  return {
    update: (effect) => {
      if (effect.type === 'run_call' && effect.stop) stop(live, 'cancelled')
    },
    // Also called once the end is written, so every execution is closed here.
    cancel: () => {
      controller.abort(abandoned)
      stopping.abort(abandoned)
      live.execution?.close()
    },
  }
}

interface LiveCall {
  readonly scope: EffectScope
  readonly ports: RunCallPorts
  /** Fires when the effect of the call is cancelled. */
  readonly signal: AbortSignal
  /** Fires when the call is asked to stop; hooks are not waited for then. */
  readonly stopping: AbortController
  /** Why the call was asked to stop; the first reason counts. */
  stopped: 'cancelled' | 'timed_out' | null
  execution: Execution | null
}

function stop(live: LiveCall, why: 'cancelled' | 'timed_out'): void {
  if (live.stopped) return
  live.stopped = why
  live.stopping.abort(abandoned)
  live.execution?.stop()
}

async function runLive(live: LiveCall): Promise<void> {
  const { slots, stopwatch, toolCallId, delayMs, environment } = live.ports
  let release: Release | undefined
  try {
    if (delayMs > 0) await pause(delayMs, environment.clock, live.signal)
    release = await slots.acquire(live.signal)
    stopwatch.noteOpening(toolCallId)
    const ending = await dispatch(live)
    release(mayRunOn(live, ending) ? { afterMs: afterlifeMs } : undefined)
    if (ending) await writeEnd(live, ending)
  } catch (error) {
    release?.(hasWorker(live) ? { afterMs: afterlifeMs } : undefined)
    await writeEnd(live, { kind: 'not_started', message: messageOf(error) })
  }
}

// The order matters: a ready worker, then the durable fact that the call may have run, then the call itself. So a
// call without that fact provably did nothing.
async function dispatch(live: LiveCall): Promise<Ending | null> {
  const { scope, ports, signal } = live
  const { toolCallId, attempt, args, environment, stopwatch, tellsProgress } = ports
  signal.throwIfAborted()
  const execution = ports.open()
  live.execution = execution
  await untilAborted(execution.ready, signal)
  const resources = await resourcesInTime(live)
  if ('kind' in resources) return resources
  // The code may have broken while it waited for the resources.
  if (ports.tool.resources) await untilAborted(execution.ready, signal)
  const executionId = environment.newId('exec')
  if (!scope.commit({ type: 'tool_dispatched', toolCallId, attempt, executionId })) return null
  // The fact has to be stored first: after a crash the log has to say that the call may have run.
  await untilAborted(scope.stored(), live.stopping.signal).catch(() => {})
  signal.throwIfAborted()
  if (live.stopped) return { kind: 'cancelled', how: 'cooperative' }
  const request = {
    executionId,
    toolCallId,
    attempt,
    input: args,
    ...(ports.isCheck && { isCheck: true as const }),
    toolName: ports.tool.name,
    resources: resources.value,
    updateIntervalMs: ports.tool.updateIntervalMs ?? ports.updateIntervalMs,
    ...defined({ context: ports.context }),
  }
  const timeout = createCallTimeout(ports, () => stop(live, 'timed_out'))
  try {
    // This limit is for checking the input and loading the code; `onRunning` starts that of the tool's own time.
    timeout.restart()
    const listener = listenToCall(scope, {
      ...{ toolCallId, attempt, executionId, tellsProgress },
      toolName: ports.tool.name,
      onRunning: () => {
        stopwatch.noteRunning(toolCallId)
        timeout.restart()
      },
    })
    const settlement = await untilAborted(execution.run(request, listener), signal)
    stopwatch.noteSettled(toolCallId)
    return endingOf(live, settlement)
  } finally {
    timeout.clear()
  }
}

type ResourcesReading = { readonly value: Resources } | Extract<Ending, { kind: 'threw' }>

function resourcesInTime({ ports, signal }: LiveCall): Promise<ResourcesReading> {
  const { tool, environment } = ports
  const reading = untilAborted(resourcesOf(ports), signal)
  if (tool.timeoutMs === null) return reading
  const late = () => new Error('its resources took too long')
  return withTimeout(reading, tool.timeoutMs, { clock: environment.clock, late })
}

async function resourcesOf({ tool, args }: RunCallPorts): Promise<ResourcesReading> {
  if (!tool.resources) return { value: {} }
  try {
    const input = await checkArgs(tool, structuredClone(args))
    const value = input.ok ? await tool.resources(input.value) : {}
    if (isResources(value)) return { value }
    throw new TypeError(
      `The resources of "${tool.name}" must be an object of Blobs, ArrayBuffers, ImageBitmaps or WebAssembly modules. It did not run.`,
    )
  } catch (error) {
    return settleThrown(error)
  }
}

function endingOf({ ports, stopped }: LiveCall, settlement: Settlement): Ending {
  switch (settlement.kind) {
    case 'returned': {
      const { terminate, ...rest } = settlement.result
      const { place, mayTerminate } = ports.tool
      const mayEnd = place !== 'isolated' || mayTerminate
      return keep({ ...rest, ...(terminate && mayEnd && { terminate }) }, ports.artifacts)
    }
    case 'threw':
      if (settlement.errorKind !== 'interrupted') return settlement
      // Code reports that it was interrupted only if it was asked what became of an earlier attempt.
      return ports.isCheck ? { kind: 'interrupted' } : { ...settlement, errorKind: 'failed' }
    case 'crashed':
      return settlement
    case 'stopped':
      return stopped === 'timed_out'
        ? { kind: 'timed_out', how: settlement.how, timeoutMs: ports.tool.timeoutMs ?? 0 }
        : { kind: 'cancelled', how: settlement.how }
  }
}

function keep(result: ReturnedResult, artifacts: Artifacts): Ending {
  try {
    return { kind: 'returned', result: keepArtifacts(result, artifacts) }
  } catch (error) {
    return { kind: 'threw', errorKind: 'limit', message: messageOf(error) }
  }
}

// A worker whose code has ended is idle and ends at once; any other may be busy when it is terminated.
function mayRunOn({ ports }: LiveCall, ending: Ending | null): boolean {
  if (!runsInWorker(ports.tool) || !ending) return false
  return ending.kind === 'crashed' || ('how' in ending && ending.how === 'terminated')
}

function hasWorker({ ports, execution }: LiveCall): boolean {
  return runsInWorker(ports.tool) && execution !== null
}

async function writeEnd(live: LiveCall, ending: Ending): Promise<void> {
  const { scope, ports } = live
  await ports.pace(scope.state().batch)
  const call = openCall(scope.state(), ports.toolCallId)
  if (!call) return
  const retry = ending.kind !== 'interrupted' && retryOfCall(call, ending, ports.config)
  const facts = retry ? [retry] : await lastFacts(live, call, ending)
  const isWritten = scope.commit(...facts)
  dropUnnamed(ending, isWritten ? facts : [], ports.artifacts)
}

// Frees the bytes of a result whose facts were not written, or that a hook has replaced.
function dropUnnamed(ending: Ending, facts: readonly Draft[], artifacts: Artifacts): void {
  if (ending.kind !== 'returned') return
  const named = facts.flatMap((fact) =>
    fact.type === 'tool_execution_end' ? (fact.result.artifacts ?? []) : [],
  )
  const ids = new Set(named.map(({ artifactId }) => artifactId))
  for (const { artifactId } of ending.result.artifacts ?? []) {
    if (!ids.has(artifactId)) artifacts.drop(artifactId)
  }
}

async function lastFacts(
  live: LiveCall,
  call: ToolCall,
  ending: Ending,
): Promise<readonly Draft[]> {
  const { ports, stopping, signal } = live
  const maxChars = ports.maxToolResultChars
  // Hooks see only what the tool itself gave, and are not waited for once the call is stopped.
  const isOwn = ending.kind === 'returned' || ending.kind === 'threw'
  if (!isOwn || !ports.hooks.some((hook) => hook.afterToolCall))
    return endsOfCall(call, ending, maxChars)
  const facts = await endingFacts(call, ending, {
    ...ports,
    signal: AbortSignal.any([signal, stopping.signal]),
  })
  return live.stopped === 'cancelled'
    ? endsOfCall(call, { kind: 'cancelled', how: 'cooperative' }, maxChars)
    : facts
}
