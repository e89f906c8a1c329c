import { ToolError } from '@offthread/core/worker'
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { z } from 'zod'

export interface CodeJob {
  /** An engine for this code alone, so that nothing of the code outlives it. */
  readonly quickjs: QuickJSWASMModule
  readonly code: string
  /** Milliseconds after which the code is interrupted. */
  readonly limitMs: number
  /** Called with each line that the code writes to its console, and the method that it called. */
  readonly onLine: (line: string, method: ConsoleMethod) => void
}

const methods = ['log', 'info', 'warn', 'error', 'debug'] as const

type ConsoleMethod = (typeof methods)[number]

const mostMemory = 64 * 1_048_576
const mostStack = 128 * 1024

/** Runs a script, and says what its last expression gave. Throws a `ToolError` that says where it failed, and why. */
export function runCode({ quickjs, code, limitMs, onLine }: CodeJob) {
  const context = quickjs.newContext()
  const { runtime } = context
  runtime.setMemoryLimit(mostMemory)
  runtime.setMaxStackSize(mostStack)
  const show = createShow(context)
  // Code that is interrupted within a builtin may fail with another error.
  const failure = (thrown: QuickJSHandle) =>
    isLate() ? interrupted(limitMs) : toFailure(context.dump(thrown), show(thrown))
  addConsole(context, (method, values) => onLine(values.map(show).join(' '), method))
  // The time starts only now: on a busy machine it could be over before the code starts.
  const deadline = performance.now() + limitMs
  const isLate = (): boolean => performance.now() > deadline
  runtime.setInterruptHandler(isLate)
  const result = context.evalCode(code, 'script.js')
  if (result.error) throw failure(result.error)
  const jobs = runtime.executePendingJobs()
  if (jobs.error) throw failure(jobs.error)
  const settled = context.getPromiseState(result.value)
  if (settled.type === 'rejected') throw failure(settled.error)
  if (settled.type === 'pending')
    throw isLate() ? interrupted(limitMs) : new ToolError('failed', endless)
  return { value: show(settled.value), type: context.typeof(settled.value) }
}

const endless =
  'The promise never settles: there are no timers and no network here that it could wait for.'

const showCode = `(value) => {
  const plain = (_, one) =>
    typeof one === 'bigint' ? one + 'n' :
    one instanceof Map || one instanceof Set ? [...one] :
    typeof one === 'function' ? '[function ' + one.name + ']' : one
  if (typeof value === 'bigint') return value + 'n'
  if (typeof value !== 'object' || value === null || value instanceof Error) return String(value)
  return JSON.stringify(value, plain)
}`

/** Values as text, as a console shows them. */
function createShow(context: QuickJSContext): (value: QuickJSHandle) => string {
  const show = context.evalCode(showCode).unwrap()
  return (value) => {
    const shown = context.callFunction(show, context.undefined, value)
    return shown.error ? '[a value that cannot be shown]' : context.getString(shown.value)
  }
}

function addConsole(
  context: QuickJSContext,
  write: (method: ConsoleMethod, values: readonly QuickJSHandle[]) => void,
): void {
  const own = context.newObject()
  for (const method of methods) {
    const writer = context.newFunction(method, (...values) => {
      write(method, values)
    })
    context.setProp(own, method, writer)
  }
  context.setProp(context.global, 'console', own)
}

const errorSchema = z.object({ message: z.string(), stack: z.string().default('') })

/** The thrown value as a sentence. */
function toFailure(thrown: unknown, shown: string): ToolError {
  const { data } = errorSchema.safeParse(thrown)
  if (data?.message === 'out of memory')
    return new ToolError('failed', 'The code needs more than 64 MB of memory.')
  const [, line] = /script\.js:(\d+)/.exec(data?.stack ?? '') ?? []
  return new ToolError('failed', line ? `${shown} (line ${line})` : shown)
}

function interrupted(limitMs: number): ToolError {
  const problem = `The code was interrupted: it ran longer than ${limitMs / 1000} s.`
  return new ToolError('failed', problem)
}
