import { expect, test, vi } from 'vitest'
import { suggestQuestions } from './suggest-questions.ts'

test('suggests questions of the columns of a table', async () => {
  const csv =
    'region,amount,sold_on\nNorth,10,2024-01-05\nSouth,20,2024-02-06\nNorth,5,2024-02-07\n'

  const questions = await suggestQuestions('sales.csv', new Blob([csv]))

  expect(questions).toContain('mean of amount by region')
  expect(questions).toContain('plot number of rows by month of sold_on')
  expect(questions.length).toBeLessThanOrEqual(4)
})

test('suggests them for JSON, and for the part of a large file that it reads', async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => ({
    team: `t${at % 3}`,
    points: (at * 37) % 101,
  }))

  const questions = await suggestQuestions('league.json', new Blob([JSON.stringify(rows)]))

  expect(questions).toContain('mean of points by team')
})

test('reads no more of a file than its first 64 KB', async () => {
  const file = new Blob([`a,b\n${'\n'.repeat(1_000_000)}`])
  const slice = vi.spyOn(file, 'slice')

  await suggestQuestions('blank.csv', file)

  expect(slice.mock.calls).toEqual([[0, 65_536]])
})

test('suggests what can be done with an image, and nothing for a text', async () => {
  expect(await suggestQuestions('a.png', new Blob([]))).toContain('make a.png grayscale')
  expect(await suggestQuestions('notes.md', new Blob(['# x']))).toEqual([])
})

test('rejects for what cannot be read', async () => {
  await expect(suggestQuestions('a.csv', new Blob([]))).rejects.toThrow('empty')
})
