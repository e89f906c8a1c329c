import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, openChat, test } from './chat.ts'
import { demoOrigin } from './origins.ts'

// What happens to a storage stays with its context.
test.use({ reuseContext: false })

const address = '/?dev&delay=0'

test('[D61] [D11] [D30] without space the answer stays on the page, can be exported up to it, and is stored once there is some', async ({
  page,
}) => {
  const cdp = await page.context().newCDPSession(page)
  // Before the first use of IndexedDB: later it has no effect.
  await cdp.send('Storage.overrideQuotaForOrigin', { origin: demoOrigin, quotaSize: 3_000_000 })
  const chat = await openChat(page, address)
  await chat.ask('help')
  await chat.ended()
  await fillStorage(page)
  const before = await storedEvents(page)

  await chat.ask('help')
  await chat.ended()

  const full = note(page, 'no space to store this chat')
  await full.getByRole('button', { name: 'Delete chats' }).click()
  await expect(page.getByRole('dialog', { name: 'Chats' }).getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.locator('article')).toHaveCount(4)
  const onScreen = await page.locator('article').allTextContents()
  expect(await storedEvents(page)).toBe(before)

  expect(await exportedEvents(page)).toBe(before)
  expect((await savedText(page)).match(/# user\nhelp/g)).toHaveLength(2)
  await page.evaluate(() => void indexedDB.deleteDatabase('filler'))
  await expect(full).toHaveCount(0)
  expect(await storedEvents(page)).toBeGreaterThan(before)
  await page.reload()
  await expect(page.locator('article')).toHaveText(onScreen)
})

test('[D60] [D11] a page makes way for a newer version, says so, and leaves its data alone', async ({
  page,
  complaints: _,
}) => {
  const chat = await openChat(page, address)
  await chat.ask('help')
  await chat.ended()
  const newer = await page.context().newPage()
  await newer.goto(address)
  const version = () =>
    newer.evaluate(async () => (await indexedDB.databases()).map((one) => one.version))

  await newer.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('offthread', 100)
        request.addEventListener('success', () => {
          request.result.close()
          resolve()
        })
        request.addEventListener('error', () => reject(new Error(request.error?.message)))
      }),
  )
  await chat.composer.fill('And now?')
  await chat.composer.press('Enter')

  await expect(note(page, 'newer version of this page')).toBeVisible()
  await expect(page.locator('article').nth(1)).toContainText('scripted planner')
  await page.reload()
  await expect(note(page, 'newer version of this page')).toBeVisible()
  expect(await version()).toEqual([100])
})

test('[D83] [D138] a chat whose storage is cleared while it is open says so in each tab, runs nothing, and can be saved', async ({
  page,
  complaints: _,
}) => {
  const chat = await openChat(page, address)
  await chat.ask('/dev_sleep {"ms":600000}')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'running')
  const second = await page.context().newPage()
  const other = await openChat(second, page.url())
  await expect(other.cards('dev_sleep')).toHaveAttribute('data-status', 'running')
  const cdp = await page.context().newCDPSession(page)

  await cdp.send('Storage.clearDataForOrigin', { origin: demoOrigin, storageTypes: 'all' })

  for (const tab of [chat, other]) {
    await expect(note(tab.page, 'deleted where it is stored')).toBeVisible()
    await expect(tab.cards('dev_sleep')).toHaveAttribute('data-status', 'interrupted')
    await tab.composer.fill('And now?')
    await tab.composer.press('Enter')
    await expect(tab.composer).toHaveValue('And now?')
  }
  expect(await second.getByRole('button', { name: 'Work in this tab' }).count()).toBe(0)
  expect(await savedText(page)).toContain('# user\n/dev_sleep {"ms":600000}\n')

  await newChatIn(page, 'deleted where it is stored')
})

test('[D62] a damaged chat is shown up to the damage, and is left as it is', async ({
  page,
  complaints: _,
}) => {
  const chat = await openChat(page, address)
  await chat.ask('help')
  await chat.ended()
  await chat.ask('help')
  await chat.ended()
  const events = await storedEvents(page)
  // The end of the last answer.
  await page.evaluate(async (at) => {
    const { result } = await request(indexedDB.open('offthread'))
    const store = result.transaction('events', 'readwrite').objectStore('events')
    await request(store.delete([location.hash.slice(1), at]))
    result.close()

    function request<Of extends IDBRequest>(asked: Of): Promise<Of> {
      return new Promise((resolve, reject) => {
        asked.addEventListener('success', () => resolve(asked))
        asked.addEventListener('error', () => reject(new Error(asked.error?.message)))
      })
    }
  }, events - 3)

  await page.reload()

  await expect(note(page, 'damaged where it is stored')).toBeVisible()
  await expect(page.locator('article').first()).toBeVisible()
  expect(await page.getByRole('button', { name: 'Go on all the same' }).count()).toBe(0)
  expect(await storedEvents(page)).toBe(events - 1)
  await newChatIn(page, 'damaged where it is stored')
})

/** Goes on in the new chat that the note offers. */
async function newChatIn(page: Page, words: string): Promise<void> {
  const lost = page.url()
  await note(page, words).getByRole('link', { name: 'New chat' }).click()
  await expect(page.locator('article')).toHaveCount(0)
  expect(page.url()).not.toBe(lost)
  const again = await openChat(page, page.url())
  await again.ask('help')
  expect(await again.ended()).toMatchObject({ reason: 'stop' })
}

const note = (page: Page, words: string) => page.locator('.notice').filter({ hasText: words })

/** How many events are in the file that the list of chats gives of the one there is. */
async function exportedEvents(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Chats', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Chats' })
  const download = page.waitForEvent('download')
  await list.getByRole('button', { name: /^Export / }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n')
  await page.keyboard.press('Escape')
  return lines.filter((line) => line.startsWith('{"event":')).length
}

/** The text file that the note offers. */
async function savedText(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save what is shown' }).click()
  return readFile(await (await download).path(), 'utf8')
}

/** How many events of the page's chat are stored. */
function storedEvents(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('offthread')
        opening.addEventListener('error', () => reject(new Error(opening.error?.message)))
        opening.addEventListener('success', () => {
          const database = opening.result
          const id = location.hash.slice(1)
          const all = IDBKeyRange.bound([id], [id, []])
          const counting = database.transaction('events').objectStore('events').count(all)
          counting.addEventListener('success', () => {
            database.close()
            resolve(counting.result)
          })
        })
      }),
  )
}

/** Takes all the space there is, in smaller and smaller pieces that cannot be compressed. */
function fillStorage(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('filler')
      opening.addEventListener('upgradeneeded', () => {
        opening.result.createObjectStore('pieces', { autoIncrement: true })
      })
      opening.addEventListener('error', () => reject(new Error(opening.error?.message)))
      opening.addEventListener('success', () => resolve(opening.result))
    })
    database.addEventListener('versionchange', () => database.close())
    const add = (size: number) =>
      new Promise<boolean>((resolve) => {
        const transaction = database.transaction('pieces', 'readwrite')
        transaction.objectStore('pieces').add(crypto.getRandomValues(new Uint8Array(size)))
        transaction.addEventListener('complete', () => resolve(true))
        transaction.addEventListener('abort', () => resolve(false))
      })
    for (let size = 65_536; size >= 16; size /= 2) while (await add(size));
  })
}
