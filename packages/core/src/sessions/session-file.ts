import { isObject, tryJson } from '../internal/json.ts'
import type { SessionEntry } from '../storage/port.ts'
import { SessionError } from './session-error.ts'

// A session as a file: lines of JSON. A header; `event` lines with the events as they are stored; for each file a
// `file` line, and `data` lines with its bytes; `leftOut` lines, which are no part of the session; and an end with the
// SHA-256 of all lines before it.

const format = 'offthread-session'

/** The version of the file. The events have their own. */
const version = 1

/** The counts in the last line. `leftOut`: events and files that could not be read. */
export interface Counts {
  readonly events: number
  readonly files: number
  readonly leftOut: number
}

export function headerLine({ sessionId, title, topic }: SessionEntry, exportedAt: number): string {
  return JSON.stringify({ format, version, sessionId, title, topic, exportedAt })
}

export function endLine({ events, files, leftOut }: Counts, sha256: string): string {
  return JSON.stringify({ end: { events, files, leftOut, sha256 } })
}

export type Line = { readonly [key: string]: unknown }

/** What the first line says. */
export interface Header {
  readonly sessionId: string
  readonly title: string | undefined
  readonly topic: string | undefined
}

/** Reads a first line, which may be anything. Throws a `SessionError` if it is no header of this version. */
export function readHeader(text: string): Header {
  const line = parseLine(text)
  if (line?.['format'] !== format) throw isBeginning(text) ? cutOff() : notASession()
  if (line['version'] !== version) {
    throw new SessionError(
      'version',
      `The file has the format ${JSON.stringify(line['version'])}, and this app reads ${version}. Reload the page to get its newest version, then import it again.`,
    )
  }
  const { sessionId, title, topic } = line
  if (typeof sessionId !== 'string') throw notValid('Its header names no session')
  return { sessionId, title: textIn(title), topic: textIn(topic) }
}

/** The object in a whole line; `null` if there is none. */
export function parseLine(text: string): Line | null {
  if (!text.endsWith('\n')) return null
  const value = tryJson(text)
  return isObject(value) ? value : null
}

export function cutOff(): SessionError {
  return new SessionError(
    'cut_off',
    'The end of the file is missing: it was not saved or copied whole. Export the session again.',
  )
}

export function notValid(problem: string): SessionError {
  return new SessionError(
    'not_valid',
    `The file holds no valid session: ${problem}. It was changed or written by something else. Export the session again.`,
  )
}

function notASession(): SessionError {
  return new SessionError(
    'not_a_session',
    'The file is no exported session. Choose one that was made by an export.',
  )
}

/** Whether a text is the beginning of a header. */
function isBeginning(text: string): boolean {
  const start = `{"format":"${format}"`
  return !text.endsWith('\n') && (text.startsWith(start) || start.startsWith(text))
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
