import { expect, test } from 'vitest'
import { repairsOf } from './repairs.ts'

test('offers a way for each thing that is wrong', () => {
  const ragged = 'Such rows can be left out, padded with empty values, or shown.'
  const taken = 'Its fields are taken to be separated by commas;'

  expect(repairsOf('a.csv', `${ragged} ${taken} its header also has semicolons.`)).toEqual([
    'load a.csv with semicolons',
    'load a.csv without ragged rows',
    'load a.csv with padded rows',
    'load only the ragged rows of a.csv',
  ])
  expect(repairsOf('a.csv', `${taken} its header also has semicolons, tabs and bars.`)).toEqual([
    'load a.csv with semicolons',
    'load a.csv with tabs',
    'load a.csv with bars',
  ])
  expect(repairsOf('a.csv', 'The file is empty.')).toEqual([])
})
