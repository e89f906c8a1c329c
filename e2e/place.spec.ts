import type { Page } from '@playwright/test'
import { expect, test } from './chat.ts'
import { openLongChat } from './long-chat.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a chat opens where its reader left it, after a reload and after another chat', async ({
  chat,
}) => {
  const { page } = chat
  for (let nth = 0; nth < 8; nth += 1) {
    await chat.ask('/dev_sleep {"ms":0}')
    await chat.ended()
  }
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -900)
  await expect(page.getByRole('button', { name: /^Jump to latest/ })).toBeVisible()
  const place = await placeOf(page)
  expect(place.toEnd).toBeGreaterThan(300)

  await page.reload()
  await expectPlace(page, place)

  const address = page.url()
  await page.getByRole('link', { name: 'New chat' }).click()
  await expect(page.getByRole('article')).toHaveCount(0)
  expect(page.url()).not.toBe(address)
  await page.getByRole('button', { name: 'Chats' }).click()
  await page.getByRole('list', { name: 'Chats of this browser' }).getByRole('link').last().click()
  await expect(page).toHaveURL(address)
  await expectPlace(page, place)

  await page.getByRole('button', { name: /^Jump to latest/ }).click()
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(24)
  await expect.poll(async () => (await placeOf(page)).toEnd).toBeLessThan(2)
})

test('a place among the earlier questions of a long chat is found again', async ({ chat }) => {
  const { page } = chat
  await openLongChat(page, 33)
  await page.getByRole('log').press('Home')
  await page.getByRole('button', { name: 'Show earlier (3 questions)' }).click()
  await page.getByRole('log').press('Home')
  // The page scrolls there by and by.
  await expect.poll(() => page.getByRole('log').evaluate((log) => log.scrollTop)).toBe(0)
  const place = await placeOf(page)
  expect(place.index).toBe(0)

  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(66)
  await expectPlace(page, place)
})

async function expectPlace(page: Page, place: Place): Promise<void> {
  await expect.poll(async () => (await placeOf(page)).index).toBe(place.index)
  expect(Math.abs((await placeOf(page)).top - place.top)).toBeLessThanOrEqual(2)
  await expect(page.getByRole('button', { name: /^Jump to latest/ })).toBeVisible()
}

type Place = Awaited<ReturnType<typeof placeOf>>

/** The first message in view, and how far the view is from its end. */
function placeOf(page: Page) {
  return page.getByRole('log').evaluate((log) => {
    const { top } = log.getBoundingClientRect()
    const boxes = [...log.querySelectorAll('article')].map((one) => one.getBoundingClientRect())
    const index = boxes.findIndex(({ bottom }) => bottom > top)
    return {
      index,
      top: (boxes[index]?.top ?? 0) - top,
      toEnd: log.scrollHeight - log.clientHeight - log.scrollTop,
    }
  })
}
