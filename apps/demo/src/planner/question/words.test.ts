import { expect, test } from 'vitest'
import { isTypoOf, stemOf, tokenise, wordsOf } from './words.ts'

test.for([
  ['1,200', 1200],
  ['2.5', 2.5],
  ['10k', 10_000],
  ['2m', 2_000_000],
  ['20 million', 20_000_000],
  ['twenty-five', 25],
  ['two hundred', 200],
  ['a thousand', 1000],
  ['half a million', 500_000],
] as const)('reads %s as %d', ([text, value]) => {
  expect(tokenise(text)).toMatchObject([{ kind: 'number', value }])
})

test('cuts names of any style into comparable words', () => {
  expect(wordsOf('customerOrders_2024')).toEqual(['customer', 'order', '2024'])
  expect(wordsOf('wing length (mm)')).toEqual(['wing', 'length', 'mm'])
  expect(wordsOf('zone1970')).toEqual(['zone', '1970'])
})

test('gives singular and plural, British and American one stem', () => {
  expect(['cities', 'boxes', 'zones', 'colours', 'centres'].map(stemOf)).toEqual(
    ['city', 'box', 'zone', 'color', 'center'].map(stemOf),
  )
})

test('forgives one slip of the keyboard, but not another word', () => {
  expect(isTypoOf('regoin', 'region')).toBe(true)
  expect(isTypoOf('regon', 'region')).toBe(true)
  expect(isTypoOf('reason', 'region')).toBe(false)
})

test('keeps quoted text and dates whole', () => {
  expect(tokenise("'New York' 2024-03-05").map(({ kind, text }) => [kind, text])).toEqual([
    ['quoted', 'New York'],
    ['date', '2024-03-05'],
  ])
})
