import type { Clock } from '../../internal/clock.ts'
import type { LogLevel } from '../../kernel/tool-outcome.ts'
import { toLine } from '../content.ts'
import { isError } from '../tool-error.ts'
import type { Outlet } from './coalesce.ts'

/** Writes one line from any values, as a console does. */
export type WriteLog = (level: LogLevel, values: readonly unknown[]) => void

/** The log of one call. Its times count from now. */
export function createCallLog(outlet: Pick<Outlet, 'log'>, clock: Clock): WriteLog {
  const startedAt = clock.monotonic()
  return (level, values) =>
    outlet.log({
      level,
      text: toLine(values.map(textOfValue).join(' ')) ?? '',
      t: Math.round(clock.monotonic() - startedAt),
    })
}

// A log that throws would fail the tool that writes to it.
function textOfValue(value: unknown): string {
  try {
    if (typeof value === 'string') return value
    if (isError(value)) return textOfError(value)
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  } catch {
    return typeof value === 'object' ? '[an object that cannot be shown]' : '[a value]'
  }
}

/** Only V8 writes the name and the message into the stack. */
function textOfError(error: Error): string {
  const { stack = '' } = error
  const words = String(error)
  return stack.startsWith(words) ? stack : `${words}\n${stack}`.trimEnd()
}

/** The methods of a console that are forwarded. */
export type ConsoleLike = Record<keyof typeof levels, (...values: unknown[]) => void>

const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

const methods = ['debug', 'log', 'info', 'warn', 'error'] as const

/**
 * Copies what is written to the console to the call's log. Returns a function that ends this. The console itself goes
 * on as before, because a developer looks there.
 */
export function forwardConsole(console: ConsoleLike, write: WriteLog): () => void {
  const originals = methods.map((method) => ({ method, original: console[method] }))
  for (const { method, original } of originals) {
    console[method] = (...values) => {
      original.apply(console, values)
      write(levels[method], values)
    }
  }
  return () => {
    for (const { method, original } of originals) console[method] = original
  }
}
