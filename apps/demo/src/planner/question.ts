import { readAll, reduceAll } from './grammar.ts'
import { indexNames, type Names } from './lexer.ts'
import { chipsFor, guessFrom } from './nearest.ts'
import { type Reading, type Table, toQuestion, toReading } from './reading.ts'
import { type Token, toTokens } from './words.ts'

const mostTokens = 60
const mostGuesses = 1000

export function createReader(tables: readonly Table[]) {
  const every = tables.map(indexNames)
  /** The shortest question that is read as just this; undefined when the names are such that none is. */
  const askFor = (reading: Reading): string | undefined => {
    const table = tables.length > 1 ? reading.table.table : ''
    const questions = [false, true].map((isQuoted) => toQuestion(reading, isQuoted, table))
    return questions.find((question) => {
      const found = readClauses(toTokens(question), every)?.flat() ?? []
      const isSame = found.length === 1 && distinct([...found, reading]).length === 1
      return isSame && !/[\r\n]|```/.test(question)
    })
  }
  const askForSome = (readings: readonly Reading[], most: number): readonly string[] => {
    const questions: string[] = []
    for (const reading of readings)
      if (questions.length < most) questions.push(...[askFor(reading) ?? []].flat())
    return questions
  }
  const ofEach = tables.map((table) => chipsFor(table).map((part) => toReading(table, part)))
  // Of each kind in turn, because only a few are offered.
  const longest = Math.max(0, ...ofEach.map(({ length }) => length))
  const chips = Array.from({ length: longest }, (_, at) =>
    ofEach.flatMap((ofOne) => ofOne[at] ?? []),
  ).flat()
  /** A reading for each thing asked. A question is read whole or not at all: one more word may change everything. */
  const clausesOf = (question: string) => {
    const tokens = toTokens(question.slice(0, 2000)).slice(0, mostTokens + 1)
    return { tokens, clauses: tokens.length > mostTokens ? undefined : readClauses(tokens, every) }
  }
  const read = (question: string) => {
    const { tokens, clauses } = clausesOf(question)
    if (clauses?.every((readings) => readings.length === 1)) return clauses.flat()
    const possible = clauses?.find((readings) => readings.length > 1) ?? []
    const ways = every.flatMap((names) => reduceAll(tokens, names).map((way) => ({ way, names })))
    const guesses = ways.flatMap(({ way, names }) => {
      const parts = guessFrom(way, names)
      return parts.map(([part, score]) => ({ reading: toReading(names.table, part), score }))
    })
    const best = guesses.sort((one, other) => other.score - one.score)
    const likely = best.slice(0, mostGuesses).map(({ reading }) => reading)
    const near = distinct([...distinct([...possible, ...likely]).slice(0, 30), ...chips])
    const isUnknown = ({ text }: Token) =>
      ways.every(({ way }) => way.some((item) => item.kind === '?' && item.text === text))
    const unknown = tokens.filter(isUnknown).map(({ text }) => text)
    return { unknown, nearest: askForSome(near, 3) }
  }
  const reads = (question: string): boolean =>
    clausesOf(question).clauses?.every((readings) => readings.length === 1) ?? false
  return { read, reads, askFor, chips: () => askForSome(chips, 6) }
}

function distinct(readings: readonly Reading[]): readonly Reading[] {
  const all = readings.map((one) => [toQuestion(one, true, one.table.table), one] as const)
  return [...new Map(all).values()]
}

type Clauses = readonly (readonly Reading[])[]

/** All readings of each clause. Undefined when some words belong to no clause. */
function readClauses(tokens: readonly Token[], all: readonly Names[]): Clauses | undefined {
  const whole = distinct(all.flatMap((names) => readAll(tokens, names)))
  if (whole.length > 0) return [whole]
  for (let at = tokens.length - 2; at > 0; at--) {
    const [joint, next] = tokens.slice(at)
    if (joint?.kind === 'quoted' || !/^(?:and|[,.;?!])$/i.test(joint?.text ?? '')) continue
    const last = distinct(all.flatMap((names) => readAll(tokens.slice(at + 1), names)))
    const before = last.length > 0 ? readClauses(tokens.slice(0, at), all) : undefined
    if (!before) continue
    // “Mean of price and sum of cost by city” leaves open whether the mean is by city, too. It is clear if the second
    // clause is a question by itself, if both clauses name the same groups and filters, or if each has groups of its
    // own.
    const isAsked = /^(?:how|what|what's|which|who|plot|draw|list|show|count|top|and)$/i
    const both = [...before, last]
    const said = new Set(both.flat().map(({ keys, filters }) => JSON.stringify([keys, filters])))
    const isOwn = both.flat().every(({ keys, filters }) => keys.length > 0 && filters.length === 0)
    return isAsked.test(next?.text ?? '') || said.size === 1 || isOwn ? both : undefined
  }
  return undefined
}
