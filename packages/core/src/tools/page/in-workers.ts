import { oneOf } from '../../internal/check-value.ts'
import { platformClock } from '../../internal/clock.ts'
import { loadPart } from '../../internal/load-part.ts'
import type { Tool } from '../definition.ts'
import type { ToolHost } from '../host.ts'
import { checkHostTools } from '../host-tools.ts'
import { lateExecution } from './late-execution.ts'
import type { WorkerLike } from './worker-boot.ts'
import type { WorkerHostOptions } from './worker-host.ts'

/**
 * Runs tools in Web Workers: each call in a worker of its own, which is started for it and terminated after it.
 * Workers isolate crashes and CPU, not memory or your origin's storage: code that your team did not write belongs
 * into `inIsolation`.
 *
 * Write the second argument in your own code, inline and literally as in the example: it is the one form that
 * every bundler understands. No worker is started before the first call, and none on a server.
 *
 * Throws a `TypeError` for an empty list, two tools of one name, and a tool whose place is not `'worker'`.
 *
 * @example
 * ```ts
 * const tools = inWorkers(
 *   [countPrimes, drawChart],
 *   () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
 * )
 * ```
 */
export function inWorkers<const T extends Tool>(
  tools: readonly T[],
  spawn: () => WorkerLike,
  options: WorkerHostOptions = {},
): ToolHost<T> {
  const { keep, clock = platformClock } = options
  if (typeof spawn !== 'function') {
    throw new TypeError('inWorkers needs a function that starts a worker: () => new Worker(…).')
  }
  oneOf('keep', ['fresh', 'spare', 'reuse'], keep)
  checkHostTools(tools, 'worker')
  let host: ToolHost<T> | null = null
  // Loaded with the first call, while the model still writes its arguments. After a failure the next call tries again.
  const load = async (): Promise<ToolHost<T>> => {
    const { createWorkerHost } = await loadPart(() => import('./worker-host.ts'), clock)
    host ??= createWorkerHost(tools, spawn, options)
    return host
  }
  return {
    tools,
    open: (tool, asked) =>
      host ? host.open(tool, asked) : lateExecution(load().then(({ open }) => open(tool, asked))),
    check: async () => (await load()).check(),
    release: () => host?.release?.(),
  }
}
