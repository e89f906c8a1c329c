import { isObject } from './is-object.ts'
import { isId } from './subjects.ts'

/** Raised when a subject, a frame or one of these messages changes its meaning. */
export const fleetVersion = 1

/** A page asks for a thread. */
export interface OpenRequest {
  readonly version: number
  /** An id that is new for each request. */
  readonly callId: string
  /** Milliseconds between two signs of life. */
  readonly heartbeatMs: number
}

/** The answer of the process that took the request: a thread starts, or why not. */
export type OpenAnswer = { readonly version: number; readonly process: string } & (
  | { readonly type: 'claim'; readonly processId: string }
  | { readonly type: 'refuse'; readonly reason: RefusalReason }
)

/** `full`: it runs as many calls as it may. `ending`: it is about to end. */
export type RefusalReason = 'version' | 'full' | 'ending'

const reasons: readonly RefusalReason[] = ['version', 'full', 'ending']

/** A page must not ask for a beat that keeps a process busy, or for none. */
const [shortestBeatMs, longestBeatMs] = [50, 60_000]

/** How many beats in a row may be missing, on both sides. */
export const patienceBeats = 3

/** The longest message of a handshake. */
const maxHandshakeBytes = 2000
const maxNameChars = 100

export function writeHandshake(message: OpenRequest | OpenAnswer): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message))
}

/** `undefined` for bytes that are no request. Of a request of another version only the version is read. */
export function readOpenRequest(
  data: Uint8Array,
): OpenRequest | { readonly version: number; readonly callId?: undefined } | undefined {
  const { version, callId, heartbeatMs } = readFields(data)
  if (typeof version !== 'number') return undefined
  if (version !== fleetVersion) return { version }
  if (!isId(callId) || typeof heartbeatMs !== 'number') return undefined
  return { version, callId, heartbeatMs: clamp(heartbeatMs) }
}

/** `undefined` for bytes that are no answer. */
export function readOpenAnswer(data: Uint8Array): OpenAnswer | undefined {
  const { version, type, processId, reason, ...fields } = readFields(data)
  if (typeof version !== 'number') return undefined
  const name = typeof fields['process'] === 'string' ? fields['process'] : ''
  const said = { version, process: name.slice(0, maxNameChars) || 'without a name' }
  if (version !== fleetVersion) return { ...said, type: 'refuse', reason: 'version' }
  if (type === 'claim') return isId(processId) ? { ...said, type, processId } : undefined
  const known = reasons.find((one) => one === reason)
  return type === 'refuse' && known ? { ...said, type, reason: known } : undefined
}

function readFields(data: Uint8Array): { readonly [key: string]: unknown } {
  if (data.length > maxHandshakeBytes) return {}
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(data))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, shortestBeatMs), longestBeatMs)
}
