import { type Clock, platformClock } from '../../internal/clock.ts'
import { messageOf } from '../../internal/message-of.ts'
import type { ToolHost } from '../host.ts'
import { checkHostTools } from '../host-tools.ts'
import { checkImplementations, type Implementation } from '../worker/implement.ts'
import { runTool } from '../worker/run-tool.ts'
import { type Code, createExecution, type Report } from './execution.ts'
import { lateExecution } from './late-execution.ts'

/** How tools run on the page. */
export interface PageHostOptions {
  /** Default: the platform's clock. */
  readonly clock?: Clock
}

/**
 * Runs tools on the page, for what needs the DOM. Such a tool shares its thread with the page: it cannot be ended
 * by force. One that ignores its signal is abandoned after the grace period, and what it sends later is dropped.
 *
 * Throws a `TypeError` for an empty list, a tool without its code, two tools of one name, and a tool whose place is not
 * `'page'`.
 *
 * @example
 * ```ts
 * const tools = inPage([implement(readSelection, () => String(getSelection()))])
 * ```
 */
export function inPage<const All extends readonly Implementation[]>(
  implementations: All,
  { clock = platformClock }: PageHostOptions = {},
): ToolHost<All[number]['tool']> {
  checkImplementations(implementations, 'inPage')
  const tools = implementations.map(({ tool }) => tool)
  checkHostTools(tools, 'page')

  return {
    tools,
    open: ({ name }, { graceMs }) => {
      const implementation = implementations.find(({ tool }) => tool.name === name)
      if (!implementation) return lateExecution(Promise.reject(lacks(name)))
      const start = (report: Report) => startPageCode(implementation, { report, clock })
      return createExecution(start, { graceMs, clock })
    },
    // Every tool of this host has its code.
    check: () => Promise.resolve(),
  }
}

/** Code on the page is always ready. */
function startPageCode(
  implementation: Implementation,
  { report, clock }: { readonly report: Report; readonly clock: Clock },
): Code {
  const controller = new AbortController()
  const { signal } = controller
  const abandoning = new AbortController()
  const abort = () => controller.abort(new DOMException('The call was stopped.', 'AbortError'))
  let done = false
  return {
    ready: Promise.resolve(),
    run: (request, listener) => {
      // A copy: the code may change its input, and the same object is in the log.
      const own = { ...request, input: structuredClone(request.input) }
      const abandoned = abandoning.signal
      runTool(implementation, { request: own, listener, signal, clock, abandoned })
        .then((settlement) => {
          done = true
          report.settled(settlement)
        })
        .catch((error: unknown) => report.crashed(messageOf(error)))
    },
    abort,
    close: () => {
      // Code that has ended by itself needs no abort.
      if (done) return
      abort()
      abandoning.abort()
    },
  }
}

function lacks(name: string): Error {
  return new Error(
    `The page does not implement "${name}". Add implement(${name}, …) to inPage([…]).`,
  )
}
