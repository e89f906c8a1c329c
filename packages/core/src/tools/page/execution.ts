import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import { messageOf } from '../../internal/message-of.ts'
import type { CallListener, CallNotice, CallRequest, Execution, Settlement } from '../host.ts'
import type { OwnSettlement } from '../protocol.ts'

/** A tool's code at its place. It tells the `Report` that it was made with how it ended, but not while it is made. */
export interface Code {
  readonly ready: Promise<void>
  /** Called at most once, when ready. */
  readonly run: (request: CallRequest, listener: CallListener) => void
  /** Asks the running code to stop. */
  readonly abort: () => void
  /** Ends what can be ended. Called once, whatever came before. */
  readonly close: () => void
}

/** How a piece of code ended. Only the first call of either function counts. */
export interface Report {
  readonly settled: (settlement: OwnSettlement) => void
  readonly crashed: (message: string) => void
}

export interface ExecutionOptions {
  readonly graceMs: number
  readonly clock: Clock
}

const made = new WeakSet<object>()

/** Whether it comes from such an execution: then it is of the right form, and need not be walked again. */
export function isMade(given: CallNotice | Settlement): boolean {
  return made.has(given)
}

/** The rules that hold for an execution at every place: one run, one settlement; abort, grace period, end by force. */
export function createExecution(
  open: (report: Report) => Code,
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
    made.add(settlement)
    settled.resolve(settlement)
  }
  const report: Report = {
    settled: (settlement) => end(status === 'stopping' ? stopped('cooperative') : settlement),
    // Code that breaks after its abort has stopped, too, though not in an orderly way.
    crashed: (message) => {
      if (status === 'fresh') ready = Promise.reject(new Error(message))
      // The rejection is handled here, and below: a call may be closed before anything waits for `ready`.
      ready.catch(() => {})
      end(status === 'stopping' ? stopped('terminated') : { kind: 'crashed', message })
    },
  }
  const code = open(report)
  let { ready } = code
  ready.catch(() => {})

  // A call whose code never ran counts as stopped in an orderly way.
  const close = () => end(stopped(status === 'fresh' ? 'cooperative' : 'terminated'))
  const stop = () => {
    if (status === 'fresh') close()
    if (status !== 'running') return
    status = 'stopping'
    cancelTimer = clock.setTimer(graceMs, close)
    code.abort()
  }
  const start = (request: CallRequest, listener: CallListener) => {
    if (status !== 'fresh') return
    status = 'running'
    // Abandoned code may go on sending, which no listener gets.
    code.run(request, (notice) => {
      made.add(notice)
      if (status !== 'ended') listener(notice)
    })
  }

  return {
    get ready() {
      return ready
    },
    run: (request, listener) => {
      if (used) return Promise.resolve(usedTwice)
      used = true
      code.ready
        .then(() => start(request, listener))
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
