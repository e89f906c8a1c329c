import { isDerived, isKind, type SessionEntry, tryJson } from '@offthread/core/storage'
import { isObject } from '../is-object.ts'

/**
 * What a copy on this device says about its session at the server. A session whose copy has no mark was never there.
 */
export interface Mark {
  /**
   * How many events the server is known to have; `null`: as many as the copy. The events of the copy from this number on
   * wait for the server; a copy with fewer is not whole.
   */
  readonly known: number | null
  /** The session in which the copy is kept, because the one at the server has other events. */
  readonly keptAs?: string
  /** The session was given a title that the server does not have. */
  readonly isTitled?: true
}

/** The bytes beside a copy that hold its mark. */
export const markKey = 'offline'
/**
 * The key of the mark that a page writes in its last moment. Bytes under such a key are stored without a digest, for
 * which that moment is too short.
 */
export const lastMarkKey = 'offthread:offline'
/** The prefix of a file's key if the server does not have the file as it is here. */
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

/** How many events of a session the server is known to have. `events`: how many are on this device. */
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

/** The keys that belong to the session, and not to its copy. */
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
