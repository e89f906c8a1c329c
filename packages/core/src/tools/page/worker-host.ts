import { type Clock, platformClock } from '../../internal/clock.ts'
import { toLine } from '../content.ts'
import type { Tool } from '../definition.ts'
import type { ToolHost } from '../host.ts'
import { createBootQueue } from './boot-queue.ts'
import { createExecution } from './execution.ts'
import { bootWorker, type WorkerLike } from './worker-boot.ts'
import { startWorkerCall } from './worker-call.ts'
import { createWorkerPool, type WorkerKeeping } from './worker-pool.ts'

/** How workers are started and kept. */
export interface WorkerHostOptions {
  /** Milliseconds a worker has to load its script and call `serveTools`. Default 10,000. */
  readonly bootTimeoutMs?: number
  /**
   * Which workers wait for calls.
   *
   * - `'fresh'`, the default: none. Each call has a worker of its own.
   * - `'spare'`: one that was started beforehand, so that a call need not wait for it. It is used once.
   * - `'reuse'`: up to four whose call ended by itself. The next call finds what the one before has left at
   *   the top of its modules: only for tools that keep nothing there.
   *
   * A worker that waits is ended after 30 s, and as soon as the page is hidden.
   */
  readonly keep?: WorkerKeeping
  /** Default: the platform's clock. */
  readonly clock?: Clock
}

/** A host of tools in workers, with checked arguments. */
export function createWorkerHost<const T extends Tool>(
  tools: readonly T[],
  spawn: () => WorkerLike,
  { bootTimeoutMs = 10_000, keep = 'fresh', clock = platformClock }: WorkerHostOptions = {},
): ToolHost<T> {
  const toolNames = tools.map(({ name }) => name)
  const onUnusable = createReporter(toolNames)
  const queue = createBootQueue(clock)
  const boot = () => bootWorker({ spawn, bootTimeoutMs, queue, clock, onUnusable })
  const pool = createWorkerPool({ keep, boot, clock })

  const objectionTo = (tool: Tool) => (implemented: readonly string[]) => {
    const problem = lack([tool.name], implemented)
    if (problem !== undefined) onUnusable(problem)
    return problem
  }

  return {
    tools,
    open: (tool, { graceMs }) =>
      createExecution(
        (report) => {
          const { take, giveBack, refill: onRunning } = pool
          const objection = objectionTo(tool)
          return startWorkerCall(
            { worker: take(), objection, tool, clock, onRunning, giveBack },
            report,
          )
        },
        { graceMs, clock },
      ),
    check: async () => {
      // Nothing is reported on the console, because the check rejects with the problem.
      const worker = bootWorker({ spawn, bootTimeoutMs, queue, clock })
      const implemented = await worker.ready.finally(worker.close)
      const problem = difference(toolNames, implemented)
      if (problem !== undefined) throw new Error(problem)
    },
    release: pool.release,
  }
}

/**
 * Reports on the console why no call can run in the workers of these tools: each reason once, since every call
 * would repeat it. The card and the model get it too, but a developer looks at the console first.
 */
function createReporter(toolNames: readonly string[]): (reason: string) => void {
  const reported = new Set<string>()
  return (reason) => {
    if (reported.has(reason)) return
    reported.add(reason)
    console.error(`Offthread cannot use the worker of ${toolNames.join(', ')}. ${reason}`)
  }
}

/** Which declared tools a worker lacks, and what to do about it. */
function lack(declared: readonly string[], implemented: readonly string[]): string | undefined {
  const missing = declared.filter((name) => !implemented.includes(name))
  if (missing.length === 0) return undefined
  const quoted = missing.map((name) => `"${name}"`).join(', ')
  const adding = missing.map((name) => `implement(${name}, …)`).join(', ')
  const has = toLine(implemented.join(', ')) || 'nothing'
  return `The worker does not implement ${quoted}. It implements: ${has}. Add ${adding} to serveTools([…]).`
}

/** As `lack`, and also which tools are implemented but not declared, because a name may be misspelled. */
function difference(
  declared: readonly string[],
  implemented: readonly string[],
): string | undefined {
  const problem = lack(declared, implemented)
  const undeclared = implemented.filter((name) => !declared.includes(name))
  if (problem === undefined || undeclared.length === 0) return problem
  return `${problem} Implemented but not declared: ${toLine(undeclared.join(', '))}.`
}
