import type { Clock } from '../internal/clock.ts'
import { platformClock } from '../internal/clock.ts'
import { createDeferred } from './deferred.ts'
import type { Tool } from './definition.ts'
import type { CallListener, CallRequest, Execution, Settlement, ToolHost } from './host.ts'
import type { Implementation } from './implement.ts'
import { textOfError } from './result.ts'
import { runTool } from './run-tool.ts'
import { usedTwice } from './worker-execution.ts'
import { refuseDuplicates } from './worker-host.ts'

export interface PageHostOptions {
  /** Default: the platform's clock. */
  readonly clock?: Clock
}

/**
 * Runs tools on the page, for what needs the DOM. Such a tool shares its thread with the page: it cannot be cut
 * off. One that ignores its signal is abandoned after the grace period, and what it says later is dropped.
 *
 * Throws a `TypeError` for an empty list, two tools of one name, and a tool whose place is not `'page'`.
 *
 * @example
 * ```ts
 * const tools = inPage([implement(readSelection, () => String(getSelection()))])
 * ```
 */
export function inPage<const T extends Tool>(
  implementations: readonly Implementation<T>[],
  { clock = platformClock }: PageHostOptions = {},
): ToolHost<T> {
  const tools = implementations.map(({ tool }) => tool)
  if (tools.length === 0) throw new TypeError('inPage needs at least one implement(tool, …).')
  refuseDuplicates(tools.map(({ name }) => name))
  const misplaced = tools.find(({ place }) => place !== 'page')
  if (misplaced) {
    throw new TypeError(
      `Tool "${misplaced.name}" would run in a worker. Give its definition place: 'page', or use inWorkers.`,
    )
  }

  return {
    tools,
    open: ({ name }, { graceMs }) => {
      const implementation = implementations.find(({ tool }) => tool.name === name)
      return openOnPage({ name, implementation, graceMs, clock })
    },
    check: () => Promise.resolve(),
  }
}

interface PageExecutionOptions {
  readonly name: string
  readonly implementation: Implementation | undefined
  readonly graceMs: number
  readonly clock: Clock
}

type Status = 'ready' | 'running' | 'stopping' | 'ended'

function openOnPage({ name, implementation, graceMs, clock }: PageExecutionOptions): Execution {
  const controller = new AbortController()
  const ready = createDeferred<void>()
  const settled = createDeferred<Settlement>()
  let status: Status = 'ready'
  let used = false
  let cancelTimer = () => {}
  // Nobody has to wait for `ready`.
  ready.promise.catch(() => {})

  const end = (settlement: Settlement) => {
    if (status === 'ended') return
    status = 'ended'
    cancelTimer()
    settled.resolve(settlement)
  }
  const crash = (message: string) => {
    ready.reject(new Error(message))
    end({ kind: 'crashed', message })
  }
  const fireSignal = () => controller.abort(new DOMException('The call was stopped.', 'AbortError'))

  const close = () => {
    // What never began is not abandoned.
    end({ kind: 'stopped', how: status === 'ready' ? 'cooperative' : 'terminated' })
    fireSignal()
  }
  const stop = () => {
    if (status === 'ready') return close()
    if (status !== 'running') return
    status = 'stopping'
    cancelTimer = clock.setTimer(graceMs, close)
    fireSignal()
  }

  const begin = async (request: CallRequest, listener: CallListener) => {
    if (!implementation || status !== 'ready') return
    status = 'running'
    const heard = gated(listener, () => status !== 'ended')
    const { signal } = controller
    return runTool(implementation, { request, listener: heard, signal, clock })
  }

  if (implementation) ready.resolve()
  else crash(`The page does not implement "${name}". Add implement(${name}, …) to inPage([…]).`)

  return {
    ready: ready.promise,
    run: (request, listener) => {
      if (used) return Promise.resolve(usedTwice)
      used = true
      begin(request, listener)
        .then((settlement) => {
          if (status === 'stopping') end({ kind: 'stopped', how: 'cooperative' })
          else if (settlement) end(settlement)
        })
        .catch((error) => crash(textOfError(error)))
      return settled.promise
    },
    stop,
    close,
  }
}

/** Lets through what is told while the call is open: an abandoned tool goes on talking. */
function gated(listener: CallListener, isOpen: () => boolean): CallListener {
  return {
    running: () => isOpen() && listener.running(),
    update: (partial) => isOpen() && listener.update(partial),
    progress: (progress) => isOpen() && listener.progress(progress),
    log: (lines, dropped) => isOpen() && listener.log(lines, dropped),
    custom: (name, data) => isOpen() && listener.custom(name, data),
  }
}
