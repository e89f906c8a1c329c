import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, openChat, test } from './chat.ts'

test('[UI17] the list of chats opens, renames, exports, imports and deletes them', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask('help')
  await chat.ended()
  const first = page.url()
  await page.getByRole('link', { name: 'New chat' }).click()
  const second = await openChat(page, page.url())
  await second.ask('/dev_sleep {"ms":1}')
  await second.ended()

  const list = await openList(page)
  await expect(rowsIn(list)).toHaveText([/dev_sleep.*events/, /help.*events/])
  await expect(rowsIn(list).first().getByRole('link')).toHaveAttribute('aria-current', 'page')

  await button(list, 'Rename help').click()
  await page.keyboard.type('What it can do')
  await page.keyboard.press('Enter')
  await expect(button(list, 'Rename What it can do')).toBeFocused()
  await list.getByRole('link', { name: 'What it can do' }).click()
  await expect(page).toHaveURL(first)
  await expect(page.locator('article').first()).toHaveText(/help/)
  const said = (await page.getByRole('log').textContent()) ?? ''

  const again = await openList(page)
  const download = page.waitForEvent('download')
  await button(again, 'Export What it can do.jsonl').click()
  const file = await (await download).path()
  const input = again.getByLabel('Chat to import')
  await input.setInputFiles({ name: 'a.jsonl', mimeType: '', buffer: Buffer.from('{"a":1}\n') })
  await expect(again.getByRole('alert')).toHaveText(/^The file is no exported chat/)
  await expect(rowsIn(again)).toHaveCount(2)
  await input.setInputFiles(file)
  await expect(again.getByText('Imported.')).toBeVisible()
  await expect(again.getByRole('alert')).toHaveCount(0)
  await expect(again.getByRole('link', { name: 'What it can do' })).toHaveCount(2)

  await button(rowsIn(again).filter({ hasText: 'dev_sleep' }), /^Delete /).click()
  await expect(rowsIn(again).filter({ hasText: 'dev_sleep' })).toContainText('is deleted.')
  // The one that is open makes room for a new chat, which is in no list before something is said in it.
  const open = rowsIn(again).filter({ has: page.locator('[aria-current="page"]') })
  await button(open, /^Delete /).click()
  await page.keyboard.press('Escape')
  await expect(page.locator('article')).toHaveCount(0)
  const rest = await openList(page)
  await expect(rowsIn(rest).getByRole('link')).toHaveText(['What it can do'])
  await rest.getByRole('link', { name: 'What it can do' }).click()
  await expect(page.getByRole('log')).toHaveText(said)
  expect(page.url()).not.toBe(first)
})

test('[D23] [D9] a chat goes on from an answer in a new one, with the table that it loaded', async ({
  chat,
}) => {
  const { page } = chat
  await chat.drop('trips.csv', 'city,price\nBerlin,10\nBerlin,20\nParis,60\n')
  await chat.ask('How many trips are in Berlin?')
  await chat.ended()
  const before = await page.locator('article').allTextContents()
  await chat.ask('help')
  await chat.ended()
  const address = page.url()

  await page.getByRole('button', { name: 'Go on from here in a new chat' }).first().click()
  await expect(page.locator('article')).toHaveText(before)
  // The answer is there whole, although the fork ends before its run did.
  await expect(page.locator('.run-note')).toHaveCount(0)
  expect(page.url()).not.toBe(address)
  const fork = await openChat(page, page.url())
  await fork.ask('What is the total price per city?')
  expect(await fork.ended()).toMatchObject({ reason: 'stop' })
  await expect(fork.cards('sql_query').last()).toHaveAttribute('data-status', 'succeeded')
  await expect(fork.cards('load_table')).toHaveCount(1)
})

test('the list works by keyboard alone, and gives the focus back', async ({ chat }) => {
  const { page } = chat
  await chat.ask('help')
  await chat.ended()
  await button(page, 'Chats').press('Enter')
  const list = page.getByRole('dialog', { name: 'Chats' })
  await button(list, /^Rename/).press('Enter')
  await page.keyboard.type('Another title')
  await page.keyboard.press('Escape')
  await expect(button(list, 'Rename help')).toBeFocused()

  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(button(page, 'Chats')).toBeFocused()
})

test('a deletion can be undone, and without that the chat is gone once the list is closed, also after a reload', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask('help')
  await chat.ended()
  const list = await openList(page)
  await button(list, 'Delete help').press('Enter')
  await expect(button(list, 'Undo: help is deleted')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(list, 'Delete help')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.locator('article')).toHaveCount(2)

  await page.getByRole('link', { name: 'New chat' }).click()
  await expect(page.locator('article')).toHaveCount(0)
  await chat.composer.fill('thanks')
  await chat.composer.press('Enter')
  await expect(page.locator('article')).toHaveCount(2)
  await button(await openList(page), 'Delete help').click()
  // The page is closed before its list.
  await page.reload()
  await expect(page.locator('article')).toHaveCount(2)
  await expect((await openList(page)).getByRole('link')).toHaveText(['thanks'])
})

test('a deletion can be undone while another tab is opened', async ({ chat }) => {
  const { page } = chat
  await chat.ask('help')
  await chat.ended()
  const list = await openList(page)
  await button(list, 'Delete help').click()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(other.locator('article')).toHaveCount(2)
  await expect((await openList(other)).getByRole('link')).toHaveText(['help'])
  await other.close()

  await button(list, 'Undo: help is deleted').click()

  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.locator('article')).toHaveCount(2)
})

test('the page and the list are accessible, light and dark, at 1280 and 320 px', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask(`${'What is the average price of a trip? '.repeat(4)}${'x'.repeat(60)}`)
  await chat.ended()
  await expectAccessibleEverywhere(page, 'page')

  const list = await openList(page)
  await expectAccessibleEverywhere(page, 'chats')

  await button(list, /^Rename/).click()
  await button(list, /^Delete/).click()
  await expectAccessibleEverywhere(page, 'renaming')
})

test('[I29] a chat that was cut off shows it in the list of another one, and Resume goes on with it', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask('/dev_sleep {"ms":60000}')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'running')
  const address = page.url()
  await page.getByRole('link', { name: 'New chat' }).click()
  await expect(page.locator('article')).toHaveCount(0)
  await expect(rowsIn(await openList(page)).filter({ hasText: 'dev_sleep' })).toContainText(
    'interrupted',
  )

  await page.goto('about:blank')
  const again = await openChat(page, address)
  await button(page, 'Resume').click()
  await expect
    .poll(async () => (await again.events('agent_end')).at(-1))
    .toMatchObject({ reason: 'stop' })
  await expect(button(page, 'Resume')).toHaveCount(0)
  await expect(again.cards('dev_sleep')).toHaveAttribute('data-status', 'interrupted')
})

async function openList(page: Page): Promise<Locator> {
  await button(page, 'Chats').click()
  return page.getByRole('dialog', { name: 'Chats' })
}

function rowsIn(list: Locator): Locator {
  return list.getByRole('listitem')
}

function button(within: Page | Locator, name: string | RegExp): Locator {
  return within.getByRole('button', { name, exact: true })
}

/** Takes a picture of each kind of screen. */
async function expectAccessibleEverywhere(page: Page, what: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 720 })
      await expectAccessible(page)
      const { inner, scroll } = await page.evaluate(() => ({
        inner: document.documentElement.clientWidth,
        scroll: document.documentElement.scrollWidth,
      }))
      expect(scroll).toBe(inner)
      await page.screenshot({ path: test.info().outputPath(`${what}-${scheme}-${width}.png`) })
    }
  }
}
