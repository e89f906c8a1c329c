const schemes = new Set(['https:', 'http:', 'mailto:'])

/** The address a link may lead to, in full; undefined for relative ones and every other scheme. */
export function safeLink(href: string): string | undefined {
  try {
    const url = new URL(href)
    return schemes.has(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}
