import { yieldToPage } from '../../internal/yield-to-page.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import type { State } from '../../kernel/state.ts'
import {
  createStateMaker,
  itemsOf,
  type StateItem,
  stateVersion,
} from '../../kernel/state-items.ts'
import type { Claim, SessionStorage } from '../../storage/port.ts'

/** The state of a stored session at some event, so that the next opening need not fold the events up to it. */
export interface Snapshot {
  readonly state: State
  /** The last event that it covers. A log that has another one in its place is another log. */
  readonly last: DurableEvent
}

/** The key under which the snapshot is kept. */
const snapshotKey = 'offthread:state'

/** The first line of a snapshot. */
interface Head {
  readonly version: number
  readonly last: DurableEvent
}

/** Characters that are written or read between two pauses: about a millisecond. */
const lineChars = 50_000

/** Keeps a snapshot in place of the one before, in slices that let the page have its turn. */
export async function writeSnapshot(
  { keepBytes }: Pick<Claim, 'keepBytes'>,
  snapshot: Snapshot,
): Promise<void> {
  const lines: Blob[] = []
  for (const line of linesOf(snapshot)) {
    lines.push(new Blob([line]))
    await yieldToPage()
  }
  await keepBytes(snapshotKey, new Blob(lines))
}

/** The text that is kept: what it is a snapshot of, then the items of the state, many in a line. */
export function* linesOf(
  { state, last }: Snapshot,
  version: number = stateVersion,
): Generator<string, void> {
  const head: Head = { version, last }
  const encoder = new TextEncoder()
  let sum = 0
  const lineOf = (text: string): string => {
    sum = checksum(sum, encoder.encode(text))
    return `${hexOf(sum)}${text}\n`
  }
  yield lineOf(JSON.stringify(head))
  let texts: string[] = []
  let chars = 0
  for (const item of itemsOf(state)) {
    const text = JSON.stringify(item)
    texts.push(text)
    chars += text.length
    if (chars < lineChars && item.kind !== 'state') continue
    yield lineOf(`[${texts.join()}]`)
    texts = []
    chars = 0
  }
}

/** The snapshot of a session. `null` if there is none, or if it cannot be used for any reason. */
export async function readSnapshot(
  storage: SessionStorage,
  sessionId: string,
): Promise<Snapshot | null> {
  try {
    const stored = await storage.readBytes(sessionId, snapshotKey)
    const snapshot = stored && (await snapshotIn(new Uint8Array(await stored.arrayBuffer())))
    return snapshot?.state.sessionId === sessionId ? snapshot : null
  } catch {
    return null
  }
}

async function snapshotIn(bytes: Uint8Array): Promise<Snapshot | null> {
  const next = createLineReader(bytes)
  const first = next()
  if (first === null) return null
  const { version, last } = readHead(first)
  if (version !== stateVersion) return null
  const maker = createStateMaker()
  for (let line = next(); line !== null; ) {
    for (const item of readItems(line)) maker.add(item)
    line = next()
    if (line !== null) await yieldToPage()
  }
  const state = maker.state()
  return state?.nextSeq === last.seq + 1 ? { state, last } : null
}

// A text whose checksums are right was written by this code.
const readHead: (text: string) => Head = JSON.parse
const readItems: (text: string) => readonly StateItem[] = JSON.parse

const newline = 10

/** Returns the text of line after line, and `null` at the end. Throws when a checksum is wrong. */
function createLineReader(bytes: Uint8Array): () => string | null {
  const decoder = new TextDecoder()
  let at = 0
  let sum = 0
  return () => {
    if (at === bytes.length) return null
    const end = bytes.indexOf(newline, at)
    if (end < 0) throw new TypeError('The snapshot is cut off.')
    const known = decoder.decode(bytes.subarray(at, at + sumChars))
    const text = bytes.subarray(at + sumChars, end)
    at = end + 1
    sum = checksum(sum, text)
    if (known !== hexOf(sum)) throw new TypeError('The snapshot is damaged.')
    return decoder.decode(text)
  }
}

const sumChars = 8

function hexOf(sum: number): string {
  return (sum >>> 0).toString(16).padStart(sumChars, '0')
}

/**
 * The checksum of a line, which depends on all lines before it. Each step can be undone, so one changed word, or a
 * changed length, always shows. It is against accidents only.
 */
function checksum(before: number, line: Uint8Array): number {
  // A copy, because its last word is filled up. Not with `for … of`, which takes six times as long.
  const words = new DataView(new ArrayBuffer((line.length + 3) & ~3))
  new Uint8Array(words.buffer).set(line)
  let sum = before ^ line.length
  for (let at = 0; at < words.byteLength; at += 4) {
    sum = Math.imul(sum ^ words.getInt32(at, true), 0x01000193)
    sum ^= sum >>> 15
  }
  return sum
}
