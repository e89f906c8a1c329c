import { type Clock, platformClock } from '../../internal/clock.ts'
import { isObject } from '../../internal/json.ts'
import type { CallRequest } from '../host.ts'
import { protocolVersion, readPageMessage, type WorkerMessage } from '../protocol.ts'
import { settleThrown, textOfError } from '../result/settle-returned.ts'
import type { ConsoleLike } from './call-log.ts'
import { createCredit, type RefillableCredit } from './credit.ts'
import { checkImplementations, type Implementation } from './implement.ts'
import { limitConsole } from './limit-console.ts'
import { rehearse } from './rehearse.ts'
import { runTool } from './run-tool.ts'
import { reportBroken, type WorkerScope } from './worker-scope.ts'

/**
 * Serves tools from a worker: the last line of a worker's script, and the only one that has an effect. Unless you
 * choose `keep: 'reuse'`, the page starts the script again for every call (see `inWorkers`), so calls share no state at
 * the top of a module.
 *
 * Throws a `TypeError` outside a worker, for a tool without its code, when a tool is implemented twice, and when it was
 * called before with other tools.
 *
 * @example
 * ```ts
 * // tools.worker.ts
 * serveTools([implement(countPrimes, ({ n }) => ({ count: primesBelow(n) }))])
 * ```
 */
export function serveTools(implementations: readonly Implementation[]): void {
  if ('document' in globalThis || !('WorkerGlobalScope' in globalThis)) {
    throw new TypeError(
      'serveTools belongs into the script of a worker. On a page, use inPage([…]).',
    )
  }
  checkImplementations(implementations, 'serveTools')
  if (isServed(implementations)) return
  limitConsole(console, platformClock.monotonic)
  serveOn(globalThis, implementations, { console })
  // Done while the message that this worker is ready is on its way to the page.
  rehearse(serveOn)
}

/**
 * The mark is on the global scope, since the script may have two copies of this module, and each would answer every
 * call.
 */
const served = Symbol.for('offthread.served')

/**
 * Whether the scope serves these tools already. WebKit runs a worker's script once more when a part of it imports it, as
 * the parts of a bundle do.
 */
function isServed(implementations: readonly Implementation[]): boolean {
  const names = implementations.map(({ tool }) => tool.name)
  const before: unknown = Reflect.get(globalThis, served)
  if (!Array.isArray(before)) {
    Reflect.set(globalThis, served, names)
    return false
  }
  if (names.every((name) => before.includes(name))) return true
  throw new TypeError('serveTools was called twice in one worker: give it all tools in one list.')
}

/** Parts that tests replace, and the console whose lines are copied to the call's log. */
interface ServeParts {
  readonly clock?: Clock
  readonly console?: ConsoleLike
}

/** Milliseconds between two signs of life. */
const heartbeatMs = 1000

/** As `serveTools`, on a scope that is given. */
export function serveOn(
  scope: WorkerScope,
  implementations: readonly Implementation[],
  { clock = platformClock, console }: ServeParts = {},
): void {
  const byName = indexByName(implementations)
  const post = (message: WorkerMessage) => scope.postMessage(message)
  const postSettled = (message: SettledMessage) =>
    scope.postMessage(message, { transfer: buffersIn(message) })
  let running: Running | undefined

  const run = async (request: CallRequest) => {
    const controller = new AbortController()
    const { executionId, toolName } = request
    const implementation = byName.get(toolName)
    if (running || !implementation) return post(refusal(request, running !== undefined))
    const credit = createCredit()
    running = { executionId, controller, credit }
    const stopHeart = beat(clock, () => post({ type: 'alive', executionId }))
    const settlement = await runTool(implementation, {
      request,
      listener: (notice) => post({ ...notice, executionId }),
      signal: controller.signal,
      clock,
      credit,
      bytes: 'moved',
      ...(console && { console }),
    })
    stopHeart()
    running = undefined
    postSettled({ type: 'settled', executionId, settlement })
  }

  scope.addEventListener('message', (event) => {
    const data: unknown = 'data' in event ? event.data : undefined
    const message = readPageMessage(data)
    if (message && message.type !== 'run' && message.executionId === running?.executionId) {
      if (message.type === 'credit') running.credit.refill(message.messages)
      else running.controller.abort(new DOMException('The call was stopped.', 'AbortError'))
    }
    if (message?.type === 'run') {
      run(message.request).catch((error: unknown) => post(brokenBy(error)))
    } else if (!message && isObject(data) && data['type'] === 'run') {
      post(brokenBy(new Error('The worker was sent a call that it cannot read.')))
    }
  })
  reportBroken(scope, {
    report: (error) => post(brokenBy(error)),
    // Code that rejects with the reason of the abort has obeyed it.
    isExpected: (reason) => {
      const signal = running?.controller.signal
      return signal?.aborted === true && reason === signal.reason
    },
  })
  post({ type: 'ready', protocolVersion, toolNames: [...byName.keys()] })
}

type SettledMessage = Extract<WorkerMessage, { readonly type: 'settled' }>

function buffersIn({ settlement }: SettledMessage): ArrayBuffer[] {
  const { artifacts = [] } = settlement.kind === 'returned' ? settlement.result : {}
  const data = artifacts.map((one) => one.data)
  return [...new Set(data)].filter((one) => one instanceof ArrayBuffer)
}

interface Running {
  readonly executionId: string
  readonly controller: AbortController
  readonly credit: RefillableCredit
}

/** Calls back every second as long as this thread is not blocked. Returns a function that ends this. */
function beat(clock: Clock, callback: () => void): () => void {
  let clear = clock.setTimer(heartbeatMs, function again() {
    callback()
    clear = clock.setTimer(heartbeatMs, again)
  })
  return () => clear()
}

function indexByName(
  implementations: readonly Implementation[],
): ReadonlyMap<string, Implementation> {
  const byName = new Map<string, Implementation>()
  for (const implementation of implementations) {
    const { name } = implementation.tool
    if (byName.has(name))
      throw new TypeError(`Tool "${name}" is implemented twice in serveTools([…]).`)
    byName.set(name, implementation)
  }
  return byName
}

function refusal({ executionId, toolName }: CallRequest, used: boolean): WorkerMessage {
  const why = used ? 'This worker runs another call.' : `No tool named "${toolName}" here.`
  return { type: 'settled', executionId, settlement: settleThrown(new Error(why)) }
}

function brokenBy(error: unknown): WorkerMessage {
  const prefix = error instanceof Error && error.name !== 'Error' ? `${error.name}: ` : ''
  return { type: 'broken', message: `${prefix}${textOfError(error)}` }
}
