/** The most bytes on their way without an acknowledgement. A larger frame goes alone. */
const maxOnItsWay = 8_000_000
/** The least bytes that a frame counts as. */
const leastCost = 1000

/** The frames of one direction: published in their order, as the other side takes them, and kept until it has them. */
export interface Outbox {
  /** The number of the frame that is added next. */
  readonly end: () => number
  /** The number of the frame that is published next. */
  readonly next: () => number
  /** The size of the kept frames, in bytes. */
  readonly size: () => number
  readonly add: (frame: Uint8Array) => void
  /** All frames before this number have arrived. With `repeat`, those published after them are published again. */
  readonly acknowledge: (number: number, repeat: boolean) => void
  /** Calls back when all frames are published: now, or later. */
  readonly whenPublished: (listener: () => void) => void
}

export function createOutbox(publish: (frame: Uint8Array) => void): Outbox {
  let frames: Uint8Array[] = []
  let first = 0
  let published = 0
  let size = 0
  let onItsWay = 0
  let notify = () => {}

  const publishMore = () => {
    for (let frame = frames[published]; frame; frame = frames[published]) {
      const cost = costOf(frame)
      if (published > 0 && onItsWay + cost > maxOnItsWay) return
      published += 1
      onItsWay += cost
      publish(frame)
    }
    notify()
  }
  return {
    end: () => first + frames.length,
    next: () => first + published,
    size: () => size,
    add: (frame) => {
      frames.push(frame)
      size += costOf(frame)
      publishMore()
    },
    acknowledge: (number, repeat) => {
      const arrived = frames.slice(0, Math.max(0, number - first))
      const cost = arrived.reduce((sum, frame) => sum + costOf(frame), 0)
      frames = frames.slice(arrived.length)
      first += arrived.length
      published -= arrived.length
      size -= cost
      onItsWay -= cost
      if (repeat) for (const frame of frames.slice(0, published)) publish(frame)
      publishMore()
    },
    whenPublished: (listener) => {
      notify = listener
      if (published === frames.length) listener()
    },
  }
}

/** Returns whether so much was taken that the other side waits for an acknowledgement. */
export function createMeter(): { readonly add: (frame: Uint8Array) => boolean } {
  let taken = 0
  return {
    add: (frame) => {
      taken += costOf(frame)
      const isDue = taken >= maxOnItsWay / 4
      if (isDue) taken = 0
      return isDue
    },
  }
}

function costOf(frame: Uint8Array): number {
  return Math.max(frame.length, leastCost)
}
