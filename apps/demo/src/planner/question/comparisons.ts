import type { Comparison } from '../tables/request.ts'
import { settleMeaning } from './column-hints.ts'
import type { ReadPeriod } from './period.ts'
import { readPeriod } from './period.ts'
import type { Scan } from './scan.ts'
import { longestPhraseAt, wordAt } from './scan.ts'
import { comparatives } from './superlatives.ts'

/** "over 100", "between 5 and 10", "since March 2024", "older than 65", "20 or more": not yet tied to a column. */
export interface FoundComparison {
  readonly start: number
  readonly end: number
  readonly comparison: Comparison | 'between'
  readonly first: Bound
  readonly second?: Bound
  readonly hints: readonly string[]
  readonly wantsDate: boolean
  readonly negated: boolean
}

export interface Bound {
  readonly next: number
  readonly number?: number
  readonly period?: ReadPeriod
}

interface Opening {
  readonly length: number
  readonly comparison: Comparison
  readonly hints: readonly string[]
  readonly wantsDate: boolean
}

const openings: Readonly<Record<Comparison, readonly string[]>> = {
  '>': [
    'over',
    'above',
    'more than',
    'greater than',
    'higher than',
    'exceeding',
    'exceeds',
    'exceed',
    'exceeded',
    'after',
    '>',
    'upwards of',
    'in excess of',
    'beyond',
  ],
  '>=': [
    'at least',
    'no less than',
    'not less than',
    'no fewer than',
    'not under',
    'not below',
    'minimum of',
    'a minimum of',
    'since',
    '> =',
    '>=',
    'from at least',
    'starting from',
    'min',
  ],
  '<': [
    'under',
    'below',
    'less than',
    'fewer than',
    'lower than',
    'smaller than',
    'before',
    '<',
    'prior to',
  ],
  '<=': [
    'at most',
    'no more than',
    'not more than',
    'not over',
    'not above',
    'up to',
    'maximum of',
    'a maximum of',
    'until',
    'till',
    '<=',
    'max',
    'up until',
    'through',
  ],
  '=': ['exactly', 'precisely', 'equal to', 'equals', '='],
}

const closings: readonly (readonly [string, Comparison])[] = [
  ...'more over above older higher greater longer heavier up upwards onwards later bigger larger'
    .split(' ')
    .flatMap((word) => [[`or ${word}`, '>='] as const, [`and ${word}`, '>='] as const]),
  ...'less fewer under below younger lower shorter lighter earlier smaller cheaper'
    .split(' ')
    .flatMap((word) => [[`or ${word}`, '<='] as const, [`and ${word}`, '<='] as const]),
  ['+', '>='],
  ['onwards', '>='],
  ['plus', '>='],
]

export function findComparisons(scan: Scan): readonly FoundComparison[] {
  const found: FoundComparison[] = []
  for (let index = 0; index < scan.tokens.length; index++) {
    const comparison =
      readBetween(scan, index) ?? readOpening(scan, index) ?? readClosing(scan, index)
    if (comparison === undefined) continue
    found.push(comparison)
    index = comparison.end - 1
  }
  return found
}

/** A number or a date at a place; currency marks and filler before it are skipped. */
function readBound(scan: Scan, at: number): Bound | undefined {
  let index = at
  while (
    /^(?:the|year|a|an|age|of|about|end|start|beginning|around)$/.test(wordAt(scan, index)) &&
    index < at + 4
  )
    index++
  const before = scan.tokens[index - 1]
  // In "under-18s" it joins two words.
  if (
    wordAt(scan, index) === '-' &&
    before !== undefined &&
    before.end === scan.tokens[index]?.start
  )
    index++
  const minus = wordAt(scan, index) === '-' ? 1 : 0
  const token = scan.tokens[index + minus]
  const period = minus === 0 ? readPeriod(scan.tokens, index) : undefined
  if (period !== undefined)
    return {
      next: period.next,
      period,
      ...(period.year === undefined ? {} : { number: period.year }),
    }
  if (token?.word === 'once') return { next: index + 1, number: 1 }
  if (token?.kind !== 'number') return undefined
  return { next: index + minus + 1, number: minus === 1 ? -token.value : token.value }
}

function readBetween(scan: Scan, index: number): FoundComparison | undefined {
  const word = wordAt(scan, index)
  const opened = word === 'between' || word === 'from'
  const first = readBound(scan, opened ? index + 1 : index)
  if (first === undefined || (!opened && scan.tokens[index]?.kind !== 'number')) return undefined
  const joint = skipUnit(scan, first.next, /^(?:and|to|-|until|till|through)$/)
  const word2 = wordAt(scan, joint)
  const joined =
    word === 'between' ? /^(?:and|to|-)$/.test(word2) : /^(?:to|-|until|till|through)$/.test(word2)
  const second = joined ? readBound(scan, joint + 1) : undefined
  if (second === undefined) return undefined
  return {
    start: index,
    end: second.next,
    comparison: 'between',
    first,
    second,
    hints: [],
    wantsDate: false,
    negated: isNegated(scan, index),
  }
}

function readOpening(scan: Scan, index: number): FoundComparison | undefined {
  const opening = comparativeAt(scan, index) ?? phraseOpening(scan, index)
  if (opening === undefined) return undefined
  const first = readBound(scan, index + opening.length)
  if (first === undefined) return undefined
  return {
    start: index,
    end: first.next,
    comparison: opening.comparison,
    first,
    hints: opening.hints,
    wantsDate: opening.wantsDate,
    negated: isNegated(scan, index),
  }
}

function phraseOpening(scan: Scan, index: number): Opening | undefined {
  let best: Opening | undefined
  for (const comparison of ['>', '>=', '<', '<=', '='] as const) {
    const match = longestPhraseAt(scan, index, openings[comparison])
    if (match === undefined || match.length <= (best?.length ?? 0)) continue
    const wantsDate = /^(?:after|before|since|until|till|prior to)$/.test(match.phrase)
    best = { length: match.length, comparison, hints: [], wantsDate }
  }
  return best
}

/** `older than`, `no older than`, `more expensive than`, `heavier than`. */
function comparativeAt(scan: Scan, index: number): Opening | undefined {
  const said = comparatives.get(wordAt(scan, index))
  if (said === undefined) return undefined
  const meaning = settleMeaning(scan, said)
  const skipped =
    wordAt(scan, index + 1) === 'than' ? 2 : wordAt(scan, index + 2) === 'than' ? 3 : 0
  if (skipped === 0) return undefined
  const expensive = skipped === 3 && /^(?:expensive|costly|valuable)$/.test(wordAt(scan, index + 1))
  const flipped = /^(?:no|not)$/.test(wordAt(scan, index - 1))
  const larger = meaning.direction === 'desc'
  const comparison = flipped ? (larger ? '<=' : '>=') : larger ? '>' : '<'
  const hints = expensive ? ['price', 'cost', 'amount', 'total', 'charge'] : meaning.hints
  return { length: skipped, comparison, hints, wantsDate: meaning.wantsDate ?? false }
}

function readClosing(scan: Scan, index: number): FoundComparison | undefined {
  if (scan.tokens[index]?.kind !== 'number' && scan.tokens[index]?.kind !== 'date') return undefined
  const first = readBound(scan, index)
  if (first === undefined) return undefined
  const place = skipUnit(scan, first.next, /^(?:or|and|\+|onwards|plus)$/)
  const closing = closings.find(([phrase]) => longestPhraseAt(scan, place, [phrase]) !== undefined)
  if (closing === undefined) return undefined
  const length = closing[0].split(' ').length
  return {
    start: index,
    end: place + length,
    comparison: closing[1],
    first,
    hints: [],
    wantsDate: false,
    negated: false,
  }
}

/** Lets one unit word stand between a number and what follows: `5 to 10`, `5 grams or more`. */
function skipUnit(scan: Scan, at: number, wanted: RegExp): number {
  if (wanted.test(wordAt(scan, at))) return at
  return wanted.test(wordAt(scan, at + 1)) && scan.tokens[at]?.kind === 'word' ? at + 1 : at
}

function isNegated(scan: Scan, index: number): boolean {
  return wordAt(scan, index - 1) === 'not' && comparatives.get(wordAt(scan, index)) === undefined
}
