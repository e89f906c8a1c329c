import { chromium } from 'playwright'
import { chromiumArgs } from '../scripts/chromium-options.mjs'

/**
 * Chromium, by Playwright, as in all other tests.
 *
 * @param {string} executablePath
 * @returns {Promise<import('./driver.ts').Driver>}
 */
export async function driveChromium(executablePath) {
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  const page = await browser.newPage()
  return {
    engine: `Chromium ${browser.version()}`,
    open: async (url) => {
      await page.goto(url)
    },
    reload: async () => {
      await page.reload()
    },
    evaluate: async (expression) =>
      /** @type {unknown} */ (
        JSON.parse(await page.evaluate(`JSON.stringify((${expression}) ?? null)`))
      ),
    click: ({ x, y }) => page.mouse.click(x, y),
    type: async (text) => {
      for (const letter of text) {
        await page.keyboard.press(letter === '\n' ? 'Shift+Enter' : letter)
      }
    },
    press: (key) => page.keyboard.press(key),
    close: () => browser.close(),
  }
}
