/** Does work with `localStorage`. `null` where the browser has none, forbids it, or has no space for it. */
export function inLocalStorage<Result>(work: (storage: Storage) => Result): Result | null {
  try {
    return 'localStorage' in globalThis ? work(localStorage) : null
  } catch {
    return null
  }
}
