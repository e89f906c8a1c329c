import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTalk } from './talk.fixtures.ts'

const sales = {
  'sales.csv':
    'sold_on,amount,cost\n2023-11-30,4,1\n2024-02-01,8,3\n2024-02-09,1,2\n2024-04-02,,6\n2024-05-05,5,7\n',
}

test.for([
  ['plot number of rows by month', [1, 0, 0, 2, 0, 1, 1]],
  ['plot sum of amount by month', [4, 0, 0, 9, 0, null, 5]],
  ['plot number of different cost by month', [1, 0, 0, 2, 0, 1, 1]],
  ['plot mean of amount by month', [4, null, null, 4.5, null, null, 5]],
  ['plot max of amount by month', [4, null, null, 8, null, null, 5]],
] as const)(
  'a month without rows is in the plot, as nothing or as a gap: %s',
  async ([question, values]) => {
    const { plot } = await draw(question, sales)

    const labels = ['2023-11', '2023-12', '2024-01', '2024-02', '2024-03', '2024-04', '2024-05']
    expect(plot).toMatchObject({ kind: 'line', labels, values })
  },
)

test.for([
  ['plot number of rows by year', '2023-01-01\n2026-02-02', ['2023', '2024', '2025', '2026']],
  [
    'plot number of rows by day of sold_on',
    '2024-02-27\n2024-03-01',
    ['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01'],
  ],
  // 3,000 days are no plot.
  ['plot number of rows by day of sold_on', '2024-02-27\n2032-03-01', ['2024-02-27', '2032-03-01']],
] as const)(
  'years and days are filled up, too, if they are few: %s',
  async ([question, days, labels]) => {
    const { plot } = await draw(question, { 'sales.csv': `sold_on\n${days}\n` })

    expect(plot.labels).toEqual(labels)
  },
)

test.for(['plot top 2 month by sum of amount', 'plot sum of amount by cost'])(
  'what is no row of dates is not filled up: %s',
  async (question) => {
    const { plot } = await draw(question, sales)

    expect(plot.values).not.toContain(0)
  },
)

test.for([
  ['month', '2024-01 2023-11', ['2023-11', '2023-12', '2024-01']],
  ['Quarter', '2024-Q1 2023-Q3', ['2023-Q3', '2023-Q4', '2024-Q1']],
  ['quarter', '2024Q1 2023Q3', ['2023Q3', '2023Q4', '2024Q1']],
  ['week', '2021-W01 2020-W52', ['2020-W52', '2020-W53', '2021-W01']],
  ['week', '2022-W01 2021-W51', ['2021-W51', '2021-W52', '2022-W01']],
  ['date', '2024-03-01 2024-02-28', ['2024-02-28', '2024-02-29', '2024-03-01']],
  ['year', '2024 2022', ['2022', '2023', '2024']],
  ['model_year', '2001 1999', ['1999', '2000', '2001']],
] as const)(
  'a column of spans of time is drawn over time, in order and with what lacks: %s of %s',
  async ([name, given, labels]) => {
    const rows = given.split(' ').map((span, at) => `${span},${2 - at}`)
    const file = { 'sales.csv': `${name},amount\n${rows.join('\n')}\n` }
    const { plot } = await draw(`plot sum of amount by ${name}`, file)
    const { plot: means } = await draw(`plot mean of amount by ${name}`, file)

    expect(plot).toMatchObject({ kind: 'line', values: [1, 0, 2] })
    expect(plot.labels.map(String)).toEqual(labels)
    expect(means.values).toEqual([1, null, 2])
  },
)

test.for([
  // No such months and weeks.
  ['month', '2024-01 2023-13'],
  ['week', '2024-W54 2023-W02'],
  // Not all of them are months.
  ['month', '2024-01 2023-11 later'],
  ['month', '2024-01 2023-Q4'],
  ['project_code', '2024-01 2023-11'],
  ['part', '4711-02 0815-01'],
] as const)('ordinary text is ranked: %s of %s', async ([name, given]) => {
  const rows = given.split(' ').map((text, at) => `${text},${9 - at}`)
  const { plot } = await draw(`plot sum of amount by ${name}`, {
    'sales.csv': `${name},amount\n${rows.join('\n')}\n`,
  })

  expect(plot).toMatchObject({ kind: 'bar', labels: given.split(' ') })
})

test.for([
  ['size', '2002 2000'],
  ['cost_per_year', '2002 2000'],
  ['years', '3 1'],
] as const)('a number is no year: %s of %s', async ([name, given]) => {
  const [last = '', first = ''] = given.split(' ')
  const { plot } = await draw(`plot number of rows by ${name}`, {
    'sales.csv': `${name}\n${last}\n${first}\n`,
  })

  expect(plot).toMatchObject({ kind: 'bar', labels: [Number(first), Number(last)] })
})

test('codes that turn out to be no months are drawn as they are', async () => {
  const codes = Array.from({ length: 40 }, (_, at) => `2024-${String(at + 1).padStart(2, '0')}`)
  const { plot } = await draw('plot number of rows by part', {
    'parts.csv': `part\n${codes.join('\n')}\n`,
  })

  expect(plot).toMatchObject({ kind: 'bar', labels: codes })
})

test('weeks that no calendar has are not lost', async () => {
  const { plot } = await draw('plot number of rows by week', {
    'weeks.csv': 'week\n2021-W52\n2021-W53\n2022-W01\n',
  })

  expect(plot).toMatchObject({ kind: 'line', labels: ['2021-W52', '2021-W53', '2022-W01'] })
})

test('a column of months is what is offered to be plotted over', async () => {
  const file = { 'sales.csv': 'region,month,amount\nNorth,2024-01,1\nSouth,2024-03,2\n' }
  const { buttons } = await startTalk().ask('load the file', file)

  expect(buttons).toContain('plot number of rows by month')
})

const prices = [0.1, 0.25, 0.3, 0.31, 0.9, 1.6]
const shop = {
  'shop.csv': `price,weight,city\n${prices.map((price, at) => `${price},${at + 1},${at % 2 ? 'Rome' : 'Oslo'}`).join('\n')}\n`,
}

test.for(['histogram of price', 'Draw a histogram of the price', 'plot the distribution of price'])(
  'a histogram counts the rows of bins of one round width, empty ones too: %s',
  async (question) => {
    const { plot, text } = await draw(question, shop)

    expect(plot).toMatchObject({ kind: 'histogram', xLabel: 'price', title: 'Histogram of price' })
    expect(plot.labels).toEqual([
      0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6,
    ])
    expect(plot.values).toEqual([1, 1, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1])
    expect(text).toContain('I read this as: `histogram of price`')
  },
)

test('bins of whole numbers are not narrower than one', async () => {
  const { plot } = await draw('histogram of weight where city is Rome', shop)

  expect(plot).toMatchObject({ labels: [2, 3, 4, 5, 6], values: [1, 0, 1, 0, 1] })
})

test('a histogram may end at zero', async () => {
  const { plot } = await draw('histogram of change', { 'a.csv': 'change\n-3\n-2\n0\n' })

  expect(plot).toMatchObject({ labels: [-3, -2, -1, 0], values: [1, 1, 0, 1] })
})

test.for([
  'scatter plot of weight against price',
  'plot weight vs price',
  'plot weight against price',
  'Draw a scatter plot of weight and price',
])('a scatter plot has a point for each row: %s', async (question) => {
  const { plot, text } = await draw(question, shop)

  expect(plot).toEqual({
    ...{ kind: 'scatter', title: 'weight against price', xLabel: 'price', yLabel: 'weight' },
    ...{ labels: prices, values: [1, 2, 3, 4, 5, 6] },
  })
  expect(text).toContain('I read this as: `scatter plot of weight against price`')
})

test('of many rows, a scatter plot has some of all of them, and says so', async () => {
  const rows = Array.from({ length: 1000 }, (_, at) => `${at},${at * 2},${at % 4 ? 'a' : 'b'}`)
  const file = { 'many.csv': `x_cm,y_cm,kind\n${rows.join('\n')}\n,1,a\n` }

  const { plot } = await draw('scatter plot of y_cm against x_cm where kind is a', file)

  expect(plot.title).toBe('y_cm against x_cm, 187 of 750')
  expect(Math.max(...plot.labels.map(Number))).toBeGreaterThan(900)
})

test.for([
  'histogram of city',
  'scatter plot of price against city',
  'scatter plot of price against price',
])('what has no numbers has no such plot: %s', async (question) => {
  const { text, turns } = await startTalk().ask(question, shop)

  expect(text).toContain('so I do not answer')
  expect(turns.flat()).toHaveLength(1)
})

test('both are offered of a table that has numbers for them', async () => {
  const { buttons } = await startTalk().ask('load the file', shop)

  expect(buttons).toContain('histogram of price')
  expect(buttons).toContain('scatter plot of price against weight')
  expect((await startTalk().ask('histogram of the prices', shop)).buttons).toEqual([])
  expect((await startTalk().ask('strange histogram of price', shop)).buttons).toContain(
    'histogram of price',
  )
})

test('of two tables both are asked about in what is offered', async () => {
  const { buttons } = await startTalk().ask('load both files', { ...shop, ...sales })

  expect(buttons.filter((one) => one.endsWith(' in shop'))).toHaveLength(3)
  expect(buttons.filter((one) => one.endsWith(' in sales'))).toHaveLength(3)
})

const called = z.looseObject({
  title: z.string(),
  labels: z.array(z.union([z.string(), z.number()])),
  values: z.array(z.number().nullable()),
})

/** The call that draws what is asked, and what is said of it. */
async function draw(question: string, files: Readonly<Record<string, string>>) {
  const { text, turns } = await startTalk().ask(question, files)
  const [call = ''] = turns[2] ?? []
  expect(call).toMatch(/^plot /)
  return { plot: called.parse(JSON.parse(call.slice('plot '.length))), text }
}
