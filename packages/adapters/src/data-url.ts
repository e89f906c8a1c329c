/** What a data URL holds. */
interface UrlData {
  readonly mediaType: string
  readonly base64: string
}

/** Bytes as base64 text, as a data URL. */
export function dataUrl(mediaType: string, base64: string): string {
  return `data:${mediaType};base64,${base64}`
}

/** Reads a data URL; `null` for any other address, and for one that cannot be read. */
export function readDataUrl(url: string): UrlData | null {
  const comma = url.indexOf(',')
  if (!/^data:/i.test(url) || comma < 0) return null
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  try {
    const data = decodeURIComponent(url.slice(comma + 1))
    if (parameters.at(-1)?.trim().toLowerCase() !== 'base64')
      return { mediaType, base64: base64Of(data) }
    // A provider refuses a request for one broken file, and every later one with it.
    return base64Form.test(data) ? { mediaType, base64: data } : null
  } catch {
    return null
  }
}

const base64Form = /^[A-Za-z0-9+/]*={0,2}$/

/** A text as base64 of its UTF-8. */
export function base64Of(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The text that is base64 of its UTF-8; `null` if it is no base64. */
export function textIn(base64: string): string | null {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    return null
  }
}
