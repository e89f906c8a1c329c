import type { Key, Sign, Statistic } from './reading.ts'

/** Every word and phrase that the grammar reads, by the letter that stands for its kind in the rules. */
const phrases = {
  n: 'how many|number of|number|count|count of|total number of',
  d: 'different|distinct|unique',
  s: 'sum|total|mean|average|avg|median',
  x: 'min|minimum|lowest|smallest|earliest|max|maximum|highest|largest|biggest|latest',
  m: 'most|fewest|least',
  k: 'most common|most frequent|least common|least frequent',
  t: 'top|bottom',
  b: 'by|per|each|every|for each|for every|in each|of each|grouped by',
  // “North and South” may be asked for together or side by side.
  a: 'and|or',
  A: 'and',
  ',': ',',
  e: 'is|=|are|equals',
  '-': 'not|is not|are not|non|non -|except|except for|excluding|other than|outside',
  E: 'is empty|are empty|is missing|are missing|is given|are given',
  W: 'without|without any|no|missing',
  B: 'between',
  '>': 'over|above|more than|greater than|higher than|>|under|below|less than|fewer than|lower than|<|at least|> =|at most|< =',
  S: 'before|since|after',
  f: 'from',
  w: 'which|what|who',
  l: 'list|show|display|show us',
  h: 'share|percentage|percent|proportion|%',
  p: 'plot|draw|chart|chart of',
  g: 'histogram|distribution',
  o: 'scatter|scatter plot|scatter chart|scatterplot',
  V: 'against|vs|versus',
  // These change nothing about what a question of this grammar asks.
  '': 'give us|tell us|in total|overall|altogether|like to know|want to know|need to know|that are|that were|who are|who were|which are|which were',
}

const stopWords =
  `the a an of in at on for with was were be been there do does did have has had having we i me my our
  you your please can could would like want need tell give see find get calculate compute what's all where whose also then
  hi hello hey thanks know during . ? ! : ; ( ) ' ’ - – — … $ € £`.split(/\s+/)

const kindsByPhrase = new Map<string, readonly string[]>(stopWords.map((word) => [word, ['']]))
for (const [kind, list] of Object.entries(phrases))
  for (const one of list.split('|')) kindsByPhrase.set(one, [...kindsOf(one), kind])

export function kindsOf(phrase: string): readonly string[] {
  return kindsByPhrase.get(phrase) ?? []
}

export function statisticOf(word: string): Statistic {
  if (/^(?:sum|total)/.test(word)) return 'sum'
  if (/^(?:mean|average|avg)/.test(word)) return 'mean'
  return /^median/.test(word) ? 'median' : isLow(word) ? 'min' : 'max'
}

export function isLow(word: string): boolean {
  return /^(?:min|low|small|earl|few|least|bottom|cheap|short)/.test(word)
}

export function signOf(word: string): Sign {
  if (word === 'is') return 'is'
  if (/given/.test(word)) return 'is given'
  if (/[EW]/.test(kindsOf(word).join(''))) return 'is empty'
  if (kindsOf(word).includes('-')) return 'is not'
  if (/at least|since|^> =/.test(word)) return 'at least'
  if (/at most|^< =/.test(word)) return 'at most'
  return /before|under|below|less|fewer|lower|</.test(word) ? 'under' : 'over'
}

export function datePartOf(word: string): Key['part'] {
  return (['year', 'month', 'day'] as const).find((part) => word.replace(/s$/, '') === part)
}

const months =
  'january february march april may june july august september october november december'

/** `01` for January; `undefined` for a word that is no month. */
export function monthOf(word: string): string | undefined {
  const at = months.split(' ').indexOf(word)
  return at < 0 ? undefined : String(at + 1).padStart(2, '0')
}

const small = 'zero one two three four five six seven eight nine ten'.split(' ')

const units: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 }

/** The numbers that a text may mean. With decimal commas, 1.000 and 1,000 may each be two numbers. */
export function numbersOf(text: string, hasCommas: boolean): readonly number[] {
  if (small.indexOf(text) > 0) return [small.indexOf(text)]
  const [, some = '', unit = ''] = /^(\S+) (thousand|million|billion)$/.exec(text) ?? []
  if (some) return numbersOf(some, hasCommas).map((number) => number * (units[unit] ?? 1))
  const withPoint = /^-?\d+(?:,\d{3})*(?:\.\d+)?$/.test(text)
  const withComma = /^-?\d+(?:\.\d{3})*(?:,\d+)?$/.test(text)
  const numbers = [
    ...(withPoint ? [Number(text.replaceAll(',', ''))] : []),
    ...(withComma && (hasCommas || !withPoint)
      ? [Number(text.replaceAll('.', '').replace(',', '.'))]
      : []),
  ]
  return [...new Set(numbers)]
}

/**
 * A word of a question, with the blanks after it; of a quotation, the text inside the quotes. A `code` is a word in capitals
 * among others that are not.
 */
export interface Token {
  readonly kind: string
  readonly text: string
  readonly gap: string
}

const pattern =
  /(?:(?<quoted>"(?:[^"]|"")+"|“[^”]+”)|(?<date>\b\d{4}-\d{2}(?:-\d{2})?(?![\p{L}\p{N}_-]))|(?<number>(?<![^\s([$€£<>=])-?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?)(?![.,]?[\p{L}\p{N}_]))|(?<word>[\p{L}\p{N}\p{M}_]+(?:['’]\p{L}+)*)|(?<mark>\S))(?<gap>\s*)/gu

export function toTokens(text: string): readonly Token[] {
  return [...text.matchAll(pattern)].map(({ groups: { gap = '', ...kinds } = {} }) => {
    const [kind = '', raw = ''] = Object.entries(kinds).find(([, found]) => found) ?? []
    const inside = kind === 'quoted' ? raw.slice(1, -1).replaceAll('""', '"') : raw
    // “in the US”, “spent in IN”
    const isCode = kind === 'word' && /^\p{Lu}{2,}$/u.test(raw) && /\p{Ll}/u.test(text)
    return { kind: isCode ? 'code' : kind, text: inside, gap }
  })
}

/** The kinds of a code: it is a value rather than a small word that says nothing. */
export function kindsOfCode(phrase: string): readonly string[] {
  return kindsOf(phrase).filter((kind) => kind !== '' && kind !== 'e')
}

/** A form that all spellings of a name share: `Unit price`, `unit_price`, `unitPrices`. */
export function toStem(text: string): string {
  const word = text.normalize('NFKC').toLowerCase()
  const letters = word.replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
  if (/(?:ss|us|is)$/.test(letters)) return letters
  return letters.replace(/(?<=.{2})ies$/, 'y').replace(/(?<=x|ch|sh|ss)es$|(?<=.)s$/, '')
}

export function toWords(name: string): readonly string[] {
  const words = name.split(/[^\p{L}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})/u)
  return words.map(toStem).filter((word) => word !== '')
}
