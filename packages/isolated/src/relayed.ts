import { isObject } from './is-object.ts'
import { maxRelayedChars } from './relay-script.ts'

/** The destination of a message of isolated code: its tool's call, or the network. */
export type RelayLine = 'tool' | 'broker'

/** A message that is read when it is asked for, once. */
interface Relayed {
  readonly line: RelayLine
  readonly read: () => unknown
}

/** Reads what the relay posts. `undefined` for any other value. */
export function readRelayed(data: unknown): Relayed | undefined {
  if (!isObject(data)) return undefined
  const { line, text, bytes } = data
  if (line !== 'tool' && line !== 'broker') return undefined
  if (typeof text !== 'string' || text.length > maxRelayedChars || !Array.isArray(bytes)) {
    return undefined
  }
  const entries: readonly unknown[] = bytes
  return {
    line,
    read: () => {
      const message: unknown = JSON.parse(text)
      for (const entry of entries) if (Array.isArray(entry)) putBack(message, entry)
      return message
    },
  }
}

/** JSON has no bytes: they travel beside it, each with its path. */
function putBack(message: unknown, [path, bytes]: readonly unknown[]): void {
  if (!Array.isArray(path)) return
  const keys = path.map(String)
  const last = keys.pop()
  const holder = keys.reduce(fieldOf, message)
  if (last !== undefined && isHolder(holder)) Reflect.set(holder, last, bytes)
}

function fieldOf(value: unknown, key: string): unknown {
  return isHolder(value) ? Reflect.get(value, key) : undefined
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
