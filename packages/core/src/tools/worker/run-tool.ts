import { untilAborted } from '../../internal/abort.ts'
import type { Clock } from '../../internal/clock.ts'
import { isObject } from '../../internal/json.ts'
import { messageOf } from '../../internal/message-of.ts'
import { checkArgs } from '../check-args.ts'
import type { Tool } from '../definition.ts'
import type { CallListener, CallRequest } from '../host.ts'
import type { OwnSettlement } from '../protocol.ts'
import type { ResultBytes } from '../result/artifact-bytes.ts'
import { settleReturned, settleThrown } from '../result/settle-returned.ts'
import { type ConsoleLike, createCallLog, forwardConsole } from './call-log.ts'
import { coalesce } from './coalesce.ts'
import { createContext, type ToolContext } from './context.ts'
import type { Credit } from './credit.ts'
import type { CallFate, Implementation } from './implement.ts'

export interface ToolRun {
  readonly request: CallRequest
  readonly listener: CallListener
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Fires when the code is abandoned: what it says from then on is dropped. Default: never. */
  readonly abandoned?: AbortSignal
  /** Permission to send messages to the page. Default: always. */
  readonly credit?: Credit
  /** Whether buffers of the result are copied or moved. Default: copied. */
  readonly bytes?: ResultBytes
  /** The console whose lines go to the call's log as well. */
  readonly console?: ConsoleLike
}

/**
 * Runs a tool's code where it is, in a worker or on the page. The input is checked here although the page has
 * checked it: the code gets the schema's output, which does not always survive a trip between threads. What the
 * code sends on its way is passed on before the promise resolves. Never rejects.
 */
export async function runTool(
  implementation: Implementation,
  run: ToolRun,
): Promise<OwnSettlement> {
  const { tool } = implementation
  const { request, listener, signal, clock } = run
  const input = await checkArgs(tool, request.input)
  if (!input.ok) return { kind: 'threw', errorKind: 'invalid_args', message: input.message }
  if (signal.aborted) return settleThrown(signal.reason)

  listener({ type: 'running' })
  const { updateIntervalMs } = request
  const outlet = coalesce(listener, { clock, credit: run.credit, updateIntervalMs })
  run.abandoned?.addEventListener('abort', () => void outlet.close())
  const log = createCallLog(outlet, clock)
  const context = createContext({ request, signal, outlet, log })
  const restoreConsole = run.console && forwardConsole(run.console, log)
  try {
    const fate = request.isCheck ? await fateOf(implementation, input.value, context) : notDone
    if (fate.status === 'unknown') return interrupted
    const returned =
      fate.status === 'done' ? fate.result : await execute(implementation, input.value, context)
    return await settleReturned(returned, tool, run.bytes)
  } catch (error) {
    return settleThrown(error)
  } finally {
    restoreConsole?.()
    // Nothing is waited for once the call is stopped.
    await untilAborted(outlet.close(), signal).catch(() => {})
  }
}

type Fate = CallFate<Tool>
const notDone: Fate = { status: 'not_done' }
const interrupted = { kind: 'threw', errorKind: 'interrupted', message: '' } as const

// Only the exact words `done` and `not_done` count: a call that is run again by mistake has its effect twice.
async function fateOf(
  { check }: Implementation,
  input: unknown,
  context: ToolContext,
): Promise<Fate> {
  const unknown: Fate = { status: 'unknown' }
  try {
    const fate = await check?.(input, context)
    context.signal.throwIfAborted()
    if (!isObject(fate)) return unknown
    const { status, result } = fate
    if (status === 'done') return { status, result }
    return status === 'not_done' ? notDone : unknown
  } catch (error) {
    context.signal.throwIfAborted()
    context.log(`What became of the call before cannot be said: ${messageOf(error)}`)
    return unknown
  }
}

async function execute(
  implementation: Implementation,
  input: unknown,
  context: ToolContext,
): Promise<unknown> {
  const returned = await implementation.code(input, context)
  // A module is recognised by its function, which no result can hold.
  if (!isCodeModule(returned)) return returned
  context.signal.throwIfAborted()
  return returned.default(input, context)
}

interface CodeModule {
  readonly default: (input: unknown, context: ToolContext) => unknown
}

function isCodeModule(value: unknown): value is CodeModule {
  return isObject(value) && typeof value['default'] === 'function'
}
