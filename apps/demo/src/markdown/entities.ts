const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  times: '×',
  middot: '·',
  bull: '•',
  deg: '°',
  plusmn: '±',
  le: '≤',
  ge: '≥',
  ne: '≠',
  larr: '←',
  rarr: '→',
  copy: '©',
  reg: '®',
  euro: '€',
}

/** Resolves character references. Unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (whole, ...groups: unknown[]) => {
      const [decimal, hex, name] = groups
      if (typeof decimal === 'string') return fromCodePoint(Number(decimal), whole)
      if (typeof hex === 'string') return fromCodePoint(Number.parseInt(hex, 16), whole)
      return typeof name === 'string' ? (named[name] ?? whole) : whole
    },
  )
}

function fromCodePoint(code: number, otherwise: string): string {
  const legal = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return legal ? String.fromCodePoint(code) : otherwise
}
