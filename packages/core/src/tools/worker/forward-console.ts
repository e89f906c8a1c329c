import type { LogLevel } from '../../kernel/tool-result.ts'
import type { WriteLog } from './call-log.ts'

type Method = 'debug' | 'log' | 'info' | 'warn' | 'error'

/** What of a console is listened to. */
export type ConsoleLike = Record<Method, (...values: unknown[]) => void>

const levels: Readonly<Record<Method, LogLevel>> = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
}

/**
 * Tells what the console is given as well, and gives back what ends it. The console goes on as before: a
 * developer sees everything where it always is.
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

const methods: readonly Method[] = ['debug', 'log', 'info', 'warn', 'error']
