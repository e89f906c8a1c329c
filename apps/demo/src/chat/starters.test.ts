import { expect, test } from 'vitest'
import { starterOf, starters } from './starters.ts'

test.for([
  'How many time zones are there, and which five countries have the most time zones?',
  '  how many time zones are there and which five countries have the most time zones ',
  'HOW MANY TIME ZONES ARE THERE, AND WHICH FIVE COUNTRIES HAVE THE MOST TIME ZONES.',
])('recognises a starter however it is typed: %s', (typed) => {
  expect(starterOf(typed)).toBe(starters[0])
})

test.for(['', '?', 'How many time zones are there?', 'plot the number of time zones'])(
  'takes nothing else for one: %j',
  (typed) => {
    expect(starterOf(typed)).toBeUndefined()
  },
)
