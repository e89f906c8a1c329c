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

const race = 'runner,minutes,club\nAda,41.5,Red\nBob,39.25,Blue\nCy,55,Red\nDee,44,Blue\n'
const cars = 'model,speed,lap_time\nOx,120,80\nElk,150,60\nHare,90,99\n'

test.for([
  ['Who was the fastest runner?', race, 'Bob'],
  ['who is the slowest runner', race, 'Cy'],
  ['slowest runner', race, 'Cy'],
  ['Which runner was the quickest?', race, 'Bob'],
  ['which club has the fastest mean minutes', race, '**Blue**'],
  ['how many runners were faster than 44 minutes', race, '**2**'],
  ['which model is the fastest', cars, 'Elk'],
  ['the slowest model', cars, 'Hare'],
  ['model with the fastest lap time', cars, 'Elk'],
] as const)('takes speed or duration for what is fast: %s', async ([sentence, file, expected]) => {
  const { text } = await startTalk({ 'data.csv': file }).ask(sentence, ['data.csv'])

  expect(text).toContain(expected)
  expect(text).not.toContain('did not use')
})

test('lists the three fastest, the fastest first', async () => {
  const { text } = await startTalk({ 'race.csv': race }).ask('fastest 3 runners', ['race.csv'])

  expect(text).toMatch(/Bob[\s\S]*Ada[\s\S]*Dee/)
  expect(text).not.toContain('Cy')
})

test.for(['Who was the fastest buyer?', 'list the fastest 2 items', 'which item is the heaviest'])(
  'does not count where nothing tells the answer: %s',
  async (sentence) => {
    const sold = 'item,buyer,price\npen,Ann,2\ncup,Ann,5\npen,Bo,2\n'
    const { text } = await startTalk({ 'sold.csv': sold }).ask(sentence, ['sold.csv'])

    expect(text).toMatch(/found no column that tells the “(?:fastest|heaviest)”/)
  },
)

test.for([
  ['rows with fewer than 10 kwh', '**2**'],
  ['how many rows have more than 10 kwh', '**2**'],
  ['how many meters used at least 14 kwh', '**2**'],
  ['max kwh overall', '**20** is the maximum'],
  ['smallest kwh in total', '**3** is the minimum'],
] as const)('reads the number before its column: %s', async ([sentence, expected]) => {
  const { text } = await startTalk({ 'meters.csv': meters }).ask(sentence, ['meters.csv'])

  expect(text).toContain(expected)
})

test('plots what the question before it asked for', async () => {
  const fakes = { plot: () => ({ kind: 'bar', title: 't', points: 2, width: 1, height: 1 }) }
  const { text, turns } = await startTalk({ 'meters.csv': meters }, { fakes }).ask(
    'which zone has the highest mean kwh? and plot it',
    ['meters.csv'],
  )

  expect(text).toContain('**Z-2**')
  expect(turns.flatMap((turn) => turn.calls)).toContainEqual(
    expect.objectContaining({
      name: 'plot',
      input: expect.objectContaining({ labels: ['Z-2', 'Z-1'], values: [17, 5.5] }),
    }),
  )
})

test('says one row of one row', async () => {
  const { text } = await startTalk({ 'one.csv': 'a,b\n1,2\n' }).ask('describe the table', [
    'one.csv',
  ])

  expect(text).toContain('has **1** row and **2** columns')
})

test.for([
  "ATTACH DATABASE 'x.db' AS x",
  'attach database other as o',
  'VACUUM',
  'vacuum;',
  'PRAGMA table_info(meters)',
  'EXPLAIN DELETE FROM meters',
  'EXPLAIN WITH a AS (SELECT 1) SELECT * FROM a',
  'REPLACE INTO meters VALUES (1, 2, 3)',
  'INSERT OR REPLACE INTO meters VALUES (1, 2, 3)',
])('passes SQL on that the tool will refuse: %s', async (sql) => {
  const { turns } = await startTalk({ 'meters.csv': meters }).ask(sql, ['meters.csv'])

  expect(turns[1]?.calls).toMatchObject([{ name: 'sql_query', input: { sql } }])
})

test.for(['explain the table', 'attach the file', 'analyze the kwh per zone'])(
  'takes plain English for no SQL: %s',
  async (sentence) => {
    const { turns } = await startTalk({ 'meters.csv': meters }).ask(sentence, ['meters.csv'])

    expect(turns.flatMap((turn) => turn.calls)).not.toContainEqual(
      expect.objectContaining({ input: { sql: sentence } }),
    )
  },
)

test('gives the row of the slowest where no column is called like those who run', async () => {
  const file = 'name,seconds\nAnn,100\nBob,90\n'
  const { text } = await startTalk({ 'laps.csv': file }).ask('slowest swimmer', ['laps.csv'])

  expect(text).toContain('| Ann | 100 |')
})

test('does not take the best for the most frequent', async () => {
  const { text } = await startTalk({ 'weather.csv': weather }).ask('what is the best station', [
    'weather.csv',
  ])

  expect(text).toContain('did not use “best”')
})

test('counts one row as one', async () => {
  const { text } = await startTalk({ 'weather.csv': weather }).ask('list rows in S2', [
    'weather.csv',
  ])

  expect(text).toContain('**1** row of')
})
