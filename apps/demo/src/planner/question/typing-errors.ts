import type { TableInfo } from '../tables/table-info.ts'
import { questionWords } from './vocabulary.ts'
import type { Token } from './words.ts'
import { distance, stemOf, wordsOf } from './words.ts'

/** Words that steer the reading: a slip in one of them would lose the whole question. */
const steering: readonly string[] =
  'average median total number count highest lowest percentage maximum minimum between without oldest youngest longest shortest heaviest lightest biggest smallest largest cheapest many which different distinct share most common popular busiest before after above below under least'.split(
    ' ',
  )

/** Puts typing errors in the words of the question right, unless the tables know the word as it is. */
export function correctTokens(
  tokens: readonly Token[],
  tables: readonly TableInfo[],
): readonly Token[] {
  const known = new Set(
    tables
      .flatMap((table) => [
        table.table,
        ...table.columns.flatMap((column) => [column.name, ...(column.values ?? [])]),
      ])
      .flatMap(wordsOf),
  )
  return tokens.map((token) => {
    const fixed =
      token.kind !== 'word' || known.has(token.stem) || questionWords.has(token.word)
        ? undefined
        : correct(token.word)
    return fixed === undefined ? token : { ...token, word: fixed, stem: stemOf(fixed) }
  })
}

function correct(word: string): string | undefined {
  if (word === 'whats' || word === 'wat') return 'what'
  if (word.length < 4 || /\d/.test(word)) return undefined
  return steering.find((candidate) => {
    if (word[0] !== candidate[0] || Math.abs(word.length - candidate.length) > 1) return false
    // In short words only swapped letters are a safe guess.
    if (candidate.length < 6)
      return word.length === candidate.length && sorted(word) === sorted(candidate)
    return distance(word, candidate) === 1
  })
}

function sorted(word: string): string {
  return Array.from(word).sort().join('')
}
