import type { Measure } from '../tables/request.ts'
import { isNumberMention } from './measures.ts'
import type { Scan } from './scan.ts'
import { longestPhraseAt, take, wordAt } from './scan.ts'

export interface FoundShare {
  readonly measure: Measure
  /** Conditions before this word describe the whole, those after it the part. */
  readonly verb: number
}

const openings = [
  'what percentage',
  'percentage',
  'percent',
  'per cent',
  'share',
  'proportion',
  'fraction',
  'what portion',
  'what share',
  '%',
  'what %',
  'pct',
  'what part',
  'portion',
]

/** "what percentage of orders are from the North", "the share of revenue from lattes". */
export function findShare(scan: Scan): FoundShare | undefined {
  for (let index = 0; index < scan.tokens.length; index++) {
    const opening = longestPhraseAt(scan, index, openings)
    if (opening === undefined || scan.tokens[index - 1]?.kind === 'number') continue
    const end = index + opening.length
    take(scan, index, end)
    const amount = scan.mentions.find((mention) => mention.start >= end && mention.start <= end + 3)
    const column =
      amount !== undefined && amount.values.length === 0
        ? isNumberMention(scan, amount, 0.6)
        : undefined
    return {
      measure: column === undefined ? { name: 'count' } : { name: 'sum', column },
      verb: verbAfter(scan, end),
    }
  }
  return undefined
}

function verbAfter(scan: Scan, from: number): number {
  for (let index = from; index < scan.tokens.length; index++) {
    if (
      /^(?:is|are|was|were|have|has|had|come|comes|came|go|goes|went|do|did|does|cost|stayed|lasted)$/.test(
        wordAt(scan, index),
      )
    )
      return index
  }
  return from
}
