import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, openChat, test } from './chat.ts'

for (const scheme of ['light', 'dark'] as const) {
  test(`[UI18] [UI21] the page passes the checks of accessibility, ${scheme}`, async ({ chat }) => {
    await chat.page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await expectAccessible(chat.page)

    await chat.ask('/dev_sleep {"ms":60000}\n/dev_nothing {}')
    await expect(chat.page.locator('[data-status="running"]')).toHaveCount(1)
    await chat.composer.fill('And then?')
    await chat.composer.press('Enter')
    await expectAccessible(chat.page)
    expect(await chat.page.evaluate(() => document.getAnimations().length)).toBe(0)

    await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()
    await chat.ended()
    await expectAccessible(chat.page)

    await chat.page.getByRole('button', { name: /Scripted planner/ }).click()
    await expect(chat.page.getByRole('dialog')).toBeVisible()
    await expectAccessible(chat.page)
    await chat.page.keyboard.press('Escape')
    await chat.page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(chat.page)
  })
}

test('[UI20] everything works by keyboard alone', async ({ chat }) => {
  const { page } = chat
  await chat.composer.focus()
  await page.keyboard.type('/dev_sleep {"ms":60000}')
  await page.keyboard.press('Enter')
  await expect(chat.cards()).toHaveAttribute('data-status', 'running')
  // Focus stays in the text field.
  await expect(chat.composer).toBeFocused()

  const cancel = page.getByRole('button', { name: /^Cancel / })
  for (let i = 0; i < 30 && !(await isFocused(cancel)); i++) await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(chat.cards()).toHaveAttribute('data-status', 'cancelled')

  // The button that had the focus is gone, so the focus is on the header of its card, and opens the card.
  const details = chat.cards().locator('[aria-controls]')
  await expect(details).toBeFocused()
  const before = await details.getAttribute('aria-expanded')
  await page.keyboard.press('Enter')
  expect(await details.getAttribute('aria-expanded')).not.toBe(before)
})

async function isFocused(locator: ReturnType<Page['locator']>): Promise<boolean> {
  return locator.evaluate((element) => element === document.activeElement)
}

test('a phone shows everything without scrolling sideways', async ({ chat }) => {
  await chat.page.setViewportSize({ width: 320, height: 640 })
  const name = `what was exported ${'w'.repeat(80)}.csv`
  await chat.drop(name, 'a\n1\n')
  await chat.ask('/dev_sleep {"ms":1}\n/dev_nothing {}')
  await chat.ended()

  const sent = chat.page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  await sent.scrollIntoViewIfNeeded()
  await expect(sent).toBeInViewport({ ratio: 1 })

  const { width, scroll } = await chat.page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    scroll: document.documentElement.scrollWidth,
  }))
  expect(scroll).toBe(width)
  await expect(chat.composer).toBeInViewport()

  const buffer = Buffer.from('a\n1\n')
  const files = Array.from({ length: 25 }, (_, at) => {
    return { name: `file ${at}.csv`, mimeType: 'text/csv', buffer }
  })
  await chat.page.getByLabel('Files to attach').setInputFiles(files)
  await expect(chat.page.getByRole('button', { name: 'Remove file 24.csv' })).toBeAttached()
  await expect(chat.composer).toBeInViewport({ ratio: 1 })
  await expect(chat.page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 })
})

test('a phone shows the numbers of an answer beside their names', async ({ chat }) => {
  await chat.page.setViewportSize({ width: 360, height: 740 })
  await chat.choose(/How many time zones are there/)
  await chat.ended()

  const table = chat.answer.locator('.md table')
  // Three countries share the fifth place.
  await expect(table.locator('tbody tr')).toHaveCount(7)
  for (const row of await table.locator('tr').all()) {
    const cells = row.locator('th, td')
    // The first table, because the page itself scrolls the last one into view.
    await cells.first().scrollIntoViewIfNeeded()
    await expect(cells.last()).toBeInViewport({ ratio: 1 })
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })

  for (const [browser, open, close] of [
    ['makes the page smaller', setHeight(420), setHeight(780)],
    ['covers the page', cover(360), cover(0)],
  ] as const) {
    test(`[UI22] a keyboard that ${browser} leaves the message field and the end of the answer in view`, async ({
      page,
      complaints: _,
    }) => {
      const chat = await openChat(page, '/?delay=0&dev')
      await chat.composer.fill('help')
      await page.locator('.send-button').tap()
      const last = page.getByRole('article').last().getByRole('button').last()
      await expect(last).toBeVisible()
      await chat.composer.tap()

      await open(page)

      const field = chat.composer
      await expect.poll(() => bottomOf(field)).toBeLessThanOrEqual(420)
      expect(await bottomOf(page.locator('.send-button'))).toBeLessThanOrEqual(420)
      await expect.poll(() => bottomOf(last)).toBeLessThanOrEqual(420)
      await expect(field).toBeFocused()
      expect(await page.evaluate(() => document.documentElement.scrollTop)).toBe(0)
      await page.screenshot({ path: test.info().outputPath('keyboard.png') })

      await close(page)
      await expect.poll(() => bottomOf(field)).toBeGreaterThan(500)
    })
  }
})

/** As Chromium does it: the layout shrinks. */
function setHeight(height: number) {
  return (page: Page) => page.setViewportSize({ width: 390, height })
}

/** As Safari does it: only the visual viewport shrinks. Chromium has no such keyboard, so its figures are set. */
function cover(height: number) {
  return (page: Page) =>
    page.evaluate((covered) => {
      const viewport = window.visualViewport
      if (!viewport) throw new Error('There is no visual viewport.')
      Object.defineProperty(viewport, 'height', { configurable: true, value: 780 - covered })
      viewport.dispatchEvent(new Event('resize'))
    }, height)
}

async function bottomOf(element: Locator): Promise<number> {
  return element.evaluate((shown) => shown.getBoundingClientRect().bottom)
}

test('[UI26] a dropped file never leaves the page', async ({ chat }) => {
  const requests: string[] = []
  chat.page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
  await chat.drop('secret.csv', 'name,amount\nAnn,12\nBob,30\n')

  await chat.ask('What is the total amount?')
  await chat.ended()

  await expect(chat.answer).toContainText('42')
  const origin = new URL(chat.page.url()).origin
  const foreign = requests.filter(
    (each) => !/^GET (data|blob):/.test(each) && !each.startsWith(`GET ${origin}/`),
  )
  expect(foreign).toEqual([])
})
