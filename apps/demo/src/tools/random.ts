/** Gives numbers from 0 up to, but not including, 1. */
export type Random = () => number

/**
 * xoshiro128** of Blackman and Vigna: fast, and its sequence is the same everywhere for a seed, which that of
 * `Math.random` is not.
 */
export function createRandom(seed: number): Random {
  const mix = splitMix(seed)
  let a = mix()
  let b = mix()
  let c = mix()
  let d = mix()
  return () => {
    const product = Math.imul(b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result / 4_294_967_296
  }
}

/** Spreads a seed over the state: neighbouring seeds must not give similar sequences. */
function splitMix(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}
