import type { Filter, Literal } from '../tables/request.ts'
import type { ColumnRef } from '../tables/table-info.ts'
import { isNumeric } from '../tables/table-info.ts'
import { monthOf } from './period.ts'
import type { Scan } from './scan.ts'
import { columnOf, longestPhraseAt, mentionAt, take, wordAt } from './scan.ts'
import { isNegatedAt } from './value-filters.ts'
import { questionWords } from './vocabulary.ts'

const contains = [
  'containing',
  'contains',
  'contain',
  'that mention',
  'mentioning',
  'mentions',
  'mention',
  'including the word',
  'includes the word',
  'with the word',
  'including',
  'matching',
  'like',
  'that say',
  'saying',
]
const starts = [
  'starting with',
  'starts with',
  'start with',
  'beginning with',
  'begins with',
  'begin with',
  'starting in',
  'prefixed with',
]
const ends = ['ending with', 'ends with', 'end with', 'ending in', 'ends in', 'end in']

/** "containing 'oat'", "names starting with B", "ending in -son". */
export function findTextFilters(scan: Scan): readonly Filter[] {
  const filters: Filter[] = []
  for (let index = 0; index < scan.tokens.length; index++) {
    const found = textTestAt(scan, index)
    if (found === undefined) continue
    const columns = textColumns(scan, index)
    if (columns.length === 0) continue
    take(scan, index, found.end)
    filters.push({
      columns,
      test: { kind: 'text', place: found.place, text: found.text },
      negated: isNegatedAt(scan, index),
      at: index,
    })
  }
  return filters
}

/** Words that may be a value nobody listed: quoted, capitalised, or after `in`, `from`, `called` and the like. */
export function findLiterals(scan: Scan): readonly Literal[] {
  const literals: Literal[] = []
  for (let index = 0; index < scan.tokens.length; index++) {
    const spanned = codeEnd(scan, index)
    if (spanned !== undefined) {
      literals.push(toCode(scan, index, spanned))
      index = spanned - 1
      continue
    }
    if (!mayBeLiteral(scan, index)) continue
    const token = scan.tokens[index]
    const code = /\p{L}/u.test(token?.word ?? '') && /\d/.test(token?.word ?? '')
    const certain =
      token?.kind === 'quoted' || code || isCapital(scan, index) || saysWhichRows(scan, index)
    if (!certain && !isAfterPreposition(scan, index)) continue
    let end = index + 1
    while (joins(scan, end, isCapital(scan, index))) end++
    const first = scan.tokens[index]
    const last = scan.tokens[end - 1]
    if (first === undefined || last === undefined) break
    const text = first.kind === 'quoted' ? first.text : scan.text.slice(first.start, last.end)
    literals.push({ text, negated: isNegatedAt(scan, index), certain })
    take(scan, index, end)
    index = end - 1
  }
  return literals
}

function toCode(scan: Scan, start: number, end: number): Literal {
  const text = scan.text.slice(scan.tokens[start]?.start, scan.tokens[end - 1]?.end)
  take(scan, start, end)
  return { text, negated: isNegatedAt(scan, start), certain: true }
}

/** Where `Z-1` or `AB/12` ends: letters and digits that marks join without a gap. */
function codeEnd(scan: Scan, start: number): number | undefined {
  const first = scan.tokens[start]
  const capital = /^\p{Lu}/u.test(first?.text ?? '')
  if (first?.kind !== 'word' || (questionWords.has(first.word) && !capital)) return undefined
  let end = start
  for (let index = start; index < scan.tokens.length; index++) {
    const token = scan.tokens[index]
    const isJoined = index === start || token?.start === scan.tokens[index - 1]?.end
    if (token === undefined || !isJoined || scan.used.has(index)) break
    if (mentionAt(scan, index) !== undefined) return undefined
    if (token.kind === 'mark' ? !/^[-/.#]$/.test(token.word) : token.kind === 'quoted') break
    if (token.kind !== 'mark') end = index + 1
  }
  const parts = scan.tokens.slice(start, end)
  return parts.length > 1 && parts.some((token) => token.kind === 'number') ? end : undefined
}

function textTestAt(
  scan: Scan,
  index: number,
):
  | { readonly place: 'contains' | 'starts' | 'ends'; readonly text: string; readonly end: number }
  | undefined {
  for (const [place, phrases] of [
    ['contains', contains],
    ['starts', starts],
    ['ends', ends],
  ] as const) {
    const match = longestPhraseAt(scan, index, phrases)
    if (match === undefined) continue
    let at = index + match.length
    while (
      /^(?:the|a|word|letter|letters|text|with|-|:|name)$/.test(wordAt(scan, at)) &&
      scan.tokens[at + 1] !== undefined
    )
      at++
    const token = scan.tokens[at]
    if (token === undefined || token.kind === 'mark') return undefined
    // "like" is a word of many uses: only a quoted text makes it a search.
    if (/^(?:like|including|mention|saying)$/.test(match.phrase) && token.kind !== 'quoted')
      return undefined
    return { place, text: token.text, end: at + 1 }
  }
  return undefined
}

function textColumns(scan: Scan, index: number): readonly ColumnRef[] {
  const near = [...scan.mentions]
    .sort((a, b) => Math.abs(a.end - index) - Math.abs(b.end - index))
    .map((mention) => ({ mention, ref: columnOf(scan, mention) }))
    .find(({ ref }) => ref !== undefined && !isNumeric(ref.column) && ref.score >= 0.5)
  if (near?.ref !== undefined) {
    if (near.mention.start >= index) take(scan, near.mention.start, near.mention.end)
    return [near.ref]
  }
  return scan.table.columns
    .filter((column) => !isNumeric(column))
    .map((column) => ({ table: scan.table, column }))
}

function mayBeLiteral(scan: Scan, index: number): boolean {
  const token = scan.tokens[index]
  if (token === undefined || scan.used.has(index) || mentionAt(scan, index) !== undefined)
    return false
  if (token.kind === 'quoted') return true
  return (
    token.kind === 'word' &&
    token.word.length > 1 &&
    !questionWords.has(token.word) &&
    monthOf(token) === undefined
  )
}

function isCapital(scan: Scan, index: number): boolean {
  const token = scan.tokens[index]
  return index > 0 && token?.kind === 'word' && /^\p{Lu}/u.test(token.text)
}

function isAfterPreposition(scan: Scan, index: number): boolean {
  const at = wordAt(scan, index - 1) === 'the' ? index - 2 : index - 1
  return /^(?:in|from|for|at|by|called|named|does|did|do|has|about|near)$/.test(wordAt(scan, at))
}

/** "how many rows in X": without X the number would be that of another set of rows. */
function saysWhichRows(scan: Scan, index: number): boolean {
  const at = wordAt(scan, index - 1) === 'the' ? index - 2 : index - 1
  return (
    scan.tokens[index + 1] === undefined &&
    /^(?:in|of|from)$/.test(wordAt(scan, at)) &&
    /^(?:rows?|records?|entries|lines)$/.test(wordAt(scan, at - 1))
  )
}

function joins(scan: Scan, index: number, capitals: boolean): boolean {
  const token = scan.tokens[index]
  const gap =
    token === undefined ? '' : scan.text.slice(scan.tokens[index - 1]?.end ?? 0, token.start)
  if (!capitals || token === undefined || !mayBeLiteral(scan, index) || !/^[ '’-]?$/.test(gap))
    return false
  return isCapital(scan, index) || gap !== ' '
}
