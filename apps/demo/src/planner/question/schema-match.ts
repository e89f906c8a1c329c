import type { ColumnRef, TableInfo } from '../tables/table-info.ts'
import { flagOf, isCodeList, isDate, isNumeric } from '../tables/table-info.ts'
import { questionWords, synonyms, unitWords, weakWords } from './vocabulary.ts'
import type { Token } from './words.ts'
import { comparableTokens, isTypoOf, wordsOf } from './words.ts'

export interface ColumnOption extends ColumnRef {
  readonly score: number
}

export interface ValueOption extends ColumnOption {
  readonly value: string
}

/** A run of words that names something in the loaded tables. */
export interface Mention {
  readonly start: number
  readonly end: number
  /** How many of its words carry meaning. */
  readonly said: number
  readonly tables: readonly { readonly table: TableInfo; readonly score: number }[]
  readonly columns: readonly ColumnOption[]
  readonly values: readonly ValueOption[]
}

const longest = 6

/** Finds what the words of a question name: tables, columns, values; best reading first, without overlaps. */
export function findMentions(
  tokens: readonly Token[],
  tables: readonly TableInfo[],
): readonly Mention[] {
  const schema = tables.map(toSchema)
  const candidates: Mention[] = []
  for (let start = 0; start < tokens.length; start++) {
    for (let end = start + 1; end <= Math.min(tokens.length, start + longest); end++) {
      const mention = matchSpan({ tokens, start, end }, schema)
      if (mention !== undefined) candidates.push(mention)
    }
  }
  const taken = new Set<number>()
  const chosen: Mention[] = []
  for (const mention of candidates.sort((a, b) => weight(b) - weight(a))) {
    const places = range(mention.start, mention.end)
    if (places.some((place) => taken.has(place))) continue
    for (const place of places) taken.add(place)
    chosen.push(mention)
  }
  return chosen.sort((a, b) => a.start - b.start)
}

export function bestScore(mention: Mention): number {
  return Math.max(
    0,
    ...[...mention.tables, ...mention.columns, ...mention.values].map((option) => option.score),
  )
}

interface Span {
  readonly tokens: readonly Token[]
  readonly start: number
  readonly end: number
}

interface NamedWords {
  readonly ref: ColumnRef
  readonly words: readonly string[]
  readonly implied: readonly string[]
}

interface Schema {
  readonly table: TableInfo
  readonly words: readonly string[]
  readonly columns: readonly NamedWords[]
  readonly values: readonly {
    readonly ref: ColumnRef
    readonly value: string
    readonly words: readonly string[]
  }[]
}

function toSchema(table: TableInfo): Schema {
  const columns = table.columns.map((column) => ({
    ref: { table, column },
    words: contentOf(wordsOf(column.name)),
    implied: isCodeList(column) ? ['country'] : [],
  }))
  const values = table.columns.flatMap((column) => {
    if (isNumeric(column) || isDate(column) || flagOf(column) !== undefined) return []
    const known = column.values ?? column.examples.map(String)
    return known.map((value) => ({ ref: { table, column }, value, words: wordsOf(value) }))
  })
  const words = contentOf(wordsOf(table.table)).filter(
    (word) => !/^(?:\d+|data|table|list|export|file|log|record|sample|csv|json|row)$/.test(word),
  )
  return { table, words, columns, values }
}

function contentOf(words: readonly string[]): readonly string[] {
  const content = words.filter(
    (word) => !/^(?:of|the|a|an|in|on|at|per|by|is|and|to|for|or)$/.test(word),
  )
  return content.length > 0 ? content : words
}

function matchSpan(span: Span, schema: readonly Schema[]): Mention | undefined {
  const words = span.tokens.slice(span.start, span.end).flatMap(comparableTokens)
  const edges = [words[0], words.at(-1)]
  if (edges.some((token) => token === undefined || token.kind === 'mark' || token.kind === 'date'))
    return undefined
  const tables = schema.flatMap(({ table, words: names }) => {
    // The last word of the name says what a row is: in library_loans, a loan.
    const isHead = words.length === 1 && words[0]?.stem === names.at(-1)
    const score = isHead ? 0.97 : scoreName(words, names, []) * 0.95
    return score > 0 ? [{ table, score }] : []
  })
  const columns = schema.flatMap((entry) =>
    entry.columns.flatMap(({ ref, words: names, implied }) => {
      const score = scoreName(words, names, implied)
      return score > 0 ? [{ ...ref, score }] : []
    }),
  )
  const values = schema.flatMap((entry) =>
    entry.values.flatMap(({ ref, value, words: names }) => {
      const exact = scoreValue(words, names, value)
      // A part of a value is only safe to take when all values are known.
      const score = exact < 0.7 && ref.column.values === undefined ? 0 : exact
      return score > 0 ? [{ ...ref, value, score }] : []
    }),
  )
  if (tables.length + columns.length + values.length === 0) return undefined
  const said = words.filter(
    (token) => token.kind !== 'mark' && !/^(?:of|the|a|an|in)$/.test(token.word),
  ).length
  return {
    start: span.start,
    end: span.end,
    said,
    tables: byScore(tables),
    columns: byScore(columns),
    values: byScore(values),
  }
}

/** 0 when a word of the span has no part in the name; otherwise up to 1 when the span says the whole name. */
function scoreName(
  span: readonly Token[],
  names: readonly string[],
  implied: readonly string[],
): number {
  const content = span.filter((token) => !/^(?:of|the|a|an|in)$/.test(token.word))
  if (content.length === 0 || content.length > names.length + 1) return 0
  if (content[0] !== span[0] || content.at(-1) !== span.at(-1)) return 0
  if (content.length === 1 && implied.includes(content[0]?.stem ?? '')) return 0.4
  let quality = 0
  let solid = false
  const covered = new Set<string>()
  for (const token of content) {
    const match = matchWord(token, names, covered)
    if (match === undefined) return 0
    covered.add(match.name)
    quality += match.score
    solid ||= !unitWords.has(match.name) && (!weakWords.has(match.name) || names.length === 1)
  }
  const everything = sum(names.map(weightOf))
  const coverage = sum([...covered].map(weightOf)) / everything
  if (!solid && coverage < 0.5)
    return content.some((token) => questionWords.has(token.word))
      ? 0
      : 0.5 * (quality / content.length)
  return (quality / content.length) * (0.5 + 0.5 * coverage)
}

function matchWord(
  token: Token,
  names: readonly string[],
  covered: ReadonlySet<string>,
): { readonly name: string; readonly score: number } | undefined {
  const free = names.filter((name) => !covered.has(name))
  const exact = free.find((name) => name === token.stem || name === token.word)
  if (exact !== undefined) return { name: exact, score: 1 }
  if (token.kind !== 'word') return undefined
  const loose = free.find((name) => sameRoot(token.word, name))
  if (loose !== undefined) return { name: loose, score: 0.85 }
  const typo = free.find((name) => isTypoOf(token.stem, name))
  if (typo !== undefined) return { name: typo, score: 0.8 }
  if (questionWords.has(token.word)) return undefined
  const meant = [synonyms.get(token.stem), synonyms.get(token.word)]
  const synonym = free.find((name) => meant.some((words) => words?.has(name)))
  return synonym === undefined ? undefined : { name: synonym, score: 0.7 }
}

/** `admitted` and `admission`, `discharged` and `discharge`, `weigh` and `weight`. */
function sameRoot(typed: string, name: string): boolean {
  if (questionWords.has(typed) || typed.length < 4 || name.length < 4) return false
  const left = rootOf(typed)
  const right = rootOf(name)
  if (left === right) return true
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  return short.length >= 5 && long.startsWith(short) && long.length - short.length <= 4
}

function rootOf(word: string): string {
  const root = word
    .replace(/(?:ssions?|tted|tting)$/, 't')
    .replace(/(?:ings?|ed|ions?|ers?|ors?|es|e|s)$/, '')
  return root.length >= 3 ? root : word
}

function scoreValue(span: readonly Token[], names: readonly string[], value: string): number {
  // `Z-1` is cut at its mark on both sides.
  const stems = span
    .filter((token) => token.kind !== 'mark' || !/^[-/.&+]$/.test(token.word))
    .map((token) => token.stem)
  if (names.length === 0) return 0
  const whole = stems.length === names.length && stems.every((stem, index) => stem === names[index])
  const first = span[0]
  if (first === undefined) return 0
  if (whole) {
    if (span.length > 1 || first.kind === 'quoted') return 1.1
    // `most` in lower case is a word of the question, also where some cell holds it.
    const spoken = questionWords.has(first.word) && first.text === first.word
    if (value.length <= 3 || spoken) return first.text === value && !spoken ? 0.9 : 0
    return 1.05
  }
  if (span.length === 1 && first.kind === 'quoted')
    return first.word === value.toLowerCase() ? 1.1 : 0
  if (span.length === 1 && isSexOf(first.stem, value)) return 0.9
  if (
    span.some(
      (token) => token.kind !== 'word' || token.word.length < 4 || questionWords.has(token.word),
    )
  )
    return 0
  if (stems.length === names.length) {
    const close = stems.every(
      (stem, index) => stem === names[index] || isTypoOf(stem, names[index] ?? ''),
    )
    if (close) return 0.8
  }
  if (names.length > stems.length && names.length <= 6 && containsRun(names, stems))
    return 0.45 + 0.2 * (stems.length / names.length)
  return 0
}

function isSexOf(word: string, value: string): boolean {
  const folded = value.toLowerCase()
  if (/^(?:female|woman|women|girl|hen)$/.test(word)) return folded === 'f' || folded === 'female'
  if (/^(?:male|man|men|boy)$/.test(word)) return folded === 'm' || folded === 'male'
  return false
}

function containsRun(names: readonly string[], run: readonly string[]): boolean {
  return names.some((_, from) => run.every((stem, index) => names[from + index] === stem))
}

function weightOf(name: string): number {
  if (unitWords.has(name)) return 0.2
  return weakWords.has(name) ? 0.4 : 1
}

function weight(mention: Mention): number {
  return bestScore(mention) * mention.said
}

function byScore<Option extends { readonly score: number }>(
  options: readonly Option[],
): readonly Option[] {
  return [...options].sort((a, b) => b.score - a.score)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function range(start: number, end: number): readonly number[] {
  return Array.from({ length: end - start }, (_, index) => start + index)
}
