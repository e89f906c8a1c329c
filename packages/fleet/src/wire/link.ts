import { createMeter, createOutbox, type Outbox } from './outbox.ts'
import { bytesOf, maxMessageBytes, type PackedMessage, packedSize } from './pack.ts'

/**
 * What goes over a subject: one byte that says what it is, a number, and a piece of a message. Pieces are numbered from 0
 * in each direction. A state has three numbers: the next piece that its sender will send, the next piece that it waits
 * for, and the `next` of the last state that it received. From the last two the other side sees which pieces were lost,
 * and sends them again.
 */
const kinds = { piece: 0, lastPiece: 1, state: 2, close: 3 } as const
type Kind = keyof typeof kinds

const headBytes = 5
const stateBytes = 8
/** A server that takes less is of no use. */
const leastPayload = 1024
/** Inner pieces smaller than this are counted: their sender may be making as many frames as it can. */
const leastPiece = 1000
/** Room for the length of the JSON. */
const slackBytes = 4
/** The bytes that are kept for the other side: two messages of the largest kind. */
export const maxKeptBytes: number = 2 * maxMessageBytes

export interface LinkOptions {
  /** Sends a frame. If it throws, `failed` is called, for messages with Blobs later. */
  readonly publish: (frame: Uint8Array) => void
  readonly maxPayload: number
  readonly failed: (error: unknown) => void
  /** Called when the other side will send nothing more. */
  readonly closed: () => void
  /** Called when the other side does not keep to the protocol. */
  readonly broken: (why: 'tooLarge' | 'unreadable') => void
  /** Whether each state of the other side is answered by one. One side answers, the other one starts. */
  readonly answers: boolean
  /** The least milliseconds between two repetitions, however often the other side asks. */
  readonly pauseMs: number
  readonly now: () => number
}

/** Both directions between a page and a thread. Each message arrives once, in its order, though frames are lost. */
export interface Link {
  /** Whether a message fits beside those that the other side has not acknowledged. */
  readonly hasRoom: (message: PackedMessage) => boolean
  /** Sends a message after those before it, in as many pieces as the server asks for. */
  readonly send: (message: PackedMessage) => void
  /** Sends a frame that shows that this side lives, and acknowledges the messages that have arrived. */
  readonly beat: () => void
  /** Calls back when everything that was to be sent is on its way: now, or later. */
  readonly whenPublished: (listener: () => void) => void
  /** Sends the last frame. Messages whose Blobs are still being read are dropped. */
  readonly close: () => void
  /**
   * Takes a frame if it is the next piece of a message, but not the last: such a piece completes nothing. Returns
   * whether it was one.
   */
  readonly takeInner: (frame: Uint8Array) => boolean
  /** Takes a frame of the other side. Returns the bytes of the message that it completes. */
  readonly receive: (frame: Uint8Array) => Uint8Array | undefined
}

export function createLink({ maxPayload, failed, closed, broken, ...options }: LinkOptions): Link {
  const publish = catching(options.publish, failed)
  const outbox = createOutbox(publish)
  const sender = createSender({ outbox, pieceSize: maxPayload - headBytes, failed })
  const meter = createMeter()
  // Acknowledges when much was taken: the other side may have stopped until then, and the next sign of life may be a
  // while off.
  const reader = createReader(broken, (frame) => meter.add(frame) && beat())
  const mayRepeat = createPause(options)
  let otherNext = 0

  const beat = () => publish(frameOf('state', outbox.next(), numbers(reader.next(), otherNext)))
  const receiveState = (next: number, state: DataView) => {
    const [awaited, known] = [state.getUint32(headBytes), state.getUint32(headBytes + 4)]
    if (awaited > outbox.next()) return broken('unreadable')
    otherNext = next
    // Frames keep their order, so the pieces before the known one have arrived or are lost.
    outbox.acknowledge(awaited, awaited < known && mayRepeat())
    if (options.answers) beat()
  }
  return {
    ...sender,
    beat,
    close: () => {
      publish(frameOf('close', outbox.next()))
      sender.close()
    },
    takeInner: reader.takeInner,
    receive: (frame) => {
      const view = viewOf(frame)
      const kind = frame.length < headBytes ? undefined : view.getUint8(0)
      if (kind === kinds.piece || kind === kinds.lastPiece) return reader.take(frame)
      if (kind === kinds.close) closed()
      else if (kind === kinds.state && frame.length === headBytes + stateBytes)
        receiveState(view.getUint32(1), view)
      else broken('unreadable')
      return undefined
    },
  }
}

/** Sends messages in pieces, in their order, though some have to be read first. */
function createSender({
  outbox,
  pieceSize,
  failed,
}: {
  readonly outbox: Outbox
  readonly pieceSize: number
  readonly failed: LinkOptions['failed']
}): Pick<Link, 'hasRoom' | 'send' | 'whenPublished' | 'close'> {
  let isClosed = false
  let before: Promise<void> | undefined
  /** Bytes of messages that are being read. */
  let unread = 0

  const sendPieces = (bytes: Uint8Array) => {
    for (let start = 0; start < bytes.length && !isClosed; start += pieceSize) {
      const kind = start + pieceSize >= bytes.length ? 'lastPiece' : 'piece'
      outbox.add(frameOf(kind, outbox.end(), bytes.subarray(start, start + pieceSize)))
    }
  }
  return {
    hasRoom: (message) => outbox.size() + unread + packedSize(message) <= maxKeptBytes,
    send: (message) => {
      const bytes = bytesOf(message)
      if (!before && bytes instanceof Uint8Array) return sendPieces(bytes)
      unread += packedSize(message)
      const done: Promise<void> = Promise.all([bytes, before])
        .then(([read]) => sendPieces(read))
        .catch(failed)
        .finally(() => {
          unread -= packedSize(message)
          if (before === done) before = undefined
        })
      before = done
    },
    whenPublished: (listener) => {
      if (before) void before.then(() => outbox.whenPublished(listener))
      else outbox.whenPublished(listener)
    },
    close: () => {
      isClosed = true
    },
  }
}

/** Whether a frame is a piece that completes no message. */
function isInnerPiece(frame: Uint8Array): boolean {
  return frame[0] === kinds.piece
}

/** Why a server cannot be used; `undefined` when it can. */
export function payloadProblem(maxPayload: number): string | undefined {
  if (maxPayload >= leastPayload) return undefined
  return `The NATS server takes messages of at most ${maxPayload} bytes: raise its max_payload to ${leastPayload} or more.`
}

function catching(
  publish: LinkOptions['publish'],
  failed: LinkOptions['failed'],
): LinkOptions['publish'] {
  return (frame) => {
    try {
      publish(frame)
    } catch (error) {
      failed(error)
    }
  }
}

/** Returns whether it is time again, at most once in each pause. */
function createPause({ pauseMs, now }: Pick<LinkOptions, 'pauseMs' | 'now'>): () => boolean {
  let dueAt = Number.NEGATIVE_INFINITY
  return () => {
    if (now() < dueAt) return false
    dueAt = now() + pauseMs
    return true
  }
}

/** Puts the pieces of messages together. A piece that was taken already, or comes too early, is ignored. */
function createReader(broken: LinkOptions['broken'], taken: (frame: Uint8Array) => void) {
  let next = 0
  let pieces: Uint8Array[] = []
  let size = 0
  const isNext = (frame: Uint8Array) => viewOf(frame).getUint32(1) === next
  const take = (frame: Uint8Array): Uint8Array | undefined => {
    if (!isNext(frame)) return undefined
    const isInner = isInnerPiece(frame)
    if (isInner && frame.length < leastPiece) {
      broken('unreadable')
      return undefined
    }
    next += 1
    // A copy: what a connection hands over may be used again.
    pieces.push(frame.slice(headBytes))
    size += frame.length - headBytes
    taken(frame)
    if (size > maxMessageBytes + slackBytes) broken('tooLarge')
    if (isInner) return undefined
    const whole = joined(pieces, size)
    pieces = []
    size = 0
    return whole
  }
  return {
    next: () => next,
    take,
    takeInner: (frame: Uint8Array): boolean => {
      const isTaken = isInnerPiece(frame) && frame.length >= leastPiece && isNext(frame)
      if (isTaken) take(frame)
      return isTaken
    },
  }
}

function viewOf(frame: Uint8Array): DataView {
  return new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
}

function frameOf(kind: Kind, number: number, rest: Uint8Array = new Uint8Array()): Uint8Array {
  const frame = new Uint8Array(headBytes + rest.length)
  const view = new DataView(frame.buffer)
  view.setUint8(0, kinds[kind])
  view.setUint32(1, number)
  frame.set(rest, headBytes)
  return frame
}

function numbers(awaited: number, known: number): Uint8Array {
  const bytes = new Uint8Array(stateBytes)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, awaited)
  view.setUint32(4, known)
  return bytes
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = pieces
  if (first && pieces.length === 1) return first
  const whole = new Uint8Array(size)
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}
