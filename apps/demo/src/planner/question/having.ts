import type { GroupKey, Having, Measure } from '../tables/request.ts'
import type { FoundComparison } from './comparisons.ts'
import { isMainlyNumber, isNumberMention } from './measures.ts'
import type { Scan } from './scan.ts'
import { columnOf, mentionAt, namesTable, take, wordAt } from './scan.ts'

export interface FoundHaving {
  readonly having: Having
  readonly key: GroupKey
  /** "how many customers have more than 3 orders" */
  readonly countGroups: boolean
}

/** A comparison that is about a whole group: "wards with more than 20 admissions", "an average price over 4". */
export function findHaving(
  scan: Scan,
  found: readonly FoundComparison[],
  groups: readonly GroupKey[],
): (FoundHaving & { readonly comparison: FoundComparison }) | undefined {
  for (const comparison of found) {
    const value = comparison.first.number
    if (comparison.comparison === 'between' || value === undefined) continue
    const subject = subjectBefore(scan, comparison.start)
    const key = subject?.key ?? groups[0]
    const measure = measureOf(scan, comparison)
    if (key === undefined || measure === undefined) continue
    take(scan, comparison.start, comparison.end)
    if (subject !== undefined) take(scan, subject.start, subject.end)
    const counted =
      subject !== undefined && /how many|number of/.test(beforeText(scan, subject.start))
    if (counted) take(scan, 0, subject.start)
    return {
      having: { measure, comparison: comparison.comparison, value },
      key,
      countGroups: counted,
      comparison,
    }
  }
  return undefined
}

function measureOf(scan: Scan, comparison: FoundComparison): Measure | undefined {
  const after = mentionAt(scan, comparison.end)
  const counted = scan.mentions
    .filter((mention) => mention.end <= comparison.start && mention.end > comparison.start - 3)
    .some((mention) => isMainlyNumber(scan, mention))
  if (counted) return averageOf(scan, comparison)
  if (
    /^(?:times?|rows|records|entries)$/.test(wordAt(scan, comparison.end)) ||
    wordAt(scan, comparison.end - 1) === 'once' ||
    wordAt(scan, comparison.end - 1) === 'twice'
  ) {
    take(scan, comparison.end, comparison.end + 1)
    return { name: 'count' }
  }
  if (
    after !== undefined &&
    namesTable(scan, after) &&
    isNumberMention(scan, after, 0.8) === undefined
  ) {
    take(scan, after.start, after.end)
    return { name: 'count' }
  }
  return averageOf(scan, comparison)
}

/** "an average price over 4", "with a total of more than 100". */
function averageOf(scan: Scan, comparison: FoundComparison): Measure | undefined {
  const before = scan.mentions.filter((mention) => mention.end <= comparison.start).at(-1)
  const column = isNumberMention(scan, before)
  if (before === undefined || column === undefined) return undefined
  const word =
    wordAt(scan, before.start - 1) === 'of'
      ? wordAt(scan, before.start - 2)
      : wordAt(scan, before.start - 1)
  const name = /^(?:average|mean|avg)$/.test(word)
    ? 'avg'
    : /^(?:total|sum|combined)$/.test(word)
      ? 'sum'
      : undefined
  if (name === undefined) return undefined
  take(scan, before.start - 1, before.end)
  return { name, column }
}

/** The category the sentence is about: the first one named before the comparison, unless rows are its subject. */
function subjectBefore(
  scan: Scan,
  before: number,
): { readonly key: GroupKey; readonly start: number; readonly end: number } | undefined {
  for (const mention of scan.mentions) {
    if (mention.start >= before || scan.used.has(mention.start)) continue
    if (namesTable(scan, mention)) return undefined
    const value = mention.values[0]
    const column = columnOf(scan, mention, 'category')
    if (
      column === undefined ||
      column.score < 0.5 ||
      (value !== undefined && value.score > column.score)
    )
      continue
    return {
      key: { table: column.table, column: column.column },
      start: mention.start,
      end: mention.end,
    }
  }
  return undefined
}

function beforeText(scan: Scan, end: number): string {
  return scan.tokens
    .slice(0, end)
    .map((token) => token.word)
    .join(' ')
}
