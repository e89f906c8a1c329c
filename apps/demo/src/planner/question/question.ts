import { joinableTo } from '../tables/joins.ts'
import type { Filter, TableRequest } from '../tables/request.ts'
import type { TableInfo } from '../tables/table-info.ts'
import { toComparisonFilter } from './comparison-filters.ts'
import { findComparisons } from './comparisons.ts'
import { findGroups } from './grouping.ts'
import { findHaving } from './having.ts'
import type { FoundMeasure } from './measures.ts'
import { findMeasures } from './measures.ts'
import { findPeriodFilters } from './period-filters.ts'
import type { Ranking } from './ranking.ts'
import { findRanking, isRanked } from './ranking.ts'
import type { Scan } from './scan.ts'
import { mentionAt } from './scan.ts'
import type { Mention } from './schema-match.ts'
import { bestScore, findMentions } from './schema-match.ts'
import type { Findings } from './shape.ts'
import { defaultRows, shapeRequest } from './shape.ts'
import { findShare } from './share.ts'
import { findLiterals, findTextFilters } from './text-filters.ts'
import { correctTokens } from './typing-errors.ts'
import { findUnused } from './unused-words.ts'
import {
  findEmptyFilters,
  findFlagFilters,
  findNeverFilters,
  findNumberFilters,
  findValueFilters,
} from './value-filters.ts'
import { questionWords } from './vocabulary.ts'
import type { Token } from './words.ts'
import { tokenise } from './words.ts'

export interface ReadQuestion {
  readonly request: TableRequest
  /** Names no table and no column of its own: "and how many in the South?" */
  readonly bare: boolean
  /** Begins like a continuation: "what about …", "only …". */
  readonly leaning: boolean
  /** Says what to compute or list; without that it only changes the question before. */
  readonly asks: boolean
  /** `their`, `those`, `it`: the filters of the question before go on. */
  readonly pronoun: boolean
  /** An amount is asked for, but no column was named for it. */
  readonly guessed: boolean
  /** Words in the place of a column that no table knows. */
  readonly unknown: readonly UnknownWord[]
  /** Words and numbers that no rule used although they may matter. */
  readonly unused: readonly string[]
}

interface UnknownWord {
  readonly word: string
  /** What the word was needed for. */
  readonly role: 'group' | 'amount' | 'subject' | 'ranking'
}

/** Reads one question over the loaded tables; undefined when no rule understands it. */
export function readQuestion(
  asked: string,
  tables: readonly TableInfo[],
  preferred?: TableInfo,
): ReadQuestion | undefined {
  const scan = startScan(asked, tables, preferred)
  if (scan === undefined) return undefined
  const roles = unknownRoles(scan)
  const found = findAll(scan)
  const unplaced = found.ranking?.kind === 'none' ? found.ranking.words : []
  const shaped = shapeRequest(found)
  const bare = isBare(scan, found.filters) && !countsValue(scan, found.measures)
  const leaning = startsLeaning(scan.tokens)
  const changes = found.filters.length + found.literals.length + found.groups.length > 0
  if (shaped === undefined && !((leaning || bare) && changes)) return undefined
  return {
    request: shaped ?? toRows(found),
    bare,
    leaning,
    asks: shaped !== undefined && (computes(found, shaped) || !(leaning || bare)),
    pronoun: hasPronoun(scan.tokens),
    guessed: guesses(found.measures, found.ranking),
    unknown: [
      ...roles,
      ...unplaced.flatMap(({ word, hints }): readonly UnknownWord[] =>
        hints.length > 0 ? [{ word, role: 'ranking' }] : [],
      ),
    ],
    unused: [...unplaced.map(({ word }) => word), ...findUnused(scan, shaped)],
  }
}

function startScan(
  asked: string,
  tables: readonly TableInfo[],
  preferred: TableInfo | undefined,
): Scan | undefined {
  const text = asked.replace(/n['’]t\b/gi, ' not')
  const tokens = correctTokens(tokenise(text), tables)
  const mentions = findMentions(tokens, tables)
  const table = chooseTable(mentions, tables, preferred)
  if (table === undefined || tokens.length === 0) return undefined
  const reach = [table, ...joinableTo(table, tables)]
  return { text, tokens, mentions, tables, table, reach, used: new Set() }
}

/** Runs the rules. Their order matters: what one has understood, the next does not see. */
function findAll(scan: Scan): Findings {
  const groups = findGroups(scan)
  const comparisons = findComparisons(scan)
  const having = findHaving(scan, comparisons, groups)
  const compared = comparisons
    .filter((found) => found !== having?.comparison)
    .flatMap((found) => toComparisonFilter(scan, found) ?? [])
  const filters: readonly Filter[] = [
    ...compared,
    ...findTextFilters(scan),
    ...findEmptyFilters(scan),
    ...findValueFilters(scan),
    ...findFlagFilters(scan),
    ...findPeriodFilters(scan),
    ...findNumberFilters(scan),
    ...findNeverFilters(scan),
  ]
  const share = findShare(scan)
  const measures = share === undefined ? findMeasures(scan) : []
  const ranking = share === undefined ? findRanking(scan, groups, measures) : undefined
  const literals = findLiterals(scan)
  return { scan, groups, having, filters, measures, ranking, share, literals }
}

function computes(found: Findings, { kind }: TableRequest): boolean {
  const { measures, ranking, share, having } = found
  if (kind === 'describe' || measures.length > 0) return true
  return isRanked(ranking) || share !== undefined || having !== undefined
}

function toRows({ scan, filters, groups, literals }: Findings): TableRequest {
  const common = { table: scan.table, filters, groupBy: groups, literals }
  return { kind: 'rows', ...common, columns: [], limit: defaultRows }
}

function chooseTable(
  mentions: readonly Mention[],
  tables: readonly TableInfo[],
  preferred: TableInfo | undefined,
): TableInfo | undefined {
  const ranked = tables.map((table, index) => {
    const scores = mentions.map((mention) => {
      const named = mention.tables.find((option) => option.table === table)?.score ?? 0
      const column = mention.columns.find((option) => option.table === table)?.score ?? 0
      const value = mention.values.find((option) => option.table === table)?.score ?? 0
      return Math.max(named * 1.5, column, value)
    })
    const recent = table.table === preferred?.table ? 0.3 : index / (tables.length * 20)
    return { table, score: scores.reduce((total, score) => total + score, 0) + recent }
  })
  return ranked.sort((a, b) => b.score - a.score)[0]?.table
}

/** "per country", "average price": a word in a column's place that names none. */
function unknownRoles(scan: Scan): readonly UnknownWord[] {
  const unknown: UnknownWord[] = []
  scan.tokens.forEach((token: Token, index) => {
    if (token.kind !== 'word' || questionWords.has(token.word)) return
    const mention = mentionAt(scan, index)
    const weak = mention === undefined || bestScore(mention) < 0.42
    const role = weak ? roleAfter(scan.tokens[index - 1]?.word ?? '') : undefined
    if (role !== undefined) unknown.push({ word: token.text, role })
  })
  return unknown
}

function roleAfter(word: string): UnknownWord['role'] | undefined {
  if (/^(?:per|each|every|by)$/.test(word)) return 'group'
  if (/^(?:average|mean|median|highest|lowest|total|maximum|minimum)$/.test(word)) return 'amount'
  return /^(?:which|what)$/.test(word) ? 'subject' : undefined
}

function hasPronoun(tokens: readonly Token[]): boolean {
  return tokens.some((token, index) => {
    if (/^(?:his|her|their|them|those|these|they|its|it)$/.test(token.word)) return true
    const exists = /^(?:is|are|was|were|be|been)$/.test(tokens[index - 1]?.word ?? '')
    return token.word === 'there' && !exists && index === tokens.length - 1 && index > 1
  })
}

function startsLeaning(tokens: readonly Token[]): boolean {
  const opening = tokens
    .slice(0, 3)
    .map((token) => token.word)
    .join(' ')
  return /^(?:and|what about|how about|what if|now|only|just|same|but|or|instead|ok|okay|also)\b/.test(
    opening,
  )
}

function guesses(measures: readonly FoundMeasure[], ranking: Ranking | undefined): boolean {
  return (
    measures.some((found) => found.guessed) || (ranking?.kind === 'measures' && ranking.guessed)
  )
}

/** "how many lattes": the value is the subject, so nothing is missing. */
function countsValue(scan: Scan, measures: readonly FoundMeasure[]): boolean {
  return measures.some((found) => mentionAt(scan, found.end)?.values.length)
}

function isBare(scan: Scan, filters: readonly Filter[]): boolean {
  if (/\b(?:rows?|records?|entries|table)\b/i.test(scan.text)) return false
  const filtered = filters.map((filter) => filter.at)
  return scan.mentions.every((mention) => {
    if (filtered.some((at) => mention.start <= at && at < mention.end)) return true
    return bestScore({ ...mention, values: [] }) < 0.5
  })
}
