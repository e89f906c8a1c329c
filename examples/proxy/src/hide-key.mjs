/** A longer line goes out in pieces, so that a provider cannot fill the memory. */
const maxLineLength = 250_000
/** How many names have a text that may go on. */
const maxNames = 1000

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
  let index = ''
  let rest = ''

  const hiderOf = (/** @type {string} */ place) => {
    const hide = byName.get(place) ?? hidePart(key)
    byName.delete(place)
    byName.set(place, hide)
    const [oldest] = byName.keys()
    if (oldest !== undefined && byName.size > maxNames) byName.delete(oldest)
    return hide
  }
  const hideInLine = (/** @type {string} */ line) =>
    line.replace(
      /"(?:[^"\\]|\\.)*\\?(?:"(\s*:(?:\s*\d+)?)?|$)/gs,
      (/** @type {string} */ literal, /** @type {string} */ colon = '') => {
        const text = readLiteral(literal.slice(0, literal.length - colon.length))
        if (text === undefined || colon !== '') {
          name = text ?? literal
          if (name === 'index') index = colon
          return literal
        }
        // Of a name alone, and of one of several calls that come at the same time.
        const hidden = hiderOf(`${name}${index}:`)(hiderOf(name)(text))
        return hidden === text ? literal : JSON.stringify(hidden)
      },
    )

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
 * be the beginning that all keys of a provider have) is there: what follows these characters becomes asterisks. The text
 * may be JSON itself, as the arguments of a call are, or an address, so their escapes are read, too. A key that is shorter than 16
 * characters is no secret, but a word that a local server asks for.
 *
 * @param {string} key
 * @returns {(part: string) => string}
 */
export function hidePart(key) {
  if (key.length < 16) return (part) => part
  const maxShown = Math.min(Math.max(Math.floor(key.length / 4), 8), 16)
  // The longest end of what was read that is a piece of the key.
  let piece = ''
  // An escape that ends with the next part, and how much of it has gone on.
  let begun = ''
  let passed = 0
  const isHidden = (/** @type {string} */ character) => {
    // A text in UTF-16 has these between its characters.
    if (character === '\0') return false
    piece += character
    while (!key.includes(piece)) piece = piece.slice(1)
    return piece.length > maxShown
  }
  const hide = (/** @type {string} */ text) => {
    let hidden = ''
    for (const character of text) hidden += isHidden(character) ? '*' : character
    return hidden
  }
  return (part) => {
    const [plain = '', ...found] = (begun + part).split(escapes)
    const before = passed
    begun = ''
    passed = 0
    let hidden = hide(plain)
    for (let at = 0; at < found.length; at += 2) {
      const [written = '', after = ''] = found.slice(at, at + 2)
      const character = characterOf(written)
      if (character !== undefined) hidden += isHidden(character) ? '*' : written
      else if (at + 2 === found.length && after === '') {
        begun = written
        // So much of the key was shown that this could be the character too much.
        passed = piece.length < maxShown ? written.length : 0
        hidden += written.slice(0, passed)
      } else hidden += hide(written)
      hidden += hide(after)
    }
    return hidden.slice(before)
  }
}

/**
 * As JSON writes characters, at any depth of JSON in JSON, and as addresses do, and the start of such an escape at the end
 * of a text.
 */
const escapes = /(\\{1,9}(?:u[\da-f]{4}|\/|u[\da-f]{0,3}$|$)|%(?:[\da-f]{2}|[\da-f]?$))/i

/** @param {string} written @returns {string | undefined} */
function characterOf(written) {
  if (written.endsWith('/')) return '/'
  const [code] = /(?<=u)....$|(?<=%)..$/i.exec(written) ?? []
  return code && String.fromCharCode(Number.parseInt(code, 16))
}

/** @param {string} literal @returns {string | undefined} */
function readLiteral(literal) {
  try {
    return String(JSON.parse(literal))
  } catch {
    return undefined
  }
}
