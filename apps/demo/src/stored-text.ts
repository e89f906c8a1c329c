type Place = 'localStorage' | 'sessionStorage'

/** A text that this browser keeps; `null` if there is none, or if the browser keeps nothing. */
export function storedText(key: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(key)
  } catch {
    return null
  }
}

/** Keeps a text, or nothing instead of it. Where the browser keeps nothing, it is forgotten with the page. */
export function storeText(key: string, text: string | null, place: Place = 'localStorage'): void {
  try {
    if (text === null) globalThis[place].removeItem(key)
    else globalThis[place].setItem(key, text)
  } catch {
    // The page works without it.
  }
}
