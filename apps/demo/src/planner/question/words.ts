import { questionWords } from './vocabulary.ts'

export interface Token {
  readonly kind: 'word' | 'number' | 'date' | 'quoted' | 'mark'
  /** As typed. */
  readonly text: string
  /** Folded: lower case, no accents. */
  readonly word: string
  readonly stem: string
  /** NaN unless it is a number. */
  readonly value: number
  readonly start: number
  readonly end: number
}

const pieces =
  /(?<quoted>"[^"\n]{1,200}"|“[^”\n]{1,200}”|`[^`\n]{1,200}`|(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}]))|(?<date>\d{4}-\d{2}-\d{2})|(?<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:(?:k|m|bn)(?![\p{L}\p{N}]))?)|(?<word>\p{L}[\p{L}\p{M}\p{N}]*)|(?<mark>>=|<=|<>|!=|[<>=,;:?!()+%&/.-])/giu

const scales: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, bn: 1e9 }

/** Cuts a sentence into words, numbers, dates, quoted strings and marks. */
export function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(pieces)) {
    const found = match.groups ?? {}
    const start = match.index
    const whole = match[0]
    if (found['quoted'] !== undefined)
      tokens.push({ ...toToken('quoted', whole.slice(1, -1), start), end: start + whole.length })
    else if (found['date'] !== undefined) tokens.push(toToken('date', whole, start))
    else if (found['number'] !== undefined) tokens.push(toToken('number', whole, start))
    else if (found['word'] !== undefined) tokens.push(...splitCamelCase(whole, start))
    else tokens.push(toToken('mark', whole, start))
  }
  return joinNumberWords(tokens)
}

/** The comparable words of a name such as `orderTotal_GBP`. */
export function wordsOf(name: string): readonly string[] {
  return tokenise(splitAtDigits(name).replaceAll('_', ' '))
    .filter((token) => token.kind !== 'mark')
    .map((token) => token.stem)
}

/** `S2` as the two tokens that `wordsOf` makes of it: what is said is cut like the names it is compared with. */
export function comparableTokens(token: Token): readonly Token[] {
  return token.kind === 'word' && /\p{L}\d/u.test(token.text)
    ? tokenise(splitAtDigits(token.text))
    : [token]
}

function splitAtDigits(text: string): string {
  return text.replace(/(\p{L})(\d)/gu, '$1 $2')
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Singular, and one spelling for British and American forms. Both sides of a comparison go through here. */
export function stemOf(word: string): string {
  let stem = word
  if (stem.length > 4 && stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`
  else if (stem.length > 4 && /(?:x|ch|sh|ss|zz)es$/.test(stem)) stem = stem.slice(0, -2)
  else if (stem.length > 3 && stem.endsWith('s') && !/(?:ss|us|is)$/.test(stem))
    stem = stem.slice(0, -1)
  return stem
    .replace(/our$/, 'or')
    .replace(/tre$/, 'ter')
    .replace(/ise$/, 'ize')
    .replace(/yse$/, 'yze')
}

/** True when one typing mistake (two in long words) lies between the words. */
export function isTypoOf(typed: string, meant: string): boolean {
  const shorter = Math.min(typed.length, meant.length)
  if (shorter < 4 || Math.abs(typed.length - meant.length) > 2 || questionWords.has(typed))
    return false
  // Another digit is another thing, not a slip.
  if (/\d/.test(typed) || /\d/.test(meant)) return false
  if (typed[0] !== meant[0]) return false
  return distance(typed, meant) <= (shorter >= 8 ? 2 : 1)
}

/** Edit distance in which two swapped neighbours count as one mistake. */
export function distance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    const above = rows[i - 1] ?? []
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1]
      let best = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (swapped) best = Math.min(best, (rows[i - 2]?.[j - 2] ?? 0) + 1)
      row.push(best)
    }
    rows.push(row)
  }
  return rows[left.length]?.[right.length] ?? 0
}

const numberWords: Readonly<Record<string, number>> = {
  twice: 2,
  thrice: 3,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  dozen: 12,
}
const scaleWords: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  mio: 1e6,
}

/** `twenty five`, `two hundred`, `a million`, `20 million` become one number token. */
function joinNumberWords(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  let index = 0
  while (index < tokens.length) {
    const number = readNumberWords(tokens, index)
    const first = tokens[index]
    const last = tokens[number.next - 1]
    if (first === undefined) break
    if (number.value === undefined || last === undefined) {
      joined.push(first)
      index++
      continue
    }
    joined.push({ ...first, kind: 'number', value: number.value, end: last.end })
    index = number.next
  }
  return joined
}

function readNumberWords(
  tokens: readonly Token[],
  from: number,
): { readonly value?: number; readonly next: number } {
  let index = from
  let value: number | undefined
  const first = tokens[from]
  const second = tokens[from + 1]?.word ?? ''
  if (first?.kind === 'number') value = first.value
  else if (first !== undefined && Object.hasOwn(numberWords, first.word))
    value = numberWords[first.word]
  else if (/^(?:a|an|one|half)$/.test(first?.word ?? '') && Object.hasOwn(scaleWords, second))
    value = 1
  else if (first?.word === 'half' && second === 'a') {
    value = 0.5
    index++
  } else return { next: from + 1 }
  index++
  for (; index < tokens.length; index++) {
    const word = tokens[index]?.word ?? ''
    const joinsTens =
      tokens[index]?.word === '-' &&
      Object.hasOwn(numberWords, tokens[index + 1]?.word ?? '') &&
      first?.kind === 'word'
    if (Object.hasOwn(scaleWords, word)) value = (value ?? 1) * (scaleWords[word] ?? 1)
    else if ((value ?? 0) >= 20 && first?.kind === 'word' && (numberWords[word] ?? 10) < 10)
      value = (value ?? 0) + (numberWords[word] ?? 0)
    else if (!joinsTens) break
  }
  return value === undefined ? { next: from + 1 } : { value, next: index }
}

function splitCamelCase(word: string, start: number): readonly Token[] {
  const parts = /\p{Ll}\p{Lu}/u.test(word) ? word.split(/(?<=\p{Ll})(?=\p{Lu})/u) : [word]
  let offset = start
  return parts.map((part) => {
    const token = toToken('word', part, offset)
    offset += part.length
    return token
  })
}

function toToken(kind: Token['kind'], text: string, start: number): Token {
  const end = start + text.length
  const word = fold(text)
  return {
    kind,
    text,
    word,
    stem: kind === 'word' ? stemOf(word) : word,
    value: kind === 'number' ? toValue(word) : Number.NaN,
    start,
    end,
  }
}

function toValue(word: string): number {
  const match = /^([\d,.]+)(k|m|bn)?$/.exec(word)
  return Number((match?.[1] ?? '').replaceAll(',', '')) * (scales[match?.[2] ?? ''] ?? 1)
}
