import { expect, test } from 'vitest'
import { reduceAll } from './grammar.ts'
import { indexNames } from './lexer.ts'
import { guessFrom } from './nearest.ts'
import type { Column } from './reading.ts'
import { toTokens } from './words.ts'

test('a table of 2,000 columns gives as many guesses as one of 30, and the columns that are named are in them', () => {
  const tokens = toTokens('the biggest Foo of price 1234 over 25')
  const guessesOf = (count: number) => {
    const columns = Array.from({ length: count }, (_, at): Column => {
      const name = at === count - 1 ? 'price_1234' : `unit ${at}`
      return { name, type: 'real', empty: 0, distinct: 5, examples: [1], min: 1, max: 9 }
    })
    const table = { table: 't', file: 't.csv', rows: 10, bytes: 1, columns, notes: [] }
    const names = indexNames(table)
    return reduceAll(tokens, names).flatMap((way) => guessFrom(way, names))
  }

  const guesses = guessesOf(2000)

  expect(guesses.length).toBe(guessesOf(30).length)
  const best = guesses.toSorted(([, one], [, other]) => other - one)[0]?.[0]
  expect(JSON.stringify(best)).toContain('price_1234')
})
