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
