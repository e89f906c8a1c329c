/** Counts different numbers up to a limit, without keeping an object for each. */
export interface DistinctCounter {
  /** Says whether the number was not seen before. Always false once the limit is reached. */
  readonly add: (value: number) => boolean
  readonly count: () => number
}

export function createDistinctCounter(limit: number): DistinctCounter {
  // Open addressing, at most a third full.
  const size = 2 ** Math.ceil(Math.log2(limit * 3))
  const slots = new Float64Array(size).fill(Number.NaN)
  const value64 = new Float64Array(1)
  const halves = new Uint32Array(value64.buffer)
  let count = 0
  return {
    add: (value) => {
      if (count >= limit) return false
      // Adding zero makes -0 and 0 one value.
      value64[0] = value + 0
      let slot =
        (Math.imul((halves[0] ?? 0) ^ Math.imul(halves[1] ?? 0, 0x9e3779b1), 0x85ebca6b) >>> 7) &
        (size - 1)
      for (;;) {
        const kept = slots[slot] ?? 0
        if (kept === value64[0]) return false
        if (Number.isNaN(kept)) break
        slot = (slot + 1) & (size - 1)
      }
      slots[slot] = value64[0] ?? 0
      count++
      return true
    },
    count: () => count,
  }
}

/**
 * A number that stands for a text. Two of 10,000 different texts get the same one with a chance of
 * about 1 in 200 million.
 */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let low = 0x811c9dc5
  let high = to - from
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    low = Math.imul(low ^ byte, 0x01000193)
    high = Math.imul(high + byte, 0x85ebca6b)
    high ^= high >>> 15
  }
  low ^= low >>> 13
  return (high & 0x1fffff) * 4_294_967_296 + (low >>> 0)
}
