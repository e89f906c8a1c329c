import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { expect, expectRest, numbersIn, test } from './chat.ts'

test('one question about a dropped CSV makes two calls at once, and the numbers are right', async ({
  chat,
}) => {
  const orders = Array.from({ length: 500 }, (_, i) => ({
    region: ['North', 'South', 'East', 'West'][(i * 7) % 4] ?? '',
    amount: Math.round(((i * 7919) % 10_007) * 1.3) / 10,
  }))
  const csv = orders.map(({ region, amount }) => `${region},${amount}`).join('\r\n')
  await chat.drop('orders.csv', `region,amount\r\n${csv}\r\n`)

  await chat.ask('How many orders are in the North, and what is the total amount?')
  const end = await chat.ended()

  expect(end.reason).toBe('stop')
  const numbers = numbersIn((await chat.answer.allInnerTexts()).join())
  expect(numbers).toContain(orders.filter(({ region }) => region === 'North').length)
  const total = orders.reduce((sum, { amount }) => sum + amount, 0)
  expect(numbers.some((each) => Math.abs(each - total) < 0.01)).toBe(true)
  await expect(chat.cards('load_table')).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.cards('sql_query')).toHaveCount(2)
  await expectRest(chat)
  await chat.page.screenshot({ path: test.info().outputPath('answer.png'), fullPage: true })

  await chat.ask('And what is the average amount per region?')
  await chat.ended()

  // The table is kept longer than the worker that read it.
  await expect(chat.cards('load_table')).toHaveCount(1)
  const east = orders.filter(({ region }) => region === 'East').map(({ amount }) => amount)
  const mean = east.reduce((sum, amount) => sum + amount, 0) / east.length
  const means = numbersIn((await chat.answer.allInnerTexts()).join())
  expect(means.some((each) => Math.abs(each - mean) < 0.01)).toBe(true)
  await expectRest(chat)
})

test('the sample that ships with the page answers without an upload', async ({ chat }) => {
  const file = new URL('../apps/demo/public/sample/time_zones.csv', import.meta.url)
  const [, ...zones] = readFileSync(file, 'utf8').trim().split('\n')
  const perCountry = new Map<string, number>()
  for (const country of zones.map((line) => line.replace(/,.*/, ''))) {
    perCountry.set(country, (perCountry.get(country) ?? 0) + 1)
  }
  const most = Math.max(...perCountry.values())

  await chat.choose(/How many time zones are there/)
  await chat.ended()

  const numbers = numbersIn((await chat.answer.allInnerTexts()).join())
  expect(numbers).toContain(zones.length)
  expect(numbers).toContain(most)
  await expect(chat.answer).toContainText('United States')
  await expectRest(chat)
})

test('two files of the same name are two tables', async ({ chat }) => {
  await chat.drop('a.csv', 'n\n1\n2\n')
  await chat.drop('a.csv', 'n\n1\n2\n3\n')

  await chat.ask('Load both files')
  await chat.ended()

  const ends = await chat.events('tool_execution_end')
  const tables = ends.map(({ result }) => result.structuredContent)
  expect(tables).toHaveLength(2)
  expect(tables).toContainEqual(expect.objectContaining({ file: 'a.csv', rows: 2 }))
  expect(tables).toContainEqual(expect.objectContaining({ file: 'a (2).csv', rows: 3 }))
  await expectRest(chat)
})

test('200,000 orders are made in the page and plotted as an image with a name, without an upload', async ({
  chat,
}) => {
  const sent: string[] = []
  chat.page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  await chat.choose(/Load the synthetic orders and plot/)
  await chat.ended()

  await expect(chat.cards('load_table')).toContainText('200,000 rows')
  await expect(chat.cards('plot')).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.cards('plot').getByRole('img')).toBeVisible()
  await expect(chat.answer).toContainText('Note: Synthetic')
  expect(sent.filter((path) => !path.startsWith('/assets/'))).toEqual([])

  await chat.page.reload()
  await chat.page.evaluate(() => {
    window.events = []
    window.offthread.agent.subscribe((event) => window.events.push(event))
  })
  await chat.composer.fill('mean of revenue by country')
  await chat.composer.press('Enter')
  await expect(chat.answer).toContainText('Portugal')
  await expectRest(chat)
})

for (const [question, marks] of [
  ['histogram of weight', 'rect'],
  ['scatter plot of weight against price', 'circle'],
] as const) {
  test(`what the page offers is drawn from the numbers of the rows: ${question}`, async ({
    chat,
  }) => {
    const rows = Array.from({ length: 60 }, (_, at) => `${(at * at) % 47},${at / 4},c${at % 3}`)
    await chat.drop('shop.csv', `weight,price,city\n${rows.join('\n')}\n`)
    await chat.ask('load the file')
    await chat.ended()

    await chat.choose(question)
    await chat.ended()

    const plot = chat.cards('plot').getByRole('img')
    await expect(plot).toBeVisible()
    const drawn = await plot.locator(marks).count()
    expect(drawn).toBe(marks === 'circle' ? 60 : 9)
    await chat.page.screenshot({ path: test.info().outputPath(`${marks}.png`) })
    await chat.page.emulateMedia({ colorScheme: 'dark' })
    await chat.page.setViewportSize({ width: 360, height: 740 })
    await expect(plot).toBeVisible()
    expect(await plot.locator(marks).count()).toBe(drawn)
    await chat.page.screenshot({ path: test.info().outputPath(`${marks}-phone.png`) })
    await expectRest(chat)
  })
}

test('the first sentence on the page works when it is typed as well', async ({ chat }) => {
  const sentence = await chat.page.locator('.starter-prompt').first().textContent()

  await chat.ask(sentence ?? '')
  await chat.ended()

  await expect(chat.answer).toContainText('United States')
  await expect(chat.cards('load_table')).toHaveAttribute('data-status', 'succeeded')
  await expectRest(chat)
})

test('what it cannot read it does not answer, and offers questions that it answers', async ({
  chat,
}) => {
  const { page } = chat
  await chat.drop('orders.csv', 'region,amount\nNorth,2\nNorth,5\nSouth,40\n')
  await chat.ask('How did the amount in the North develop?')
  expect((await chat.ended()).reason).toBe('stop')

  await expect(chat.answer).toContainText('“develop”')
  await expect(chat.answer).toContainText(/scripted planner/i)
  await expect(chat.cards('sql_query')).toHaveCount(0)
  const offered = page.getByRole('list', { name: 'Questions to ask' }).getByRole('button')
  await expect(offered).toHaveCount(3)
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await expectAccessible(page)
    await page.screenshot({ path: test.info().outputPath(`refusal-${scheme}.png`) })
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await page.screenshot({ path: test.info().outputPath('refusal-phone.png') })
  const sizes = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])
  expect(sizes[1]).toBe(sizes[0])

  await chat.choose('sum of amount where region is North')
  await chat.ended()

  expect(numbersIn((await chat.answer.allInnerTexts()).join())).toContain(7)
  await expectRest(chat)
})

test('without a table it says what to do', async ({ chat }) => {
  await chat.ask('Please write a sonnet about the sea')
  const end = await chat.ended()

  expect(end.reason).toBe('stop')
  await expect(chat.answer).toContainText(/scripted planner/i)
  await expect(chat.cards()).toHaveCount(0)
  await expectRest(chat)
})
