import { untilAborted } from '../internal/abort.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Queues } from '../kernel/state.ts'
import { resolveApproval } from './approvals.ts'
import type { PromptOptions, RunOptions } from './ask.ts'
import { canCancel, ownerOf } from './calls.ts'
import type { Commands } from './handle.ts'
import {
  continueStart,
  itemOf,
  moveTo,
  promptStart,
  regenerateFrom,
  withoutQueued,
} from './history.ts'
import { callPart } from './late-calls.ts'
import { outputPart } from './late-output.ts'
import { optionsOf } from './options-of.ts'
import type { OutputOptions } from './output-schema.ts'
import type { AgentParts } from './parts.ts'
import { partsOf, type UserInput } from './prompt.ts'
import { abortRun, failedRun, type RunResult, resultOfRun, startRun } from './run.ts'
import type { RunWish, StartWish, Wish } from './session/wish.ts'
import { AgentBusyError } from './usage-errors.ts'

type RunCommands = Pick<
  Commands,
  'prompt' | 'continue' | 'regenerate' | 'retryTool' | 'abort' | 'isRunning'
>
type QueueCommands = Pick<Commands, 'steer' | 'followUp' | 'clearQueues' | 'takeQueued'>
type CallCommands = Pick<Commands, 'addToolResult' | 'respondToApproval' | 'cancelTool'>

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
    loadFor: ({ command, output }) => {
      if (command === 'retryTool') return callPart.load()
      return output === undefined ? null : outputPart.load()
    },
    moveHead: (messageId) => {
      requireOpen()
      if (guards.left({ command: 'moveHead', messageId })) return
      requireRest('move the head')
      moveTo(parts, messageId)
    },
    configure: (changes) => {
      requireStorage()
      requireRest('configure')
      optionsOf(changes)
      if ('storage' in changes || 'sessionId' in changes) {
        throw new TypeError('The session of an agent cannot be changed. Create a new agent for it.')
      }
      parts.configure(changes)
    },
  }
}

function runCommands({ parts, guards, disposal }: CommandPorts): RunCommands {
  const { runtime } = parts
  /** Aborts the prompts that were given before the session is read. */
  let early = new AbortController()
  let starting = 0

  async function run(
    wish: RunWish,
    signal: AbortSignal | undefined,
    start: () => readonly Draft[],
  ): Promise<RunResult<never>> {
    disposal.throwIfAborted()
    const stop = parts.isOpen() ? signal : await stopOnceOpen(signal)
    if (stop && disposal.aborted) return resultOfRun([])
    const failed = parts.failure.error()
    if (failed) return failedRun([], failed)
    const remote = parts.remote()
    if (remote) return remote.run(wish, stop)
    return startRun({ parts, disposal, signal: stop }, start())
  }

  const runAtRest = (wish: StartWish, signal: AbortSignal | undefined) =>
    run(wish, signal, () => {
      guards.requireRest(wish.command)
      return startOfRun(parts, wish)
    })

  async function ask(wish: StartWish, options: RunOptions & Partial<OutputOptions>) {
    const { signal, output } = optionsOf(options)
    if (output === undefined) return runAtRest(wish, signal)
    const { askForOutput } = outputPart.now() ?? (await outputPart.load())
    const { subscribe } = parts.publisher.store
    const source = { subscribe, state: runtime.state, signal, patience: parts.patience(disposal) }
    return askForOutput({ ...options, output }, source, (request) =>
      runAtRest({ ...wish, output: request }, signal),
    )
  }

  async function stopOnceOpen(signal?: AbortSignal): Promise<AbortSignal> {
    const stop = AbortSignal.any([early.signal, ...(signal ? [signal] : [])])
    starting += 1
    await untilAborted(parts.opened, disposal).catch(() => {})
    starting -= 1
    return stop
  }

  return {
    prompt: async (input: UserInput, options: PromptOptions = {}) =>
      ask({ command: 'prompt', input: partsOf(input), after: optionsOf(options).after }, options),
    continue: async (options: RunOptions = {}) => ask({ command: 'continue' }, options),
    regenerate: async (options: RunOptions = {}) => ask({ command: 'regenerate' }, options),
    retryTool: async (toolCallId, options = {}) => {
      const { retryWish, retryStart } = callPart.now() ?? (await callPart.load())
      const wish = retryWish(toolCallId, optionsOf(options))
      return run(wish, options.signal, () => retryStart(parts, wish))
    },
    abort: (given) => {
      // A button that has `abort` as its listener gives it an event, which is no reason.
      const reason = typeof given === 'string' ? given : undefined
      if (guards.left({ command: 'abort', reason })) return
      if (parts.isOpen()) return abortRun(runtime, reason)
      early.abort()
      early = new AbortController()
    },
    isRunning: () => starting > 0 || (!isAtRest(parts) && runtime.state().run !== null),
  }
}

function queueCommands({ parts, guards }: CommandPorts): QueueCommands {
  const { runtime } = parts
  const addTo = (queue: keyof Queues, command: 'steer' | 'followUp') => (given: UserInput) => {
    const input = partsOf(given)
    guards.whenOpen({ command, input }, () => {
      const { queues } = runtime.state()
      runtime.write({ type: 'queue_update', ...queues, [queue]: [...queues[queue], input] })
    })
  }
  return {
    steer: addTo('steering', 'steer'),
    followUp: addTo('followUp', 'followUp'),
    clearQueues: () =>
      guards.whenOpen({ command: 'clearQueues' }, () =>
        runtime.write({ type: 'queue_update', steering: [], followUp: [] }),
      ),
    takeQueued: (given) => {
      const message = itemOf(given)
      guards.whenOpen({ command: 'takeQueued', message }, () =>
        runtime.write(...withoutQueued(runtime.state(), message)),
      )
    },
  }
}

function callCommands({ parts, guards, disposal }: CommandPorts): CallCommands {
  const { runtime, failure } = parts
  const { requireOpen, requireStorage } = guards
  return {
    addToolResult: async (toolCallId, result, options = {}) => {
      const { toolName, isError = false } = optionsOf(options)
      if (!parts.isOpen()) await parts.opened
      const { stageResult } = callPart.now() ?? (await callPart.load())
      requireStorage()
      const remote = parts.remote()
      if (remote) {
        const wish = { command: 'addToolResult', toolCallId, result, toolName, isError } as const
        return untilAborted(remote.ask(wish), disposal)
      }
      const signal = AbortSignal.any([disposal, failure.signal])
      const given = { result, toolName, isError, recheck: requireStorage, signal }
      await stageResult(parts, toolCallId, given)
      // An answer counts once it is stored, so that a person is not asked twice.
      await untilAborted(runtime.stored(), failure.signal).catch((error: unknown) => {
        requireStorage()
        throw error
      })
    },
    respondToApproval: (toolCallId, response) => {
      requireOpen()
      if (guards.left({ command: 'respondToApproval', toolCallId, response })) return
      resolveApproval(parts, toolCallId, response)
    },
    cancelTool: (toolCallId) => {
      if (!canCancel(runtime.state(), toolCallId)) return false
      if (guards.left({ command: 'cancelTool', toolCallId })) return true
      if (runtime.isStopped()) return false
      const { runtime: owner } = ownerOf(parts, toolCallId)
      owner.write({ type: 'tool_cancel_requested', toolCallId, by: 'user' })
      return true
    },
  }
}

/** Conditions of commands. Each function throws an error that says what to do instead. */
interface Guards {
  /** Throws if a run is active. */
  readonly requireRest: (what: string) => void
  /** Throws once the storage has failed, because the command could not be written. */
  readonly requireStorage: () => void
  /** Throws while the session is not read, because the call or message that the command names is not known yet. */
  readonly requireOpen: () => void
  /** Executes a command at the agent that owns the session: now, or when the session is read. */
  readonly whenOpen: (wish: Wish, command: () => void) => void
  /** Leaves the command to the owner of the session. `false`: this agent is the owner. */
  readonly left: (wish: Wish) => boolean
}

function createGuards(parts: AgentParts, disposal: AbortSignal): Guards {
  function requireStorage(): void {
    disposal.throwIfAborted()
    parts.failure.throwIfFailed()
  }
  const left = (wish: Wish): boolean => parts.remote()?.send(wish) ?? false
  return {
    requireRest: (what) => {
      if (!parts.runtime.state().run) return
      throw new AgentBusyError(
        `Cannot ${what} while a run is active. Wait for it, or abort() it first.`,
      )
    },
    requireStorage,
    requireOpen: () => {
      requireStorage()
      if (parts.isOpen()) return
      throw new AgentBusyError('The session is still being read. Wait for agent.ready.')
    },
    whenOpen: (wish, command) => {
      requireStorage()
      const now = () => left(wish) || command()
      if (parts.isOpen()) now()
      else void parts.opened.then(now, () => {})
    },
    left,
  }
}

function startOfRun(parts: AgentParts, wish: StartWish): readonly Draft[] {
  switch (wish.command) {
    case 'prompt':
      return promptStart(parts, wish)
    case 'continue':
      return [continueStart(parts, wish.output)]
    case 'regenerate':
      return regenerateFrom(parts, wish.output)
  }
}

/** Whether no run is active, here or at the owner. A session that is only shown, or has failed, has no owner. */
function isAtRest({ runtime, remote, publisher, failure }: AgentParts): boolean {
  if (failure.signal.aborted || publisher.store.getState().access === 'read-only') return true
  return runtime.isStopped() && !remote()
}
