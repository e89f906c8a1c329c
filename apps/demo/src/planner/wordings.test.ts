import { expect, test } from 'vitest'
import { startTalk } from './loop.fixtures.ts'

const weather =
  'station,temp_c,humidity\nS1,10,40\nS1,20,50\nS2,5,61\nS3,7,70\nS3,8,72\nS3,9,71\nS4,1,90\n'
const meters = 'meter,zone,kwh\nP1,Z-1,3\nP3,Z-1,8\nP3,Z-2,14\nA10,Z-2,20\n'

test.for([
  ['how many rows where station is S2', '**1**'],
  ['how many rows where station is s3', '**3**'],
  ['average temp_c for S3', '**8**'],
  ['mean temp_c of station S1', '**15**'],
  ['max temp_c in S1 and S4', '| S1 | 20 |'],
] as const)('filters by a value of letters and digits: %s', async ([sentence, expected]) => {
  const { text } = await startTalk({ 'weather.csv': weather }).ask(sentence, ['weather.csv'])

  expect(text).toContain(expected)
})

test.for([
  ['sum of kwh for P3', '**22**'],
  ['total kwh of meter A10', '**20**'],
  ['kwh in Z-1', '**2** rows'],
  ['total kwh in zone Z-2', '**34**'],
] as const)('filters by a code: %s', async ([sentence, expected]) => {
  const { text } = await startTalk({ 'meters.csv': meters }).ask(sentence, ['meters.csv'])

  expect(text).toContain(expected)
})

test.for(['total kwh for P77', 'total kwh in Z-9'])(
  'does not answer for another code: %s',
  async (sentence) => {
    const { text } = await startTalk({ 'meters.csv': meters }).ask(sentence, ['meters.csv'])

    expect(text).toMatch(/found no “(?:P77|Z-9)”/)
  },
)

test('finds a code among values that are too many to be listed', async () => {
  const rows = Array.from({ length: 50 }, (_, index) => `Q-${index},${index}\n`).join('')
  const talk = startTalk({ 'parts.csv': `part,grams\n${rows}` })

  expect((await talk.ask('total grams of Q-17', ['parts.csv'])).text).toContain('**17**')
})
