import { inWorkers, type Tool } from '@offthread/core'
import {
  type CallListener,
  checkHostTools,
  lateExecution,
  platformClock,
  type ToolHost,
  type WorkerHostOptions,
} from '@offthread/core/host'
import type { FrameRecipe } from './frame.ts'
import { isolatedFrameHtml } from './frame-html.ts'
import { createFrameSupply } from './frame-supply.ts'
import { startFrameWorker } from './frame-worker.ts'
import { type NetworkOptions, readNetworkOptions } from './network.ts'
import { testIsolation } from './self-test.ts'
import { type IsolatedSource, readSource } from './source.ts'

/** How isolated tools are started, and what they may do. */
export interface IsolationOptions extends Omit<WorkerHostOptions, 'bootTimeoutMs' | 'keep'> {
  /** Milliseconds the script has to load and to call `serveTools`, from the end of the self-test. Default 10,000. */
  readonly bootTimeoutMs?: number
  /**
   * Which frames wait for calls: none (`'fresh'`, the default), or one that was made beforehand (`'spare'`). It has no
   * code: that is loaded for the call. A frame is never used twice.
   */
  readonly keep?: Exclude<NonNullable<WorkerHostOptions['keep']>, 'reuse'>
  /**
   * The address of a static copy of `isolatedFrameHtml()`. Default: the frame is made in place, for which the page's own
   * Content-Security-Policy has to allow inline scripts and `blob:`.
   */
  readonly frameUrl?: string | URL
  /** Whether the code may compile WebAssembly. Default `false`. With a `frameUrl`, that page decides. */
  readonly wasm?: boolean
  /** The requests that the code may make, with `brokeredFetch`. Default: none. */
  readonly network?: NetworkOptions
}

/**
 * Runs tools whose code your team did not write. Workers isolate crashes and CPU, not memory or your origin's storage: do
 * not run code you did not write below this place.
 *
 * Each call runs in a worker of its own, inside a sandboxed frame of its own that has no origin: no storage, no cookies, no
 * way to the page, and no network but what `network` allows. Its end is the removal of the frame. Before the first
 * call a self-test tries every way out, and while one is open nothing runs: `check` rejects with an `IsolationError`,
 * and so does `ready` of each execution. It is no boundary for memory and open files: code that exhausts them may take the page along.
 *
 * `source` is one JavaScript file that imports nothing and calls `serveTools([…])`, made by a build of its own, as `esbuild
 * weather.isolated.ts --bundle --format=esm --outfile=public/weather.isolated.js`; its address or its text.
 *
 * Throws a `TypeError` for an empty list, two tools of one name, a tool whose place is not `'isolated'`, frames to be used
 * twice, and network options that are not exact.
 *
 * @example
 * ```ts
 * const tools = inIsolation([getWeather], { url: '/weather.isolated.js' }, {
 *   network: { origins: ['https://api.example.com'] },
 * })
 * ```
 */
export function inIsolation<const T extends Tool>(
  tools: readonly T[],
  source: IsolatedSource,
  options: IsolationOptions = {},
): ToolHost<T> {
  const { frameUrl, wasm = false } = options
  return isolateWith(frameUrl ? { url: String(frameUrl) } : { html: isolatedFrameHtml({ wasm }) }, {
    ...options,
    tools,
    source,
  })
}

interface IsolatedTools<T extends Tool> extends IsolationOptions {
  readonly tools: readonly T[]
  readonly source: IsolatedSource
}

/** `inIsolation` with a given kind of frame: for tests. */
export function isolateWith<T extends Tool>(
  recipe: FrameRecipe,
  { tools, source, network, keep = 'fresh', ...options }: IsolatedTools<T>,
): ToolHost<T> {
  checkHostTools(tools, 'isolated')
  if (!['fresh', 'spare'].includes(keep)) {
    throw new TypeError(
      `keep must be 'fresh' or 'spare': no isolated call finds what another left.`,
    )
  }
  const rules = network && readNetworkOptions(network)
  const tested = once(() => testIsolation(recipe))
  const code = () => readSource(source)
  const { clock = platformClock } = options

  const frames = createFrameSupply({ recipe, keep, clock })
  const openFrame = frames.take

  const listeners = new WeakMap<object, CallListener>()
  const listenerOf = (request: object) => listeners.get(request)

  // For the page it is a worker like any other: one handshake, one protocol, one way to end.
  const asWorkers = tools.map((tool) => ({ ...tool, place: 'worker' as const }))
  const host = inWorkers(
    asWorkers,
    () => startFrameWorker({ openFrame, code, rules, clock, listenerOf }),
    options,
  )

  return {
    ...host,
    tools,
    open: (tool, patience) => {
      const execution = lateExecution(tested().then(() => host.open(tool, patience)))
      return {
        get ready() {
          return execution.ready
        },
        stop: execution.stop,
        close: execution.close,
        run: (given, listener) => {
          // A copy, because two calls may be given the same object.
          const request = { ...given }
          listeners.set(request, listener)
          const noting: CallListener = (notice) => {
            if (notice.type === 'running') frames.refill('soon')
            listener(notice)
          }
          return execution.run(request, noting).finally(() => frames.refill('now'))
        },
      }
    },
    check: () => tested().then(host.check),
    release: () => {
      frames.release()
      host.release?.()
    },
  }
}

/** Returns the same promise again, until it rejects: a test can fail because the machine was too slow for it. */
function once(test: () => Promise<void>): () => Promise<void> {
  let promise: Promise<void> | undefined
  return () => {
    promise ??= test().catch((error: unknown) => {
      promise = undefined
      throw error
    })
    return promise
  }
}
