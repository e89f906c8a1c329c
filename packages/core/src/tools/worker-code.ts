import type { Clock } from '../internal/clock.ts'
import { createDeferred } from './deferred.ts'
import type { Code, Report } from './execution.ts'
import type { CallListener } from './host.ts'
import type { CallMessage, OwnSettlement, ReadyMessage } from './protocol.ts'
import { protocolVersion } from './protocol.ts'
import { textOfError } from './result.ts'
import type { WorkerLike } from './worker-link.ts'
import { linkWorker } from './worker-link.ts'

export interface WorkerCodeOptions {
  readonly spawn: () => WorkerLike
  /** Why a worker that implements these tools will not do; `undefined` when it will. */
  readonly objection: (toolNames: readonly string[]) => string | undefined
  readonly bootTimeoutMs: number
  /** Milliseconds a running worker may give no sign of life; `null`: for ever. */
  readonly maxSilenceMs: number | null
  readonly clock: Clock
}

/** Code that tells so much without waiting to be heard is out of control. */
const maxUnheard = 1000

/** Milliseconds between two words that messages were heard. */
const hearEveryMs = 16

/** Starts a worker for one call, and shakes hands with it. */
export function startWorkerCode(options: WorkerCodeOptions, report: Report): Code {
  const { spawn, objection, bootTimeoutMs, maxSilenceMs, clock } = options
  const ready = createDeferred<void>()
  let call: { readonly executionId: string; readonly listener: CallListener } | undefined
  let unheard = 0
  let cancelHearing: (() => void) | undefined
  let cancelSilence: (() => void) | undefined

  const fail = (message: string) => {
    ready.reject(new Error(message))
    report.crashed(message)
  }
  let shaken = false
  const shakeHands = ({ protocolVersion: version, toolNames }: ReadyMessage) => {
    if (shaken) return
    shaken = true
    const problem = version === protocolVersion ? objection(toolNames) : versionText(version)
    if (problem !== undefined) return fail(problem)
    cancelBootTimer()
    ready.resolve()
  }
  const waitForLife = () => {
    cancelSilence?.()
    if (maxSilenceMs !== null)
      cancelSilence = clock.setTimer(maxSilenceMs, () => fail(silenceText(maxSilenceMs)))
  }
  const acknowledge = () => {
    cancelHearing = undefined
    if (call) link.post({ type: 'heard', executionId: call.executionId, messages: unheard })
    unheard = 0
  }
  const hear = (message: ReadyMessage | CallMessage) => {
    if (message.type === 'ready') return shakeHands(message)
    waitForLife()
    if (message.type === 'settled') return report.settled(message.settlement)
    if (needsCredit(message)) {
      if (++unheard > maxUnheard) return fail(floodText)
      cancelHearing ??= clock.setTimer(hearEveryMs, acknowledge)
    }
    if (call) tell(call.listener, message)
  }

  const link = linkWorker(spawn, {
    // Nobody but the call that runs here may speak.
    heardId: () => call?.executionId,
    message: hear,
    failed: fail,
  })
  const cancelBootTimer = clock.setTimer(bootTimeoutMs, () => fail(timeoutText(bootTimeoutMs)))

  return {
    ready: ready.promise,
    run: (request, listener) => {
      call = { executionId: request.executionId, listener }
      waitForLife()
      try {
        link.post({ type: 'run', request })
      } catch (error) {
        report.settled(unsendable(error))
      }
    },
    abort: () => {
      if (call) link.post({ type: 'abort', executionId: call.executionId })
    },
    close: () => {
      cancelBootTimer()
      cancelHearing?.()
      cancelSilence?.()
      link.close()
      ready.reject(new Error('The execution was closed before it was ready.'))
    },
  }
}

function versionText(version: number): string {
  return `The worker speaks version ${version} of the protocol, the page version ${protocolVersion}: build both with the same version of @offthread/core.`
}

function timeoutText(ms: number): string {
  return `The worker was not ready within ${ms / 1000} s. Its script did not load in time, or does not call serveTools([…]) at its top level.`
}

function silenceText(ms: number): string {
  return `The worker gave no sign of life for ${ms / 1000} s. Its code blocks its thread; let it await context.yield() now and then, or raise maxSilenceMs.`
}

const floodText: string = `The worker posted more than ${maxUnheard} messages without waiting to be heard.`

/** What a tool wants stored has to come through, however much it is. */
function needsCredit(message: CallMessage): boolean {
  switch (message.type) {
    case 'update':
    case 'progress':
    case 'log':
      return true
    case 'custom':
      return !message.durable
    default:
      return false
  }
}

function tell(listener: CallListener, message: Exclude<CallMessage, { type: 'settled' }>): void {
  switch (message.type) {
    case 'running':
      listener.running()
      break
    case 'update':
      listener.update(message.partial)
      break
    case 'progress':
      listener.progress(message.progress)
      break
    case 'log':
      listener.log(message.lines, message.dropped)
      break
    case 'custom':
      listener.custom(message.name, message.data, message.durable)
      break
    case 'alive':
  }
}

function unsendable(error: unknown): OwnSettlement {
  return {
    kind: 'threw',
    errorKind: 'failed',
    message: `The call could not be sent to its worker: ${textOfError(error)} It did not run.`,
  }
}
