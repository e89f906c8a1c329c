import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { defined } from '../internal/defined.ts'
import type { Environment, PageTurns } from '../internal/environment.ts'
import { fold } from '../kernel/fold.ts'
import { emptyState, type State } from '../kernel/state.ts'
import { statusOf } from '../kernel/status.ts'
import type { SessionStorage } from '../storage/port.ts'
import { sessionStatusOf } from '../storage/session-status.ts'
import { toTitle } from '../storage/title.ts'
import { closeLog } from './close-log.ts'
import { createIntake } from './intake.ts'
import { incomplete } from './list-sessions.ts'
import { readInParts } from './read-in-parts.ts'
import { readLines } from './read-lines.ts'
import { SessionError } from './session-error.ts'
import { cutOff, endLine, type Header, notValid, parseLine, readHeader } from './session-file.ts'
import { removeIncomplete, type SessionWriter, writeSession } from './write-session.ts'

/** How a session is imported. */
export interface ImportOptions {
  /** The name of the session in the storage. Default: a new one, so that a file may be imported twice. */
  readonly sessionId?: string
  /**
   * Whether the session gets the name that it had when it was exported, unless `sessionId` gives another one. Default:
   * no.
   */
  readonly keepsId?: boolean
  /** The limits of the import. More is refused before it is in memory. */
  readonly limits?: Partial<ImportLimits>
  /** Ends the import. Nothing of it is left behind. */
  readonly signal?: AbortSignal
}

/** What an import takes at most. */
export interface ImportLimits {
  /** Bytes of the whole file. Default 1 GiB. */
  readonly maxBytes: number
  /** Bytes of one line, which is the largest event. Default 64 MiB. */
  readonly maxLineBytes: number
  /** Events of the session. Default 1,000,000. */
  readonly maxEvents: number
  /** Bytes of all files of the session together. Default 512 MiB. */
  readonly maxFileBytes: number
}

/** A session that was imported. */
export interface ImportedSession {
  /** The name of the session in the storage. */
  readonly sessionId: string
  /**
   * How many events and files the export could not read. The file holds what could be read of them, the session does
   * not.
   */
  readonly leftOut: number
}

const megabyte = 1024 * 1024

const usualLimits: ImportLimits = {
  maxBytes: 1024 * megabyte,
  maxLineBytes: 64 * megabyte,
  maxEvents: 1_000_000,
  maxFileBytes: 512 * megabyte,
}

/** Where an imported session is stored, and how it is imported. */
interface Importing {
  readonly storage: SessionStorage
  readonly environment: Environment
  readonly options: ImportOptions
}

type Lines = AsyncGenerator<Uint8Array, void, void>

/** Reads a session from a file. Nothing of it is left behind if it fails. */
export async function importSession(
  stream: ReadableStream<Uint8Array>,
  { storage, environment, options }: Importing,
): Promise<ImportedSession> {
  const { signal = new AbortController().signal, keepsId = false } = options
  const limits = { ...usualLimits, ...options.limits }
  const lines = readLines(stream, { ...limits, signal })
  try {
    const first = await lines.next()
    const bytes = first.value ?? new Uint8Array()
    const header = readHeader(textOf(bytes))
    const ownId = keepsId ? header.sessionId : environment.newId('session')
    const sessionId = options.sessionId ?? ownId
    await removeIncomplete(storage)
    const leftOut = await writeSession(storage, sessionId, async (writer) => {
      await writer.describe({ ...titlesOf(header), status: incomplete })
      const intake = createIntake({ ...limits, sessionId, writer })
      await takeLines(withTurns(lines, environment.turns), intake, bytes)
      const state = await closed(intake.state(), { storage, environment, writer })
      // This makes the session visible.
      await writer.describe({ status: sessionStatusOf(statusOf(state)) })
      return intake.counts().leftOut
    })
    return { sessionId, leftOut }
  } finally {
    await lines.return()
  }
}

/** A file may have a gigabyte: the page has its turn after each megabyte. */
async function* withTurns(lines: Lines, { next }: PageTurns): Lines {
  let bytes = 0
  for await (const line of lines) {
    yield line
    bytes += line.length
    if (bytes < megabyte) continue
    bytes = 0
    await next()
  }
}

/** Takes all lines after the header, and checks that they are as they were exported. */
async function takeLines(
  lines: Lines,
  { take, finish, counts }: ReturnType<typeof createIntake>,
  header: Uint8Array,
): Promise<void> {
  const hash = sha256.create().update(header)
  let hasEnded = false
  for await (const bytes of lines) {
    if (hasEnded) throw notValid('it goes on after its end')
    const text = textOf(bytes)
    const line = parseLine(text)
    if (!line) throw text.endsWith('\n') ? notValid('a line is no JSON') : cutOff()
    hasEnded = 'end' in line
    if (!hasEnded) {
      await take(line, bytes.length)
      hash.update(bytes)
    } else if (text !== `${endLine(counts(), bytesToHex(hash.digest()))}\n`) {
      throw changed()
    }
  }
  if (!hasEnded) throw cutOff()
  if (counts().events === 0) throw notValid('it has no event that could be read')
  await finish()
}

/** Ends what the log leaves open, so that opening it starts nothing, and returns its state. */
async function closed(
  lean: State,
  given: Omit<Importing, 'options'> & { readonly writer: SessionWriter },
): Promise<State> {
  const { storage, environment, writer } = given
  const options = { keepsQueues: true }
  if (closeLog(lean, environment, options).added.length === 0) return lean
  // Adding events needs the whole state. That is rare, so the log is read again.
  let state = emptyState(lean.sessionId)
  for await (const event of readInParts(storage, lean.sessionId, lean.nextSeq)) {
    if (event) state = fold(state, event)
  }
  const { added, state: after } = closeLog(state, environment, options)
  await writer.append(added)
  return after
}

function titlesOf({ title, topic }: Header) {
  return defined({ title: title && toTitle(title), topic: topic && toTitle(topic) })
}

/** Bytes that are no text become replacement characters; the checksum, which is of the bytes, detects other changes. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function changed(): SessionError {
  return new SessionError(
    'checksum',
    'The file was changed after the export, or damaged on its way: its checksum is wrong. Export the session again.',
  )
}
