import { cancelCall, resolveApproval, stageResult } from './agent-calls.ts'
import { AgentBusyError } from './agent-errors.ts'
import type { Agent } from './agent-handle.ts'
import { continueStart, moveTo, queueInput, regenerateFrom } from './agent-history.ts'
import type { AgentParts } from './agent-parts.ts'
import { partsOf, promptStart } from './agent-prompt.ts'
import type { RunResult } from './agent-result.ts'
import { failedRun, resultOfRun } from './agent-result.ts'
import { abortRun, startRun } from './agent-run.ts'
import { untilAborted } from './internal/abort.ts'
import type { Draft } from './kernel/draft.ts'
import type { Queues } from './kernel/state.ts'

/** What a user can tell an agent to do. */
export type Commands = Pick<
  Agent,
  | 'prompt'
  | 'continue'
  | 'regenerate'
  | 'steer'
  | 'followUp'
  | 'clearQueues'
  | 'addToolResult'
  | 'respondToApproval'
  | 'moveHead'
  | 'abort'
  | 'cancelTool'
  | 'configure'
>

/** Checks commands against what is going on, and writes them. */
export function createCommands(parts: AgentParts, disposal: AbortSignal): Commands {
  const { runtime } = parts
  /** Stops what was said before the log is read. */
  let early = new AbortController()

  function requireRest(what: string): void {
    disposal.throwIfAborted()
    if (!runtime.state().run) return
    throw new AgentBusyError(
      `Cannot ${what} while a run is active. Wait for it, or abort() it first.`,
    )
  }

  // The check and the start are one step: nothing can come between them.
  async function run(what: string, start: () => Draft, signal?: AbortSignal): Promise<RunResult> {
    const wait = parts.isOpen()
      ? null
      : AbortSignal.any([early.signal, ...(signal ? [signal] : [])])
    if (wait) {
      await untilAborted(parts.opened, disposal).catch(() => {})
      if (disposal.aborted) return resultOfRun([], undefined)
    }
    const failed = parts.failure.error()
    if (failed) return failedRun([], failed)
    requireRest(what)
    return startRun({ parts, disposal, signal: wait ?? signal }, start())
  }

  function abort(reason?: string): void {
    if (parts.isOpen()) {
      abortRun(runtime, reason)
    } else {
      early.abort()
      early = new AbortController()
    }
  }

  // What cannot be written is refused, and not forgotten.
  function requireStorage(): void {
    disposal.throwIfAborted()
    parts.failure.throwIfFailed()
  }

  // What depends on what is there cannot be said before that is known.
  function requireOpen(): void {
    requireStorage()
    if (!parts.isOpen()) {
      throw new AgentBusyError('The session is still being read. Wait for agent.ready first.')
    }
  }

  // What is said before the log is read is said after it.
  function whenOpen(command: () => void): void {
    requireStorage()
    if (parts.isOpen()) command()
    else void parts.opened.then(command, () => {})
  }

  function queue(name: keyof Queues, input: Parameters<Agent['steer']>[0]): void {
    const content = partsOf(input)
    whenOpen(() => runtime.write(queueInput(runtime.state(), name, content)))
  }

  return {
    prompt: async (input, { signal } = {}) => {
      const content = partsOf(input)
      return run('prompt', () => promptStart(content, parts.settings().kernel), signal)
    },
    continue: ({ signal } = {}) => run('continue', () => continueStart(parts), signal),
    regenerate: ({ signal } = {}) => run('regenerate', () => regenerateFrom(parts), signal),
    steer: (input) => queue('steering', input),
    followUp: (input) => queue('followUp', input),
    clearQueues: () =>
      whenOpen(() => runtime.write({ type: 'queue_update', steering: [], followUp: [] })),
    addToolResult: async (toolCallId, result, { isError = false } = {}) => {
      if (!parts.isOpen()) await parts.opened
      requireStorage()
      await stageResult(parts, toolCallId, { result, isError, recheck: requireStorage })
      // It counts when it is stored: a person may not be asked twice.
      await untilAborted(runtime.stored(), parts.failure.signal).catch(requireStorage)
    },
    respondToApproval: (toolCallId, response) => {
      requireOpen()
      resolveApproval(parts, toolCallId, response)
    },
    moveHead: (messageId) => {
      requireOpen()
      requireRest('move the head')
      moveTo(parts, messageId)
    },
    abort,
    cancelTool: (toolCallId) => !runtime.isStopped() && cancelCall(parts, toolCallId),
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
