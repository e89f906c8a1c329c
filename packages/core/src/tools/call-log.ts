import type { Clock } from '../internal/clock.ts'
import type { LogLevel } from '../kernel/tool-result.ts'
import type { Outlet } from './coalesce.ts'
import { cutEnd } from './cut.ts'

/** Writes one line from any values, as a console does. */
export type WriteLog = (level: LogLevel, values: readonly unknown[]) => void

const maxLineChars = 2000

/** The log of one call. It begins now. */
export function createCallLog(outlet: Outlet, clock: Clock): WriteLog {
  const begun = clock.monotonic()
  return (level, values) =>
    outlet.log({
      level,
      text: cutEnd(values.map(textOfValue).join(' '), maxLineChars),
      t: Math.round(clock.monotonic() - begun),
    })
}

function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`
  try {
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}
