import { expect, test } from 'vitest'
import { splitClauses } from './clauses.ts'

test.for([
  ['How many orders? And the mean price?', ['How many orders', 'And the mean price']],
  ['1. count rows\n2. list regions', ['count rows', 'list regions']],
  ['the mean and the maximum of the fine', ['the mean and the maximum of the fine']],
  ['average stay and average cost by sex', ['average stay and average cost by sex']],
  [
    'average price in Leeds and average tip in York',
    ['average price in Leeds', 'average tip in York'],
  ],
  ['how many in the North, and what is the total', ['how many in the North', 'what is the total']],
  ['estimate pi and the birthday chance', ['estimate pi', 'the birthday chance']],
  ['For Quay, what is the longest queue', ['For Quay, what is the longest queue']],
  [
    'On average, how long is it, and what is the total?',
    ['On average, how long is it', 'what is the total'],
  ],
  ['sum 3.5 and more', ['sum 3.5 and more']],
  ['what did J. Teal do. How many robins', ['what did J. Teal do', 'How many robins']],
  ['rows containing "and how many"', ['rows containing "and how many"']],
  ['', []],
] as const)('cuts “%s”', ([message, expected]) => {
  expect(splitClauses(message, false)).toEqual(expected)
})

test('cuts before a dev tool only where there are dev tools', () => {
  expect(splitClauses('estimate pi, crash and spin', true)).toEqual([
    'estimate pi',
    'crash',
    'spin',
  ])
  expect(splitClauses('list crash and spin', false)).toEqual(['list crash and spin'])
})
