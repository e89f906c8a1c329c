import { untilAborted } from '../internal/abort.ts'
import type { Environment } from '../internal/environment.ts'
import type { JsonObject } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Ending } from '../kernel/ending.ts'
import { endOfCall } from '../kernel/ending.ts'
import { openCall } from '../kernel/state.ts'
import type { Artifacts } from '../storage/artifacts.ts'
import type { Resources, Tool } from '../tools/definition.ts'
import type { CallListener, Execution, Settlement } from '../tools/host.ts'
import { reasonOf } from '../tools/tool-error.ts'
import { validateInput } from '../tools/validate-input.ts'
import type { EffectScope, Performance } from './effects.ts'
import type { Release, Slots } from './slots.ts'

/** A killed worker that was busy may run on for this long in Chromium; until then its slot is taken. */
const afterlifeMs = 2000

export interface RunCallPorts {
  readonly toolCallId: string
  readonly attempt: number
  readonly args: JsonObject
  readonly tool: Tool
  readonly open: () => Execution
  readonly slots: Slots
  readonly artifacts: Artifacts
  readonly environment: Environment
  readonly maxToolResultChars: number
}

/** Runs one call in an execution of its own, from waiting for a slot to its end. */
export function runCall(scope: EffectScope, ports: RunCallPorts): Performance {
  const controller = new AbortController()
  const live: LiveCall = { scope, ports, signal: controller.signal, stopped: null, execution: null }
  void perform(live)
  return {
    update: (effect) => {
      if (effect.type === 'run_call' && effect.stop) stop(live, 'cancelled')
    },
    // Also when its end is written: this is where every execution is closed.
    giveUp: () => {
      controller.abort()
      live.execution?.close()
    },
  }
}

interface LiveCall {
  readonly scope: EffectScope
  readonly ports: RunCallPorts
  readonly signal: AbortSignal
  /** Why it was asked to stop; the first reason counts. */
  stopped: 'cancelled' | 'timed_out' | null
  execution: Execution | null
}

function stop(live: LiveCall, why: 'cancelled' | 'timed_out'): void {
  if (live.stopped) return
  live.stopped = why
  live.execution?.stop()
}

async function perform(live: LiveCall): Promise<void> {
  const { slots } = live.ports
  let release: Release | undefined
  try {
    release = await slots.acquire(live.signal)
    const ending = await dispatch(live)
    release(wasKilled(live, ending) ? { afterMs: afterlifeMs } : undefined)
    if (ending) writeEnd(live, ending)
  } catch (error) {
    release?.()
    writeEnd(live, { kind: 'not_started', message: messageOf(error) })
  }
}

// A ready worker first, then the durable fact that the call may have run, then the call itself: a call
// without that fact provably did nothing.
async function dispatch(live: LiveCall): Promise<Ending | null> {
  const { scope, ports, signal } = live
  const { toolCallId, attempt, args, environment } = ports
  signal.throwIfAborted()
  const execution = ports.open()
  live.execution = execution
  await untilAborted(execution.ready, signal)
  const resources = await untilAborted(resourcesOf(ports), signal)
  if ('kind' in resources) return resources
  const executionId = environment.newId('exec')
  if (!scope.commit({ type: 'tool_dispatched', toolCallId, attempt, executionId })) return null
  const request = {
    executionId,
    toolCallId,
    attempt,
    input: args,
    toolName: ports.tool.name,
    resources: resources.value,
  }
  const timer = createTimeout(live)
  try {
    const listener = listenerOf(live, executionId, timer.start)
    return endingOf(live, await untilAborted(execution.run(request, listener), signal))
  } finally {
    timer.clear()
  }
}

type ResourcesReading = { readonly value: Resources } | Extract<Ending, { kind: 'threw' }>

async function resourcesOf({ tool, args }: RunCallPorts): Promise<ResourcesReading> {
  if (!tool.resources) return { value: {} }
  try {
    const input = await validateInput(tool, structuredClone(args))
    return { value: input.ok ? await tool.resources(input.value) : {} }
  } catch (error) {
    return { kind: 'threw', errorKind: reasonOf(error), message: messageOf(error) }
  }
}

interface Timeout {
  readonly start: () => void
  readonly clear: () => void
}

function createTimeout(live: LiveCall): Timeout {
  const { tool, environment } = live.ports
  let clear = (): void => {}
  return {
    start: () => {
      if (tool.timeoutMs === null) return
      clear = environment.clock.setTimer(tool.timeoutMs, () => stop(live, 'timed_out'))
    },
    clear: () => clear(),
  }
}

function listenerOf(live: LiveCall, executionId: string, started: () => void): CallListener {
  const { scope, ports } = live
  const { toolCallId, attempt } = ports
  const named = { toolCallId, toolName: ports.tool.name }
  // Code that speaks runs, whether it has said so or not; and it begins once.
  let hasBegun = false
  const begin = (): void => {
    if (hasBegun) return
    hasBegun = true
    if (scope.commit({ type: 'tool_running', toolCallId, attempt, executionId })) started()
  }
  return {
    running: begin,
    update: (partialResult) => {
      begin()
      scope.commit({ type: 'tool_execution_update', ...named, partialResult })
    },
    progress: (progress) => {
      begin()
      scope.commit({ type: 'tool_progress', ...named, ...progress })
    },
    log: (lines, dropped) => {
      begin()
      scope.commit({ type: 'tool_log', toolCallId, lines, dropped })
    },
    custom: (name, data) => {
      begin()
      scope.commit({ type: 'tool_custom', ...named, name, data })
    },
  }
}

function endingOf({ ports, stopped }: LiveCall, settlement: Settlement): Ending {
  switch (settlement.kind) {
    case 'returned': {
      const { artifacts, ...result } = settlement.result
      if (!artifacts) return { kind: 'returned', result }
      return {
        kind: 'returned',
        result: { ...result, artifacts: artifacts.map(ports.artifacts.put) },
      }
    }
    case 'threw':
    case 'crashed':
      return settlement
    case 'stopped':
      return stopped === 'timed_out'
        ? { kind: 'timed_out', how: settlement.how, timeoutMs: ports.tool.timeoutMs ?? 0 }
        : { kind: 'cancelled', how: settlement.how }
  }
}

function wasKilled({ ports }: LiveCall, ending: Ending | null): boolean {
  return (
    ports.tool.place === 'worker' &&
    ending !== null &&
    'how' in ending &&
    ending.how === 'terminated'
  )
}

function writeEnd({ scope, ports }: LiveCall, ending: Ending): void {
  const call = openCall(scope.state(), ports.toolCallId)
  if (!call) return
  const end: Draft = endOfCall(call, ending, ports.maxToolResultChars)
  scope.commit(end)
}
