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
  l: 'list|show|display',
  h: 'share|percentage|percent|proportion|%',
  p: 'plot|draw|chart|bar chart of|line chart of',
  y: 'as a bar chart|as bars|as a line chart|as a line',
  // These change nothing about what a question of this grammar asks.
  '': 'in total|overall|altogether|like to know|want to know|need to know|that are|that were|who are|who were|which are|which were',
}

const stopWords =
  `the a an of in at on for with was were be been there do does did have has had having we i me my our
  us you your please can could would like want need tell give see find get calculate compute what's all where whose also then
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
  return /^(?:min|low|small|earl|few|least|bottom)/.test(word)
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
  const part = word.replace(/s$/, '')
  return part === 'year' || part === 'month' || part === 'day' ? part : undefined
}

const months =
  'january february march april may june july august september october november december'

/** `01` for January; nothing for what is no month. */
export function monthOf(word: string): string | undefined {
  const at = months.split(' ').indexOf(word)
  return at < 0 ? undefined : String(at + 1).padStart(2, '0')
}

const small = 'zero one two three four five six seven eight nine ten'.split(' ')

/** A number in digits or as a word. */
export function numberOf(text: string): number | undefined {
  if (small.indexOf(text) > 0) return small.indexOf(text)
  return /^-?\d[\d,]*(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
}
