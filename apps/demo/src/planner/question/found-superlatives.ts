import { settleMeaning } from './column-hints.ts'
import type { Scan } from './scan.ts'
import { mentionAt, take, wordAt } from './scan.ts'
import type { Superlative } from './superlatives.ts'
import { adjectives, superlatives } from './superlatives.ts'

export interface FoundSuperlative extends Superlative {
  readonly at: number
  readonly end: number
  readonly word: string
}

export function findSuperlatives(scan: Scan): readonly FoundSuperlative[] {
  const found: FoundSuperlative[] = []
  for (let index = 0; index < scan.tokens.length; index++) {
    const word = wordAt(scan, index)
    const meaning = superlatives.get(word)
    if (meaning === undefined || scan.used.has(index) || isColumnName(scan, index)) continue
    const adjective =
      word === 'most' || word === 'least' ? adjectives.get(wordAt(scan, index + 1)) : undefined
    const end = adjective === undefined ? index + 1 : index + 2
    if (/^(?:most|least)$/.test(word) && wordAt(scan, index + 1) === 'of') continue
    found.push({ ...settleMeaning(scan, meaning), ...adjective, at: index, end, word })
    take(scan, index, end)
  }
  return found
}

/** `first` in "first name" belongs to a column. */
function isColumnName(scan: Scan, index: number): boolean {
  const mention = mentionAt(scan, index)
  return (
    mention !== undefined &&
    mention.end - mention.start > 1 &&
    mention.columns.some((option) => option.score > 0.8)
  )
}

export function numberNear(
  scan: Scan,
  found: readonly FoundSuperlative[],
): { readonly value: number; readonly end: number } | undefined {
  for (const { at, end } of found) {
    for (const place of [at - 1, end, end + 1]) {
      const token = scan.tokens[place]
      if (
        token?.kind !== 'number' ||
        scan.used.has(place) ||
        !Number.isInteger(token.value) ||
        token.value < 1
      )
        continue
      take(scan, place, place + 1)
      return { value: Math.min(token.value, 200), end: place + 1 }
    }
  }
  return numberBeforeHead(scan, found[0]?.at ?? 0)
}

/** "the 3 wards with the most admissions", "which 3 wards had the most …". */
function numberBeforeHead(
  scan: Scan,
  before: number,
): { readonly value: number; readonly end: number } | undefined {
  for (let place = before - 1; place >= 0; place--) {
    const token = scan.tokens[place]
    if (
      token?.kind !== 'number' ||
      scan.used.has(place) ||
      !Number.isInteger(token.value) ||
      token.value < 2 ||
      token.value > 200
    )
      continue
    const mention = mentionAt(scan, place + 1)
    if (mention === undefined || mention.start !== place + 1) continue
    take(scan, place, place + 1)
    return { value: token.value, end: place + 1 }
  }
  return undefined
}
