/** A piece of a question, with the blanks after it. */
export interface Token {
  readonly kind: string
  /** As it is written; of what is quoted, the inside. */
  readonly text: string
  readonly gap: string
}

const pattern =
  /(?:(?<quoted>"(?:[^"]|"")+"|“[^”]+”)|(?<date>\b\d{4}-\d{2}(?:-\d{2})?(?![\p{L}\p{N}_-]))|(?<number>(?<![^\s([$€£<>=])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}_]))|(?<word>[\p{L}\p{N}\p{M}_]+(?:['’]\p{L}+)*)|(?<mark>\S))(?<gap>\s*)/gu

export function toTokens(text: string): readonly Token[] {
  return [...text.matchAll(pattern)].map(({ groups: { gap = '', ...kinds } = {} }) => {
    const [kind = '', raw = ''] = Object.entries(kinds).find(([, found]) => found) ?? []
    const inside = kind === 'quoted' ? raw.slice(1, -1).replaceAll('""', '"') : raw
    return { kind, text: inside, gap }
  })
}

export function textOf(tokens: readonly Token[]): string {
  const pieces = tokens.map(({ text, gap }) => text + gap)
  return pieces.join('').trim()
}

/** What is the same in two spellings of a name: `Unit price`, `unit_price`, `unitPrices`. */
export function toStem(text: string): string {
  const word = text.normalize('NFKC').toLowerCase()
  const letters = word.replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
  if (/(?:ss|us|is)$/.test(letters)) return letters
  return letters.replace(/(?<=.{2})ies$/, 'y').replace(/(?<=x|ch|sh|ss)es$|(?<=.)s$/, '')
}

/** The words of a name: `unit_price`, `unitPrice`. */
export function toWords(name: string): readonly string[] {
  const words = name.split(/[^\p{L}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})/u)
  return words.map(toStem).filter((word) => word !== '')
}
