import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { pinLetters } from './pin-look.ts'

const path = fileURLToPath(new URL('../docs/images/four-calls.png', import.meta.url))

/** In the middle of a run, two clicks after the page was opened. */
test('the picture of the README', async ({ page }) => {
  await page.goto('/')
  await pinLetters(page)
  await page.getByRole('button', { name: 'Run panel' }).click()
  await page.getByRole('button', { name: /^Watch four work/ }).click()
  await expect(page.locator('.card[data-status="succeeded"]')).toHaveCount(3, { timeout: 60_000 })
  const bar = page.locator('.progress-bar[data-state="measured"]')
  await expect
    .poll(async () => Number(await bar.getAttribute('aria-valuenow')), { timeout: 120_000 })
    .toBeGreaterThan(25)
  // Where nothing is below it.
  await page.mouse.move(0, 0)

  await page.screenshot({ path })
})
