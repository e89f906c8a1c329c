import type { Clock } from '../internal/clock.ts'
import { createDeferred } from '../internal/deferred.ts'
import type { Tool } from '../tools/definition.ts'
import type { CallListener, CallRequest, ToolHost } from '../tools/host.ts'
import { type Code, createExecution, type Report } from '../tools/page/execution.ts'
import { unsendable } from '../tools/page/worker-call.ts'
import type { OwnSettlement } from '../tools/protocol.ts'
import { settleReturned, settleThrown } from '../tools/result/settle-returned.ts'

/**
 * A worker in which nothing happens by itself: the test sends each message, at any time, also after the call has
 * ended.
 */
export interface FakeWorker {
  readonly toolName: string
  /** A copy of the call, as a worker gets it; `null` before it, and when it cannot be cloned. */
  readonly request: () => CallRequest | null
  readonly wasAskedToStop: () => boolean
  readonly isClosed: () => boolean
  /** Makes the worker ready, as after it has loaded its script. Needed with `readyAtOnce: false`. */
  readonly becomeReady: () => void
  readonly failToStart: (message: string) => void
  /** Starts the code. `answer`, `returns`, `throws` and `settle` imply it. */
  readonly begin: () => void
  readonly update: (text: string) => void
  /** Reports progress in percent. */
  readonly progress: (value: number) => void
  readonly log: (text: string) => void
  readonly custom: (name: string) => void
  /** The call ends with this text as its result, before the function returns. */
  readonly answer: (text: string) => void
  /** The code returns this value: checked, and made a result, as that of a real tool. */
  readonly returns: (value: unknown) => Promise<void>
  /** The code throws this. */
  readonly throws: (error: unknown) => void
  /** The call ends with this settlement. */
  readonly settle: (settlement: OwnSettlement) => void
  /** The worker breaks. */
  readonly crash: (message: string) => void
}

/** Tools in fake workers. */
export interface FakeWorkers<T extends Tool = Tool> extends ToolHost<T> {
  /** Every worker that was started, in order. */
  readonly started: readonly FakeWorker[]
  /** The n-th worker, from 0, that was started for a tool; throws when there is none. */
  readonly worker: (toolName: string, index?: number) => FakeWorker
  /** Workers that were started and not closed. */
  readonly alive: () => number
}

/** How fake workers behave. */
export interface FakeWorkersOptions {
  readonly clock: Clock
  /** Whether a worker is ready immediately after its start. Default `true`. */
  readonly readyAtOnce?: boolean
}

/**
 * Makes a place for tools whose every step a test takes, under the rules of real workers: one call, one end,
 * abort, grace period, cut off. Needs no browser.
 *
 * @example
 * ```ts
 * const clock = fakeClock()
 * const workers = fakeWorkers([countPrimes], { clock })
 * const { agent, settled } = testAgent({ model, tools: workers }, { clock })
 * const done = agent.prompt('How many primes are below 10?')
 * await settled()
 * await workers.worker('count_primes').returns({ count: 4 })
 * await done
 * ```
 */
export function fakeWorkers<const T extends Tool>(
  tools: readonly T[],
  options: FakeWorkersOptions,
): FakeWorkers<T> {
  checkGiven(tools, options)
  const { clock, readyAtOnce = true } = options
  const started: FakeWorker[] = []
  return {
    tools,
    started,
    worker: (toolName, index = 0) => {
      const found = started.filter((worker) => worker.toolName === toolName)[index]
      if (!found) throw new Error(`No worker ${index} was started for ${toolName}.`)
      return found
    },
    alive: () => started.filter((worker) => !worker.isClosed()).length,
    check: () => Promise.resolve(),
    open: (tool, { graceMs }) =>
      createExecution(
        (report) => {
          const { code, worker } = createWorker(tool, report)
          started.push(worker)
          if (readyAtOnce) worker.becomeReady()
          return code
        },
        { graceMs, clock },
      ),
  }
}

/** Checked, because types do not reach tests in plain JavaScript. */
function checkGiven(tools: unknown, options: unknown): void {
  const isTimed = typeof options === 'object' && options !== null && 'clock' in options
  if (Array.isArray(tools) && isTimed) return
  throw new TypeError(
    'fakeWorkers takes a list of tools, and the clock of the agent: fakeWorkers([countPrimes], { clock }).',
  )
}

function createWorker(
  tool: Tool,
  report: Report,
): { readonly code: Code; readonly worker: FakeWorker } {
  const { name: toolName } = tool
  const readiness = createDeferred<void>()
  let given: { readonly request: CallRequest; readonly listener: CallListener } | null = null
  let wasAskedToStop = false
  let isClosed = false

  const listener = (): CallListener => {
    if (!given) throw new Error(`${toolName} was not given a call yet.`)
    return given.listener
  }
  const end = (settlement: OwnSettlement): void => {
    given?.listener({ type: 'running' })
    report.settled(settlement)
  }
  const code: Code = {
    ready: readiness.promise,
    run: (request, callListener) => {
      try {
        given = { request: structuredClone(request), listener: callListener }
      } catch (error) {
        report.settled(unsendable(request, error))
      }
    },
    abort: () => {
      wasAskedToStop = true
    },
    close: () => {
      isClosed = true
    },
  }
  const worker: FakeWorker = {
    toolName,
    request: () => given?.request ?? null,
    wasAskedToStop: () => wasAskedToStop,
    isClosed: () => isClosed,
    becomeReady: readiness.resolve,
    failToStart: (message) => {
      readiness.reject(new Error(message))
      report.crashed(message)
    },
    ...wordsOf(toolName, listener),
    answer: (text) => end(textResult(text)),
    returns: async (value) => end(await settleReturned(value, tool)),
    throws: (error) => end(settleThrown(error)),
    settle: end,
    crash: report.crashed,
  }
  return { code, worker }
}

/** Returns functions that send what code may send while it runs. */
function wordsOf(toolName: string, listener: () => CallListener) {
  return {
    begin: () => listener()({ type: 'running' }),
    update: (text: string) =>
      listener()({ type: 'update', partial: { content: [{ type: 'text', text }] } }),
    progress: (value: number) => listener()({ type: 'progress', progress: { value, total: 100 } }),
    log: (text: string) =>
      listener()({ type: 'log', lines: [{ level: 'info', text, t: 0 }], dropped: 0 }),
    custom: (name: string) =>
      listener()({ type: 'custom', name, data: { of: toolName }, durable: false }),
  }
}

function textResult(text: string): OwnSettlement {
  return { kind: 'returned', result: { content: [{ type: 'text', text }] } }
}
