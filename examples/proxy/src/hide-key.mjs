/** A longer line goes out in pieces, so that a provider cannot fill the memory. */
const maxLineLength = 250_000

/**
 * Hides a key in an answer that arrives in pieces, wherever they are cut: in the bytes, and in the texts of its JSON,
 * as when one delta of a stream has the first half of the key and the next delta the second. An answer that does not
 * quote the key stays as it is.
 *
 * @param {string} key
 * @returns {{ write: (bytes: Uint8Array) => string, end: () => string }} What may go on to the page.
 */
export function createKeyHider(key) {
  const hideInText = hidePart(key)
  /** @type {Map<string, (text: string) => string>} */
  const byName = new Map()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let name = ''
  let rest = ''

  const hideInLine = (/** @type {string} */ line) =>
    line.replace(/"(?:[^"\\]|\\.)*\\?(?:"(\s*:)?|$)/gs, (literal, colon) => {
      const text = colon === undefined ? readLiteral(literal) : undefined
      if (text === undefined) {
        name = literal
        return literal
      }
      const hide = byName.get(name) ?? hidePart(key)
      byName.set(name, hide)
      const hidden = hide(text)
      return hidden === text ? literal : JSON.stringify(hidden)
    })

  return {
    write: (bytes) => {
      const text = decoder.decode(bytes, { stream: true })
      let end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
      if (end === 0 && rest.length + text.length > maxLineLength) end = text.length
      if (end === 0) {
        rest += text
        return ''
      }
      const ready = rest + text.slice(0, end)
      rest = text.slice(end)
      return hideInText(hideInLine(ready))
    },
    end: () => hideInText(hideInLine(rest + decoder.decode())),
  }
}

/**
 * Hides a key in a text that comes in parts. It is quoted if more than a quarter of it (8 to 16 characters, which may
 * be the beginning that all keys of a provider have) is there: what follows these characters becomes asterisks. A key
 * that is shorter than 16 characters is no secret, but a word that a local server wants.
 *
 * @param {string} key
 * @returns {(part: string) => string}
 */
export function hidePart(key) {
  if (key.length < 16) return (part) => part
  const maxShown = Math.min(Math.max(Math.floor(key.length / 4), 8), 16)
  // The longest end of what was read that is a piece of the key.
  let piece = ''
  return (part) => {
    let hidden = ''
    for (const character of part) {
      piece += character
      while (!key.includes(piece)) piece = piece.slice(1)
      hidden += piece.length > maxShown ? '*' : character
    }
    return hidden
  }
}

/** @param {string} literal @returns {string | undefined} */
function readLiteral(literal) {
  try {
    return String(JSON.parse(literal))
  } catch {
    return undefined
  }
}
