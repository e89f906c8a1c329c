import { untilAborted } from '../internal/abort.ts'
import type { Draft } from '../kernel/draft.ts'
import { startOf } from '../kernel/outside-run.ts'
import type { Queues } from '../kernel/state.ts'
import { cancelCall, resolveApproval, stageResult } from './calls.ts'
import type { Agent } from './handle.ts'
import { continueStart, moveTo, queueInput, regenerateFrom } from './history.ts'
import type { AgentParts } from './parts.ts'
import { partsOf } from './prompt.ts'
import type { RunResult } from './run.ts'
import { abortRun, failedRun, resultOfRun, startRun } from './run.ts'
import { AgentBusyError } from './usage-errors.ts'

/** What a user can tell an agent to do. */
export type Commands = RunCommands &
  QueueCommands &
  CallCommands &
  Pick<Agent, 'moveHead' | 'configure'>

type RunCommands = Pick<Agent, 'prompt' | 'continue' | 'regenerate' | 'abort' | 'isRunning'>
type QueueCommands = Pick<Agent, 'steer' | 'followUp' | 'clearQueues'>
type CallCommands = Pick<Agent, 'addToolResult' | 'respondToApproval' | 'cancelTool'>

interface CommandPorts {
  readonly parts: AgentParts
  readonly guards: Guards
  readonly disposal: AbortSignal
}

/** Checks commands against what is going on, and writes them. */
export function createCommands(parts: AgentParts, disposal: AbortSignal): Commands {
  const guards = createGuards(parts, disposal)
  const { requireOpen, requireRest, requireStorage } = guards
  const ports = { parts, guards, disposal }
  return {
    ...runCommands(ports),
    ...queueCommands(ports),
    ...callCommands(ports),
    moveHead: (messageId) => {
      requireOpen()
      requireRest('move the head')
      moveTo(parts, messageId)
    },
    configure: (changes) => {
      requireStorage()
      requireRest('configure')
      if ('storage' in changes || 'sessionId' in changes) {
        throw new TypeError('The session of an agent cannot be changed. Create a new agent for it.')
      }
      parts.configure(changes)
    },
  }
}

function runCommands({ parts, guards, disposal }: CommandPorts): RunCommands {
  const { runtime } = parts
  /** Stops what was said before the session is read. */
  let early = new AbortController()
  let starting = 0

  async function run(
    what: string,
    start: () => readonly Draft[],
    signal?: AbortSignal,
  ): Promise<RunResult> {
    const stop = parts.isOpen() ? signal : await stopOnceOpen(signal)
    if (stop && disposal.aborted) return resultOfRun([], undefined)
    const failed = parts.failure.error()
    if (failed) return failedRun([], failed)
    guards.requireRest(what)
    return startRun({ parts, disposal, signal: stop }, start())
  }

  async function stopOnceOpen(signal?: AbortSignal): Promise<AbortSignal> {
    const stop = AbortSignal.any([early.signal, ...(signal ? [signal] : [])])
    starting += 1
    await untilAborted(parts.opened, disposal).catch(() => {})
    starting -= 1
    return stop
  }

  return {
    prompt: async (input, { signal } = {}) => {
      const content = partsOf(input)
      return run('prompt', () => [startOf('prompt', parts.settings().kernel, content)], signal)
    },
    continue: ({ signal } = {}) => run('continue', () => [continueStart(parts)], signal),
    regenerate: ({ signal } = {}) => run('regenerate', () => regenerateFrom(parts), signal),
    abort: (reason) => {
      if (parts.isOpen()) return abortRun(runtime, reason)
      early.abort()
      early = new AbortController()
    },
    isRunning: () => starting > 0 || (!runtime.isStopped() && runtime.state().run !== null),
  }
}

function queueCommands({ parts, guards }: CommandPorts): QueueCommands {
  const { runtime } = parts
  function queue(name: keyof Queues, input: Parameters<Agent['steer']>[0]): void {
    const content = partsOf(input)
    guards.whenOpen(() => runtime.write(queueInput(runtime.state(), name, content)))
  }
  return {
    steer: (input) => queue('steering', input),
    followUp: (input) => queue('followUp', input),
    clearQueues: () =>
      guards.whenOpen(() => runtime.write({ type: 'queue_update', steering: [], followUp: [] })),
  }
}

function callCommands({ parts, guards }: CommandPorts): CallCommands {
  const { runtime, failure } = parts
  const { requireOpen, requireStorage } = guards
  return {
    addToolResult: async (toolCallId, result, { toolName, isError = false } = {}) => {
      if (!parts.isOpen()) await parts.opened
      requireStorage()
      await stageResult(parts, toolCallId, { result, toolName, isError, recheck: requireStorage })
      // It counts when it is stored: a person may not be asked twice.
      await untilAborted(runtime.stored(), failure.signal).catch(requireStorage)
    },
    respondToApproval: (toolCallId, response) => {
      requireOpen()
      resolveApproval(parts, toolCallId, response)
    },
    cancelTool: (toolCallId) => !runtime.isStopped() && cancelCall(parts, toolCallId),
  }
}

/** What has to hold before a command counts. Each throws an error that says what to do instead. */
interface Guards {
  /** No run is active. */
  readonly requireRest: (what: string) => void
  /** Something can still be written: what is said is not forgotten. */
  readonly requireStorage: () => void
  /** The session is read: what the command is about is known. */
  readonly requireOpen: () => void
  /** Does it now, or when the session is read. */
  readonly whenOpen: (command: () => void) => void
}

function createGuards(parts: AgentParts, disposal: AbortSignal): Guards {
  function requireStorage(): void {
    disposal.throwIfAborted()
    parts.failure.throwIfFailed()
  }
  return {
    requireRest: (what) => {
      disposal.throwIfAborted()
      if (!parts.runtime.state().run) return
      throw new AgentBusyError(
        `Cannot ${what} while a run is active. Wait for it, or abort() it first.`,
      )
    },
    requireStorage,
    requireOpen: () => {
      requireStorage()
      if (parts.isOpen()) return
      throw new AgentBusyError('The session is still being read. Wait for agent.ready first.')
    },
    whenOpen: (command) => {
      requireStorage()
      if (parts.isOpen()) command()
      else void parts.opened.then(command, () => {})
    },
  }
}
