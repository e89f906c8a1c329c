/** The address of a server. Throws a `TypeError` for an invalid one. */
export function readEndpoint(url: string | URL): URL {
  const base = typeof location === 'undefined' ? undefined : location.href
  // The text of any other object, such as "[object Object]", would be read as a path of this page's server.
  const text = typeof url === 'string' || 'href' in url ? String(url) : ''
  const read = text !== '' && URL.canParse(text, base) ? new URL(text, base) : null
  if (read && /^https?:$/.test(read.protocol) && read.username === '' && read.password === '')
    return read
  // Not quoted: it may hold a token.
  throw new TypeError(
    'The address of an MCP server must begin with https:// or http://, without a user name, or, on a page, be a path.',
  )
}
