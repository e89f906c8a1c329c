import { isDerived, isKind, type SessionEntry, tryJson } from '@offthread/core/storage'
import { isObject } from '../is-object.ts'

/** What a copy on this device says of its session at the server. Without it the session was never there. */
export interface Mark {
  /**
   * How many events the server is known to have; `null`: as many as the copy. The events of the copy from this number on
   * wait for the server; a copy with fewer is not whole.
   */
  readonly known: number | null
  /** The session as which the copy is kept, for the one at the server has other events. */
  readonly keptAs?: string
  /** It was given a title that the server does not have. */
  readonly isTitled?: true
}

/** The bytes beside a copy that hold its mark. */
export const markKey = 'offline'
/**
 * The bytes beside a copy that hold the mark of a page's last moment. Those under such a key are stored without their
 * digest, for which that moment is too short.
 */
export const lastMarkKey = 'offthread:offline'
/** Before the key of a file: the server does not have it as it is here. */
const unsent = 'offline:'

export function toBlob(mark: Mark): Blob {
  return new Blob([JSON.stringify(mark)])
}

export async function readMark(data: Blob | undefined): Promise<Mark | null> {
  const value = data && tryJson(await data.text())
  if (!isObject(value)) return null
  const { known, keptAs, isTitled } = value
  if (known !== null && typeof known !== 'number') return null
  return {
    known,
    ...(typeof keptAs === 'string' && { keptAs }),
    ...(isTitled === true && { isTitled }),
  }
}

/** How many events the server is known to have, of a session with so many on this device. */
export function knownOf(mark: Mark | null, events: number): number {
  return mark ? (mark.known ?? events) : 0
}

export function unsentKey(key: string): string {
  return unsent + key
}

/** The files of a copy that the server does not have as they are here. */
export function unsentIn(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => (key.startsWith(unsent) ? key.slice(unsent.length) : []))
}

/** The keys that are of the session, and not of its copy. */
export function ownKeys(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => key !== markKey && key !== lastMarkKey && !key.startsWith(unsent))
}

/** The keys of files, without what can be made again. */
export function fileKeys(keys: readonly string[]): readonly string[] {
  return ownKeys(keys).filter((key) => !isDerived(key))
}

export function entryIn(
  entries: readonly SessionEntry[],
  sessionId: string,
): SessionEntry | undefined {
  return entries.find((entry) => entry.sessionId === sessionId)
}

export function isUnavailable(thrown: unknown): boolean {
  return isKind(thrown, 'unavailable')
}
