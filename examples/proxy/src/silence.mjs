/**
 * Aborts `signal` when it was not interrupted for so long.
 *
 * @param {number} ms
 * @returns {{ signal: AbortSignal, interrupt: () => void, end: () => void }}
 */
export function watchSilence(ms) {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(), ms)
  return {
    signal: silent.signal,
    interrupt: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  }
}
