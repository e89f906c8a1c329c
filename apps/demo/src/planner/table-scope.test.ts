import { expect, test } from 'vitest'
import { startTalk } from './loop.fixtures.ts'

const files = {
  'boats.csv': 'boat,length\nx,4\ny,9\nz,7\n',
  'crews.csv': 'crew,heads\nq,3\nw,5\n',
  'a.csv': 'k,v\n1,2\n',
  'b.csv': 'k,w\n1,2\n2,3\n3,3\n4,9\n',
  'r.csv': '',
  's.csv': 'one,two\n1\n',
  't.csv': '',
}

test('does not answer from an older table when no file of the message loads', async () => {
  const talk = startTalk(files)
  await talk.ask('how many rows?', ['boats.csv'])

  const { text } = await talk.ask('how many rows?', ['r.csv', 's.csv', 't.csv'])
  const named = await talk.ask('how many rows in boats?', ['t.csv'])

  expect(text).toMatch(/`r\.csv` failed[\s\S]*`s\.csv` failed[\s\S]*None of the files/)
  expect(text).not.toContain('**3**')
  expect(named.text).toContain('**3**')
})

test.for([
  'How many rows in r',
  'how many rows are there in r?',
  'rows in table r',
  'total length in r.csv',
])('does not answer for a file that failed: %s', async (sentence) => {
  const talk = startTalk(files)
  await talk.ask('how many rows?', ['boats.csv', 'r.csv'])

  const { text } = await talk.ask(sentence)

  expect(text).toMatch(/`r\.csv` could not be loaded|`r\.csv` failed/)
  expect(text).not.toMatch(/\*\*\d/)
})

test.for([
  'how many rows in r',
  'how many rows in table ferries',
  'number of records in old.csv',
  'how many rows in ferries',
])('does not answer for a table that is not there: %s', async (sentence) => {
  const { text } = await startTalk(files).ask(sentence, ['boats.csv'])

  expect(text).toMatch(/no table “|found no “/)
  expect(text).not.toMatch(/\*\*\d/)
})

test.for([
  ['how many rows in each table', ['boats.csv', 'crews.csv'], ['**3**', '**2**']],
  ['How many rows does every table have?', ['boats.csv', 'crews.csv'], ['**3**', '**2**']],
  ['number of rows across all tables', ['a.csv', 'b.csv'], ['**1**', '**4**']],
  ['how many rows in a and b', ['a.csv', 'b.csv'], ['**1**', '**4**']],
  ['rows in boats and crews: how many?', ['boats.csv', 'crews.csv'], ['**3**', '**2**']],
  [
    'count rows in a.csv, b.csv and boats',
    ['a.csv', 'b.csv', 'boats.csv'],
    ['**1**', '**4**', '**3**'],
  ],
] as const)('answers for each table: %s', async ([sentence, dropped, expected]) => {
  const { text } = await startTalk(files).ask(sentence, [...dropped])

  for (const part of expected) expect(text).toContain(part)
  expect(text).not.toContain('left out')
})

test('says which of the named tables it left out', async () => {
  const { text } = await startTalk(files).ask('how many rows in boats and r', [
    'boats.csv',
    'r.csv',
  ])

  expect(text).toContain('**3**')
  expect(text).toContain('I left out `r`')
})

test('loads the files that no question needed before, to answer for every table', async () => {
  const talk = startTalk(files)
  await talk.ask('how many rows in boats', ['boats.csv', 'crews.csv'])

  const { text } = await talk.ask('how many rows in each table')

  expect(text).toMatch(/\*\*3\*\*[\s\S]*\*\*2\*\*/)
})

test.for(['how many tables are there?', 'list all tables', 'which tables do you know'])(
  'names the tables: %s',
  async (sentence) => {
    const { text } = await startTalk(files).ask(sentence, ['boats.csv', 'crews.csv'])

    expect(text).toContain('**2** tables: `boats` (3 rows), `crews` (2 rows)')
  },
)

test('says that a column of an unrelated table was left out', async () => {
  const { text } = await startTalk(files).ask('mean of length and heads', [
    'boats.csv',
    'crews.csv',
  ])

  expect(text).toMatch(/did not use “(?:heads|length)”/)
})
