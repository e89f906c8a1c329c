import { fromBase64 } from '../internal/base64.ts'
import { isList, isObject } from '../internal/json.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { emptyState, type State } from '../kernel/state.ts'
import { foldStored } from '../runtime/read-log.ts'
import { maxDepth } from '../runtime/shape.ts'
import { isDerived } from '../storage/derived-bytes.ts'
import { StorageError } from '../storage/port.ts'
import { tooLarge } from './read-lines.ts'
import { SessionError } from './session-error.ts'
import { type Counts, type Line, notValid } from './session-file.ts'
import { withoutContent } from './without-content.ts'
import type { SessionWriter } from './write-session.ts'

/** Takes the lines of a file into a new session. */
export interface Intake {
  /** Takes a line and its length in bytes. Rejects with a `SessionError` if it cannot follow the lines before. */
  readonly take: (line: Line, size: number) => Promise<void>
  /** Stores what is left. */
  readonly finish: () => Promise<void>
  readonly counts: () => Counts
  /** The state without contents. */
  readonly state: () => State
}

interface IntakeOptions {
  readonly sessionId: string
  readonly writer: SessionWriter
  readonly maxEvents: number
  readonly maxFileBytes: number
}

export function createIntake({ sessionId, writer, ...limits }: IntakeOptions): Intake {
  const log = createLogIntake(sessionId, writer, limits.maxEvents)
  const files = createFileIntake(writer, limits.maxFileBytes)
  let leftOut = 0
  return {
    take: async (line, size) => {
      if ('event' in line) return await log.take(line['event'], size)
      if ('file' in line) return await files.start(line['file'])
      if ('data' in line) return await files.add(line['data'])
      if (!('leftOut' in line)) throw notValid('a line is of no known kind')
      leftOut += 1
      // A file whose bytes are incomplete is dropped.
      files.drop()
    },
    finish: async () => {
      files.end()
      await log.store()
    },
    counts: () => ({ events: log.state().nextSeq, files: files.count(), leftOut }),
    state: log.state,
  }
}

/** The most events that are stored at once, and the most bytes of their lines. */
const batchSize = 200
const batchBytes = 1_000_000

function createLogIntake(sessionId: string, { append }: SessionWriter, maxEvents: number) {
  let state = emptyState(sessionId)
  let batch: DurableEvent[] = []
  let bytes = 0

  async function store(): Promise<void> {
    const events = batch
    batch = []
    bytes = 0
    if (events.length > 0) await append(events)
  }

  return {
    state: () => state,
    store,
    take: async (given: unknown, size: number): Promise<void> => {
      const { nextSeq } = state
      if (nextSeq >= maxEvents) throw tooLarge('The session', maxEvents, 'events')
      if (!isEvent(given)) throw notValid(`event ${nextSeq} is none`)
      const event = { ...given, sessionId }
      const next = foldStored(state, event)
      if (next instanceof StorageError) throw refusal(next, nextSeq)
      state = withoutContent(next)
      batch.push(event)
      bytes += size
      if (batch.length >= batchSize || bytes >= batchBytes) await store()
    },
  }
}

/** The deepest nesting of an event, its own levels around data included: more is an attack on the reader. */
const maxLevels = maxDepth + 20

/** Whether a value has the fields that every event has. Its other fields are checked when it is folded. */
function isEvent(value: unknown): value is DurableEvent {
  if (!isObject(value) || !hasLevels(value, maxLevels)) return false
  const { v, seq, ts, sessionId, runId, turn, type } = value
  return (
    [v, seq, ts, turn].every((number) => typeof number === 'number' && Number.isFinite(number)) &&
    [type, sessionId, runId ?? ''].every((text) => typeof text === 'string')
  )
}

function hasLevels(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (most === 0) return false
  const fields: readonly unknown[] = isList(value) ? value : Object.values(value)
  return fields.every((field) => hasLevels(field, most - 1))
}

function refusal({ kind }: StorageError, seq: number): SessionError {
  if (kind !== 'newer') return notValid(`event ${seq} cannot follow the one before it`)
  return new SessionError(
    'version',
    'The session was written by a newer version of the app. Reload the page to get it, then import the file again.',
  )
}

function createFileIntake({ writeBytes }: SessionWriter, maxBytes: number) {
  let file: { readonly label: FileLabel; readonly pieces: Blob[]; size: number } | null = null
  let total = 0
  let count = 0

  async function storeWhole(): Promise<void> {
    if (!file || file.size < file.label.size) return
    const { label, pieces, size } = file
    if (size > label.size) throw notValid(`the file ${label.key} is longer than it says`)
    file = null
    await writeBytes(label.key, new Blob(pieces, { type: label.type }))
    count += 1
  }

  function end(): void {
    if (file) throw notValid(`the end of the file ${file.label.key} is missing`)
  }

  return {
    count: () => count,
    end,
    drop: () => {
      file = null
    },
    start: async (given: unknown): Promise<void> => {
      end()
      const label = readLabel(given)
      if (!label) throw notValid('a file has no name or size')
      total += label.size
      if (total > maxBytes) throw tooLarge('Its files together', maxBytes)
      file = { label, pieces: [], size: 0 }
      await storeWhole()
    },
    add: async (data: unknown): Promise<void> => {
      const piece = typeof data === 'string' ? fromBase64(data) : null
      if (!file || !piece) throw notValid('there are bytes that belong to no file')
      // A browser keeps the bytes of a blob outside of the page's memory.
      file.pieces.push(new Blob([piece]))
      file.size += piece.length
      await storeWhole()
    },
  }
}

interface FileLabel {
  readonly key: string
  readonly type: string
  readonly size: number
}

function readLabel(given: unknown): FileLabel | null {
  const { key, type, size } = isObject(given) ? given : {}
  if (typeof key !== 'string' || typeof type !== 'string' || typeof size !== 'number') return null
  return Number.isSafeInteger(size) && size >= 0 && !isDerived(key) ? { key, type, size } : null
}
