import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { wholeChromiumOptions } from '../scripts/chromium-options.mjs'
import { expect, openChat, test } from './chat.ts'
import { demoOrigin } from './origins.ts'

// A headless shell neither closes the database of a site whose data is cleared, nor reads the settings of a profile.
test.use({ launchOptions: wholeChromiumOptions() })

const address = '/?dev&delay=0'

test('[D60] [D11] what was on the page is still there after its data was cleared', async ({
  page,
  complaints: _,
}) => {
  const chat = await openChat(page, address)
  await chat.ask('help')
  await chat.ended()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Storage.clearDataForOrigin', { origin: demoOrigin, storageTypes: 'indexeddb' })

  await chat.composer.fill('And now?')
  await chat.composer.press('Enter')

  await expect(note(page, 'This chat was deleted')).toBeVisible()
  await expect(page.locator('article').nth(1)).toContainText('scripted planner')
  await page.reload()
  const again = await openChat(page, page.url())
  await expect(page.locator('article')).toHaveCount(0)
  await again.ask('help')
  expect(await again.ended()).toMatchObject({ reason: 'stop' })
  await expect(page.locator('.notice')).toHaveCount(0)
})

test('[D64] where the settings forbid storage, Chromium goes on in memory and says so', async () => {
  const profile = test.info().outputPath('profile')
  await mkdir(join(profile, 'Default'), { recursive: true })
  const blocksCookies = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(blocksCookies))
  const context = await chromium.launchPersistentContext(profile, {
    ...wholeChromiumOptions(),
    baseURL: demoOrigin,
  })
  try {
    const page = await context.newPage()
    const chat = await openChat(page, address)
    await expect(note(page, 'keeps no data for the page')).toBeVisible()
    await chat.ask('help')
    expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  } finally {
    await context.close()
  }
})

const note = (page: Page, words: string) => page.locator('.notice').filter({ hasText: words })
