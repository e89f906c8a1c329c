import { expect, test } from 'vitest'
import { fitForModel } from './fit-for-model.ts'

test('leaves a small profile as it is', () => {
  expect(fitForModel(profileOf(5, 30))).toEqual(profileOf(5, 30))
})

test.each([
  { columns: 20, values: 30, kept: 20 },
  { columns: 60, values: 5, kept: 60 },
  { columns: 90, values: 30, kept: 90 },
  { columns: 2000, values: 30, kept: 100 },
])('makes $columns columns with $values values each small enough', ({ columns, values, kept }) => {
  const fitted = fitForModel(profileOf(columns, values))
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(9000)
  expect(fitted.columns.length).toBeGreaterThanOrEqual(kept)
  expect(fitted.columns.map(({ name }) => name)).toEqual(
    profileOf(fitted.columns.length, 0).columns.map(({ name }) => name),
  )
  expect(fitted.notes.length > 1).toBe(fitted.columns.length < columns)
})

test('keeps short lists of values longer than long ones', () => {
  const { columns } = profileOf(20, 30)
  const [first, ...others] = columns
  const short = {
    name: 'short',
    type: 'text',
    empty: 0,
    distinct: 2,
    values: ['a', 'b'],
    examples: [],
  } as const
  const mixed = {
    table: 't',
    columns: [...(first ? [first] : []), { ...short, values: ['a', 'b'], examples: [] }, ...others],
    notes: [],
  }
  const fitted = fitForModel(mixed)
  expect(fitted.columns[1]).toHaveProperty('values')
  expect(fitted.columns[0]).not.toHaveProperty('values')
})

function profileOf(columns: number, values: number) {
  return {
    table: 't',
    columns: Array.from({ length: columns }, (_, i) => ({
      name: `col${i}`,
      type: 'text' as const,
      empty: 0,
      distinct: values,
      values: Array.from({ length: values }, (_, k) => `a value, number ${k}`),
      examples: ['one'],
    })),
    notes: ['A note.'],
  }
}
