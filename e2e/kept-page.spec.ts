import { wholeChromiumOptions } from '../scripts/chromium-options.mjs'
import { faultsOrigin } from './origins.ts'
import { expect, test } from './stored-page.ts'

// The driver forbids the browser to keep pages, and a headless shell keeps none.
test.use({
  launchOptions: {
    ...wholeChromiumOptions(),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  },
})

test('[D5] [D85] a tab that goes to another page, which the browser may undo, leaves its session to the next tab', async ({
  context,
  addressOf,
}) => {
  const [first, second] = [await context.newPage(), await context.newPage()]
  for (const page of [first, second]) {
    await page.goto(addressOf('kept'))
    await page.evaluate(() => window.offthread.agent.ready)
  }
  await first.evaluate(() => {
    addEventListener('pagehide', ({ persisted }) => localStorage.setItem('kept', `${persisted}`))
    void window.offthread.agent.prompt('Do jobs of 5 and 60000 ms.')
  })
  await expect(second.locator('[data-status="running"]').first()).toBeVisible()

  await first.goto(`${faultsOrigin}/no-such-page`)

  const access = () => second.evaluate(() => window.offthread.agent.getState().access)
  await expect.poll(access).toBe('owner')
  expect(await second.evaluate(() => localStorage.getItem('kept'))).toBe('true')
  await first.goBack()
  await first.evaluate(() => window.offthread.agent.ready)
  expect(await first.evaluate(() => window.offthread.agent.getState().access)).toBe('follower')
})
