import { expect, test } from 'vitest'
import { startTalk } from './talk.fixtures.ts'

const german = {
  'Umsatz, 2024.csv':
    'Betrag;Ort, Land;Größe\n1.234,50;Köln, DE;3,5\n99,90;Bonn, DE;4,5\n5,00;"Köln, DE";1,0\n',
}

test.for([
  ['number of rows where Betrag over 99,5', 'number of rows where Betrag over 99.5', '**2**'],
  [
    'number of rows where Betrag over 1.000,25',
    'number of rows where Betrag over 1000.25',
    '**1**',
  ],
  ['number of rows where Betrag is 99,9', 'number of rows where Betrag is 99.9', '**1**'],
  ['number of rows where Größe is 3,5 or 4,5', 'number of rows where Größe is 3.5 or 4.5', '**2**'],
  [
    'number of rows where Betrag between 5,0 and 99,9',
    'number of rows where Betrag at least 5 and Betrag at most 99.9',
    '**2**',
  ],
  ['sum of Betrag in Köln, DE', 'sum of Betrag where Ort, Land is Köln, DE', '**1,239.5**'],
  [
    'sum of Betrag where "Ort, Land" is "Bonn, DE"',
    'sum of Betrag where Ort, Land is Bonn, DE',
    '**99.9**',
  ],
  ['number of rows where Betrag over 1.1250', 'number of rows where Betrag over 1.1250', '**3**'],
] as const)(
  'a comma in a name, a value or a number is no list: %s',
  async ([question, reading, answer]) => {
    const { text } = await startTalk().ask(question, german)

    expect(text).toContain(`I read this as: \`${reading}\``)
    expect(text).toContain(answer)
  },
)

test.for(['1.125', '1,125'])(
  'beside decimal commas %s may be two numbers, and both are offered',
  async (number) => {
    const talk = startTalk()
    const { text, buttons } = await talk.ask(`number of rows where Betrag over ${number}`, german)

    expect(text).toContain('I cannot read this in just one way')
    expect(buttons).toEqual(
      expect.arrayContaining([
        'number of rows where Betrag over 1125',
        'number of rows where Betrag over 1.1250',
      ]),
    )
    expect((await talk.ask('number of rows where Betrag over 1125')).text).toContain('**1**')
  },
)

test.for([
  ['What is the total revenue?', 'sum of revenue', '**3,234,567**'],
  ['sum of revenue by country', 'sum of revenue by country', '| France | 2,234,567 |'],
  ['Which country has the highest units?', 'top 1 country by max of units', '| Spain | 2,500 |'],
  [
    'how many rows have revenue over 1,000,000',
    'number of rows where revenue over 1000000',
    '**1**',
  ],
] as const)(
  'numbers with commas between thousands are computed with: %s',
  async ([question, reading, answer]) => {
    const { text } = await startTalk().ask(question, {
      'sales.csv':
        'country,revenue,units\nFrance,"1,234,567","1,000"\nFrance,"1,000,000",900\nSpain,"1,000,000","2,500"\n',
    })

    expect(text).toContain(reading)
    expect(text).toContain(answer)
  },
)

test('where no column has decimal commas, a comma before three digits is none', async () => {
  const { text } = await startTalk().ask('number of rows where n over 1,125', {
    'a.csv': 'n\n9\n2000\n',
  })

  expect(text).toContain('over 1125')
})

test.for(['number of rows where n over 5, 7', 'number of rows where n under 5 or 7'])(
  'over one number or another is no question: %s',
  async (question) => {
    const { text } = await startTalk().ask(question, { 'a.csv': 'n\n5\n6\n7\n' })

    expect(text).not.toContain('I read this as')
  },
)

test.for(['number of rows where n is 5,6,7', 'number of rows where n is 5, 6 or 7'])(
  'a list of numbers is one, with blanks or without: %s',
  async (question) => {
    const { text } = await startTalk().ask(question, { 'a.csv': 'n\n5\n6\n7\n8\n' })

    expect(text).toContain('is 5 or 6 or 7`\n\n**3**')
  },
)

test.for(['load sales, north and south.csv', 'hash sales, north and south.csv'])(
  'the name of a file is not cut where it joins words: %s, and more',
  async (command) => {
    const file = { 'sales, north and south.csv': 'a,b\n1,2\n' }

    const { turns } = await startTalk().ask(`${command} and estimate pi with 1000 samples`, file)

    expect(turns[0]).toEqual([
      expect.stringContaining('"file":"sales, north and south.csv"'),
      expect.stringMatching(/^monte_carlo /),
    ])
  },
)

test('each question that is offered of a table is understood, whatever its names sound like', async () => {
  const talk = startTalk()
  const content =
    '"price, hash the file","kind and load, x",day\n1,"a, load b",2024-01-02\n2.5,"b",2024-03-04\n2,b,\n'
  const first = await talk.ask('load the file', { 'estimate pi, and more.csv': content })

  expect(first.buttons).toHaveLength(6)
  for (const button of first.buttons) {
    const { text, turns } = await talk.ask(button)
    expect(text).toContain('I read this as')
    expect(turns.flat().join()).not.toContain('hash_file')
  }
})

test('that a file could not be loaded is said once, with each way on once', async () => {
  const { text, buttons } = await startTalk().ask('', { 'bad, one.csv': 'a,b\n1,2\n3\n5,6,7\n' })

  expect(text.match(/failed/g)).toHaveLength(1)
  expect(new Set(buttons).size).toBe(buttons.length)
  expect(buttons).toContain('load bad, one.csv with padded rows')
})
