import type { Page } from '@playwright/test'
import { expect, expectRest, numbersIn, openChat, test } from './chat.ts'

const csv = 'city,price\nBerlin,10\nBerlin,20\nParis,60\n'

test('[D9] [D10] [S002-9] a reload keeps the conversation, its cards, and the table it loaded', async ({
  chat,
}) => {
  await chat.drop('trips.csv', csv)
  await chat.ask('How many trips are in Berlin?')
  await chat.ended()
  const before = await chat.page.locator('article').allTextContents()

  await chat.page.reload()

  await expect(chat.page.locator('article')).toHaveText(before)
  await expect(chat.cards('load_table')).toHaveAttribute('data-status', 'succeeded')
  await expectRest(chat)
  await chat.page.screenshot({ path: test.info().outputPath('reloaded.png'), fullPage: true })

  const again = await openChat(chat.page, chat.page.url())
  await again.ask('What is the total price per city?')
  expect(await again.ended()).toMatchObject({ reason: 'stop' })
  expect(numbersIn((await again.answer.allInnerTexts()).join())).toEqual(
    expect.arrayContaining([30, 60]),
  )
  await expect(again.cards('load_table')).toHaveCount(1)
})

test('[S002-9] a reload in the middle of an answer keeps what was on the screen', async ({
  page,
  complaints: _,
}) => {
  await openChat(page, '/?dev&delay=40')
  await page.getByRole('textbox', { name: 'Message' }).fill('help')
  await page.keyboard.press('Enter')
  const answer = page.getByRole('article').last()
  await expect(answer).toContainText('scripted planner')
  await page.reload()

  await expect(answer).toContainText('scripted planner')
})

test('[I28] [UI7] a reload in the middle of a tool says on its card what happened, and Retry runs it again', async ({
  chat,
}) => {
  await chat.ask('/dev_sleep {"ms":60000}')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'running')

  await chat.page.reload()

  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'interrupted')
  await expectRest(chat)
  const again = await openChat(chat.page, chat.page.url())
  const card = chat.cards('dev_sleep')
  await card.locator('.card-toggle').click()
  await expect(card.locator('.card-details')).toContainText('Interrupted. It may have run.')
  await again.again(() => card.getByRole('button', { name: /^Retry / }).click())
  await expect(card).toHaveAttribute('data-status', 'running')
  await expect(card).toContainText('Attempt 2 of 2')
  // A button that has just come under the mouse takes no click.
  await chat.page.mouse.move(0, 0)
  await card.getByRole('button', { name: /^Cancel / }).click()
  expect(await again.ended()).toMatchObject({ reason: 'stop' })
  await again.ask('/dev_sleep {"ms":1}')
  expect(await again.ended()).toMatchObject({ reason: 'stop' })
})

test('[I28] what had not started when the page was reloaded says so on its card', async ({
  chat,
}) => {
  const calls = Array.from({ length: 12 }, (_, at) => `/dev_sleep {"ms":${600_000 - at}}`)
  await chat.ask(calls.join('\n'))
  const last = chat.cards('dev_sleep').last()
  await expect(last).toHaveAttribute('data-status', 'queued')

  await chat.page.reload()

  await expect(last).toHaveAttribute('data-status', 'interrupted')
  await last.locator('.card-toggle').click()
  await expect(last.locator('.card-details')).toContainText('Interrupted before it started.')
})

test('[D3] [D4] [D5] [D6] [UI25] a second tab shows what the first one does, stops it, and takes the chat over', async ({
  chat,
}) => {
  const second = await chat.page.context().newPage()
  await chat.ask('/dev_spin {}')
  await expect(chat.cards('dev_spin')).toHaveAttribute('data-status', 'running')
  const other = await openChat(second, chat.page.url())
  await expect(note(second)).toContainText('open in another tab')
  await expect(other.cards('dev_spin')).toHaveAttribute('data-status', 'running')

  await second.getByRole('button', { name: 'Stop', exact: true }).click()
  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expect(other.cards('dev_spin')).toHaveAttribute('data-status', 'cancelled')

  await second.getByRole('button', { name: 'Work in this tab' }).click()
  await expect(note(second)).toHaveCount(0)
  await expect(note(chat.page)).toContainText('open in another tab')

  await second.getByRole('textbox', { name: 'Message' }).fill('/dev_sleep {"ms":1}')
  await second.keyboard.press('Enter')
  await expect(other.cards('dev_sleep')).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'succeeded')

  // The second tab loads the file of the first one, which then answers from the table.
  await chat.drop('trips.csv', csv)
  await chat.composer.fill('How many trips are in Berlin?')
  await chat.composer.press('Enter')
  await expect(other.cards('sql_query')).toHaveAttribute('data-status', 'succeeded')
  await second.close()
  await expect(note(chat.page)).toHaveCount(0)
  await chat.composer.fill('What is the total price per city?')
  await chat.composer.press('Enter')
  await expect(chat.cards('sql_query')).toHaveCount(2)
  await expect(chat.cards('sql_query').last()).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.cards('load_table')).toHaveCount(1)
})

test('New chat starts with an empty page and leaves the other chat as it is', async ({ chat }) => {
  await chat.ask('help')
  await chat.ended()
  const address = chat.page.url()

  await chat.page.getByRole('link', { name: 'New chat' }).click()
  await expect(chat.page.locator('article')).toHaveCount(0)
  expect(chat.page.url()).not.toBe(address)

  // The page loads by itself again, because only the name of the chat differs.
  await chat.page.goto(address)
  await expect(chat.page.locator('article').first()).toBeVisible()
})

const note = (page: Page) => page.getByText('open in another tab')

test('where the browser keeps nothing the chat works in memory, and the page says so', async ({
  page,
  complaints: _,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { value: undefined })
  })
  const chat = await openChat(page, '/?dev&delay=0')
  await expect(page.getByText('keeps no data for the page')).toBeVisible()
  await chat.ask('help')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
})

test('the page starts without https, and with any text as the name of its chat', async ({
  page,
  complaints: _,
}) => {
  // As a browser does for an address of the local network.
  await page.addInitScript(() => Object.assign(crypto, { randomUUID: undefined }))
  for (const address of ['/?dev&delay=0', '/?dev&delay=0#%E0%A4%A']) {
    await page.goto('about:blank')
    const chat = await openChat(page, address)
    await page.reload()
    await expect(chat.composer).toBeVisible()
  }
})
