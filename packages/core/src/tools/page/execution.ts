import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import { messageOf } from '../../internal/message-of.ts'
import type { CallListener, CallRequest, Execution, Settlement } from '../host.ts'
import type { OwnSettlement } from '../protocol.ts'

/** A tool's code at its place. It says how it went through its `Report`, never before it was returned. */
export interface Code {
  readonly ready: Promise<void>
  /** Called at most once, when ready. */
  readonly run: (request: CallRequest, listener: CallListener) => void
  /** Asks the running code to stop. */
  readonly abort: () => void
  /** Ends what can be ended. Called once, whatever came before. */
  readonly close: () => void
}

/** The first word counts; the others are dropped. */
export interface Report {
  readonly settled: (settlement: OwnSettlement) => void
  readonly crashed: (message: string) => void
}

export interface ExecutionOptions {
  readonly graceMs: number
  readonly clock: Clock
}

/** The rules of an execution that hold at every place: one run, one settlement, abort, grace, the end. */
export function createExecution(
  start: (report: Report) => Code,
  { graceMs, clock }: ExecutionOptions,
): Execution {
  const settled = createDeferred<Settlement>()
  let status: 'fresh' | 'running' | 'stopping' | 'ended' = 'fresh'
  let used = false
  let cancelTimer = () => {}

  const end = (settlement: Settlement) => {
    if (status === 'ended') return
    status = 'ended'
    cancelTimer()
    code.close()
    settled.resolve(settlement)
  }
  const report: Report = {
    settled: (settlement) => end(status === 'stopping' ? stopped('cooperative') : settlement),
    // Code that breaks after it was told to stop has stopped, though not in an orderly way.
    crashed: (message) =>
      end(status === 'stopping' ? stopped('terminated') : { kind: 'crashed', message }),
  }
  const code = start(report)
  // Nobody has to wait for `ready`.
  code.ready.catch(() => {})

  // What never began is not cut off.
  const close = () => end(stopped(status === 'fresh' ? 'cooperative' : 'terminated'))
  const stop = () => {
    if (status === 'fresh') close()
    if (status !== 'running') return
    status = 'stopping'
    cancelTimer = clock.setTimer(graceMs, close)
    code.abort()
  }
  const begin = (request: CallRequest, listener: CallListener) => {
    if (status !== 'fresh') return
    status = 'running'
    code.run(
      request,
      whileOpen(listener, () => status !== 'ended'),
    )
  }

  return {
    ready: code.ready,
    run: (request, listener) => {
      if (used) return Promise.resolve(usedTwice)
      used = true
      code.ready
        .then(() => begin(request, listener))
        .catch((error: unknown) => report.crashed(messageOf(error)))
      return settled.promise
    },
    stop,
    close,
  }
}

const usedTwice: Settlement = {
  kind: 'crashed',
  message: 'This execution has run a call already. Open another one.',
}

function stopped(how: 'cooperative' | 'terminated'): Settlement {
  return { kind: 'stopped', how }
}

/** Lets through what is told before the settlement: code that was abandoned may go on talking. */
function whileOpen(listener: CallListener, isOpen: () => boolean): CallListener {
  return {
    running: () => isOpen() && listener.running(),
    update: (partial) => isOpen() && listener.update(partial),
    progress: (progress) => isOpen() && listener.progress(progress),
    log: (lines, dropped) => isOpen() && listener.log(lines, dropped),
    custom: (name, data, durable) => isOpen() && listener.custom(name, data, durable),
  }
}
