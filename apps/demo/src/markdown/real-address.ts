/**
 * Where a link leads, if its text names another server or mailbox than the link's own; `undefined` otherwise. The time
 * grows with the length of the text alone.
 */
export function realAddress(url: URL, text: string): string | undefined {
  if (url.protocol !== 'mailto:') {
    const isOwn = (host: string): boolean => bare(host) === bare(url.hostname)
    return hostsIn(text).every(isOwn) ? undefined : url.host
  }
  const mailbox = decoded(url.pathname)
  const others = text.toLowerCase().replaceAll(mailbox.toLowerCase(), ' ')
  return hostsIn(others).length === 0 ? undefined : mailbox
}

/** The servers that a text names: after the start of an address any word is one, elsewhere what looks like one. */
function hostsIn(text: string): readonly string[] {
  // Other letters for a dot look like one, and browsers take them for one.
  const words = text.normalize('NFKC').replaceAll('\u3002', '.').split(/\s+/)
  return words.flatMap((word) => {
    const [, named] = /:[/\\]{2,}(.*)/.exec(word) ?? []
    const [, authority = ''] = /^[^\p{L}\p{N}]*([^/\\?#]*)/u.exec(named ?? word) ?? []
    const names = authority.replace(/:\d*$/, '').match(/[\p{L}\p{M}\p{N}_.-]+/gu) ?? []
    return named === undefined ? names.filter((name) => hostLike.test(withoutEndDots(name))) : names
  })
}

const hostLike = /^(?:(?:[^.]+\.)+\p{L}[^.]+|(?:\d{1,3}\.){3}\d{1,3})$/u

/** The name of a server as browsers write it, without what makes no other server of it. */
function bare(host: string): string {
  const name = withoutEndDots(host).toLowerCase()
  return (parseUrl(`http://${name}`)?.hostname ?? name).replace(/^www\./, '')
}

function withoutEndDots(name: string): string {
  return name.replace(/^\.+|(?<!\.)\.+$/g, '')
}

export function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
