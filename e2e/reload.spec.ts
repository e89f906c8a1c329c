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

test('[I28] a reload in the middle of a tool says on its card what happened, and the page goes on', async ({
  chat,
}) => {
  await chat.ask('/dev_sleep {"ms":60000}')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'running')

  await chat.page.reload()

  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'interrupted')
  await expectRest(chat)
  const again = await openChat(chat.page, chat.page.url())
  await again.ask('/dev_sleep {"ms":1}')
  expect(await again.ended()).toMatchObject({ reason: 'stop' })
})

test('[D3] [D4] [D5] [D6] a second tab shows what the first one does, stops it, and takes the chat over', async ({
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
  await second.close()
  await expect(note(chat.page)).toHaveCount(0)
})

test('New chat starts with an empty page and leaves the other chat as it is', async ({ chat }) => {
  await chat.ask('help')
  await chat.ended()
  const address = chat.page.url()

  await chat.page.getByRole('link', { name: 'New chat' }).click()
  await expect(chat.page.locator('article')).toHaveCount(0)
  expect(chat.page.url()).not.toBe(address)

  await chat.page.goto(address)
  await chat.page.reload()
  await expect(chat.page.locator('article').first()).toBeVisible()
})

const note = (page: Page) => page.getByText('open in another tab')
