import type { Clock } from '../../internal/clock.ts'
import { cutEnd } from '../../internal/cut-text.ts'
import type { LogLevel } from '../../kernel/tool-result.ts'
import type { Outlet } from './coalesce.ts'

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

// A log that throws would fail the tool that writes to it.
function textOfValue(value: unknown): string {
  try {
    if (typeof value === 'string') return value
    if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  } catch {
    return typeof value === 'object' ? '[an object that cannot be shown]' : '[a value]'
  }
}
