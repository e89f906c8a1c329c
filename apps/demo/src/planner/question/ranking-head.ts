import type { GroupKey } from '../tables/request.ts'
import { columnByHints } from './column-hints.ts'
import type { FoundSuperlative } from './found-superlatives.ts'
import { datePartAt } from './grouping.ts'
import type { Scan } from './scan.ts'
import { columnOf, mentionAt, namesTable, wordAt } from './scan.ts'
import { personWords } from './vocabulary.ts'

export interface Head {
  readonly key?: GroupKey
  /** The rows themselves are ranked. */
  readonly rows: boolean
  readonly start: number
  readonly end: number
  readonly plural: boolean
}

export function findHead(
  scan: Scan,
  main: FoundSuperlative,
  afterNumber: number | undefined,
): Head | undefined {
  const asked = afterQuestionWord(scan, main.at)
  if (asked !== undefined) return asked
  const linked = /^(?:with|having|had|has|have|got|by)$/
  const back = wordAt(scan, main.at - 1) === 'the' ? main.at - 2 : main.at - 1
  if (linked.test(wordAt(scan, back))) {
    const before = scan.mentions.filter((mention) => mention.end <= back).at(-1)
    const head = toHead(scan, before?.start)
    if (head !== undefined) return head
  }
  if (afterNumber !== undefined && afterNumber < main.at) {
    const head = toHead(scan, afterNumber)
    if (head !== undefined) return head
  }
  return toHead(scan, skipFiller(scan, Math.max(main.end, afterNumber ?? 0)))
}

function afterQuestionWord(scan: Scan, before: number): Head | undefined {
  for (let index = 0; index < before; index++) {
    const word = wordAt(scan, index)
    if (word === 'who') {
      // "who is the consultant with …" names the column itself.
      const named = /^(?:is|was|are|were)$/.test(wordAt(scan, index + 1))
        ? toHead(scan, skipFiller(scan, index + 2))
        : undefined
      return named ?? personHead(scan, index)
    }
    if (word === 'when') return { rows: true, start: index, end: index + 1, plural: false }
    if (!/^(?:which|what|whose|in|on)$/.test(word)) continue
    let place = index + 1
    while (
      scan.tokens[place]?.kind === 'number' ||
      /^(?:of|the|single|are)$/.test(wordAt(scan, place))
    )
      place++
    if (place >= before) continue
    const head = toHead(scan, place)
    if (head !== undefined && word !== 'in' && word !== 'on') return head
  }
  return undefined
}

function toHead(scan: Scan, place: number | undefined): Head | undefined {
  if (place === undefined) return undefined
  const part = datePartAt(scan, place)
  if (part !== undefined)
    return {
      key: part.key,
      rows: false,
      start: place,
      end: part.end,
      plural: isPlural(scan, part.end - 1),
    }
  const mention = mentionAt(scan, place)
  if (mention === undefined)
    return /^(?:row|record|entry|one|line)s?$/.test(wordAt(scan, place))
      ? { rows: true, start: place, end: place + 1, plural: isPlural(scan, place) }
      : undefined
  const place2 = { start: mention.start, end: mention.end, plural: isPlural(scan, mention.end - 1) }
  const value = mention.values[0]
  const category = columnOf(scan, mention, 'category')
  if (namesTable(scan, mention) && (category === undefined || category.score < 0.9))
    return { rows: true, ...place2 }
  if (value !== undefined && value.score > (category?.score ?? 0) && value.score > 0.6)
    return { rows: true, ...place2 }
  if (
    category !== undefined &&
    category.score >= 0.4 &&
    category.score + 0.1 >= (columnOf(scan, mention, 'number')?.score ?? 0)
  )
    return { key: { table: category.table, column: category.column }, rows: false, ...place2 }
  return undefined
}

function personHead(scan: Scan, index: number): Head {
  const ref = columnByHints(scan, personWords, (candidate) => candidate.column.type === 'text')
  const place = { start: index, end: index + 1, plural: false }
  return ref === undefined ? { rows: true, ...place } : { key: ref, rows: false, ...place }
}

function isPlural(scan: Scan, index: number): boolean {
  const token = scan.tokens[index]
  return (
    token !== undefined &&
    token.kind === 'word' &&
    token.word.endsWith('s') &&
    token.stem !== token.word
  )
}

function skipFiller(scan: Scan, at: number): number {
  let index = at
  while (/^(?:the|of|all|our|single|most|selling|paying|spending)$/.test(wordAt(scan, index)))
    index++
  return index
}
