import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectRest, test } from './chat.ts'

test('eight calls compute one picture, three other tools work side by side, and the log says where the time went', async ({
  chat,
}) => {
  const { page } = chat
  await chat.choose(/Draw the Mandelbrot set in 8 tiles/)
  await chat.ended()

  const picture = chat.cards('render_fractal').getByRole('img', { name: /8 of 8 tiles/ })
  await expect(picture.locator('img')).toHaveCount(8)
  for (const tile of await picture.locator('img').all())
    expect(await tile.evaluate(naturalWidth)).toBe(256)
  const starts = await chat.events('tool_execution_start')
  expect(starts.map(({ batchSize }) => batchSize)).toEqual(new Array(8).fill(8))
  await expectRest(chat)
  await expectNarrow(page)

  await chat.drop('orders.csv', `region,amount\n${'North,2\nSouth,40\n'.repeat(5000)}`)
  await chat.drop('zebra.md', '# Zebra\nIt has stripes.\n')
  await chat.ask('compress the file, search the docs for stripes')
  await chat.ended()
  await expect(chat.answer).toContainText('zebra.md')
  await chat.ask('/js console.log("now"); const all = [3, 1, 2]; all.sort()')
  await chat.ended()
  await expect(chat.answer).toContainText('[1,2,3]')
  await chat.ask('where did the time go')
  await chat.ended()
  await expect(chat.answer.getByRole('row', { name: /render_fractal 8/ })).toBeVisible()
  // The calls of earlier questions are folded.
  for (const group of await page.locator('.group-toggle').all()) await group.click()
  for (const tool of ['compress_file', 'search_docs', 'run_js'])
    await chat.cards(tool).first().locator('[aria-expanded]').click()
  await expect(chat.cards('search_docs').locator('mark').first()).toHaveText('stripes')
  await expect(chat.cards('run_js')).toContainText('now')
  await expectNarrow(page)
  await expectAccessible(page)
  await expectRest(chat)
})

function naturalWidth(image: Element): number {
  return image instanceof HTMLImageElement ? image.naturalWidth : 0
}

test('no question about a file is cut off at the side of a wide page', async ({ chat }) => {
  const { page } = chat
  await page.setViewportSize({ width: 1280, height: 800 })
  const head = 'region,country_of_destination,order_date,quantity_sold,unit_price_in_euro\n'
  await chat.drop(
    'orders.csv',
    `${head}North,France,2026-01-02,2,3.5\nSouth,Spain,2026-02-03,40,5\n`,
  )
  const questions = page.getByRole('list', { name: 'Questions about the file' })
  await expect(questions.getByRole('button')).not.toHaveCount(0)

  expect(await questions.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0)
  for (const question of await questions.getByRole('button').all())
    await expect(question).toBeInViewport({ ratio: 1 })
})

test('a dropped file is asked by its own columns, repaired with one click, and an image is edited', async ({
  chat,
}) => {
  const { page } = chat
  await chat.drop('bad.csv', 'city;height\nRome;1,5\nOslo\nBern;3,5\n')
  const suggested = page.getByRole('list', { name: 'Questions about the file' })
  await expect(suggested.getByRole('button').first()).toBeVisible()
  await expectNarrow(page)
  await chat.choose('mean of height by city')
  await chat.ended()

  await expect(chat.answer).toContainText('1 of 3 rows does not have 2 fields')
  await expectNarrow(page)
  await chat.choose('load bad.csv without ragged rows')
  await chat.ended()
  await expect(chat.answer).toContainText('has 2 rows')
  await expect(suggested).toHaveCount(0)

  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(600, 300)
    const drawing = canvas.getContext('2d')
    if (drawing) drawing.fillStyle = 'teal'
    drawing?.fillRect(60, 60, 300, 180)
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())]
  })
  await chat.drop('shape.png', Buffer.from(bytes))
  await chat.choose('resize shape.png to 800')
  await chat.ended()
  const image = chat.cards('edit_image').getByRole('img', { name: 'shape-edited.png' })
  await expect(image).toBeVisible()
  expect(await image.evaluate(naturalWidth)).toBe(800)
  await expectNarrow(page)
  await expectAccessible(page)
  await expectRest(chat)
})

/** On a phone nothing may stand out of the page. */
async function expectNarrow(page: Page): Promise<void> {
  const { width = 1280, height = 720 } = page.viewportSize() ?? {}
  await page.setViewportSize({ width: 360, height: 740 })
  // A frame later the page is laid out for it.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  const sizes = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])
  expect(sizes[1]).toBe(sizes[0])
  await page.setViewportSize({ width, height })
}
