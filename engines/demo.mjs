import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { pageOf } from './page-of.mjs'

const sample = new URL('../apps/demo/public/sample/time_zones.csv', import.meta.url)
const zones = readFileSync(sample, 'utf8').trim().split('\n').length - 1
const longestStopMs = 2250
const running = `document.querySelectorAll('[data-status="running"]')`

/**
 * The essentials of the demo page, in its production build, with the mouse and the keys. Each trial goes on where the
 * one before has ended.
 *
 * @param {import('./driver.ts').Driver} driver
 * @param {string} origin
 * @returns {Readonly<Record<string, () => Promise<string>>>}
 */
export function demoTrials(driver, origin) {
  const talk = talkOn(driver)
  const { page, ask, endsWith } = talk
  return {
    'demo: lazy tools in workers answer a question about a table': async () => {
      await driver.open(`${origin}?dev&delay=0`)
      await page.click('button', 'How many time zones are there')
      await page.shows('article', 'United States')
      await page.shows('article', String(zones))
      await endsWith('stop')
      return ''
    },
    'demo: a plot is drawn in a worker': async () => {
      await ask('Plot the number of time zones per country')
      await page.shows('[data-tool="plot"][data-status="succeeded"] [role="img"]', '')
      await endsWith('stop')
      return ''
    },
    'demo: one of two calls is cancelled': async () => {
      await ask('/dev_sleep {"ms":60000}\n/dev_sleep {"ms":5000}')
      await page.until(`${running}.length === 2`)
      await page.click('[data-tool="dev_sleep"][data-status="running"] button', 'Cancel')
      await page.shows('[data-tool="dev_sleep"][data-status="succeeded"]', '')
      await page.shows('[data-tool="dev_sleep"][data-status="cancelled"]', '')
      await endsWith('stop')
      return ''
    },
    'demo: Stop of an endless loop': async () => {
      await ask('/dev_spin {}')
      await page.shows('[data-tool="dev_spin"][data-status="running"]', '')
      const startedAt = performance.now()
      await page.click('button', 'Stop')
      await page.shows('[data-tool="dev_spin"][data-status="cancelled"]', '')
      const took = Math.round(performance.now() - startedAt)
      await endsWith('aborted')
      assert.ok(took < longestStopMs, `${took} ms`)
      return `${took} ms`
    },
    'demo: a call is run again with a mouse that has not moved since it was cancelled': () =>
      runAgain(talk),
    'demo: a reload keeps the conversation and the table': async () => {
      const articles = "[...document.querySelectorAll('article')].map((it) => it.textContent)"
      const before = JSON.stringify(await driver.evaluate(articles))
      await driver.reload()
      await page.until(`JSON.stringify(${articles}) === ${JSON.stringify(before)}`)
      await ask('How many time zones are there?')
      await endsWith('stop')
      assert.equal(await page.count('[data-tool="load_table"]'), 1)
      assert.equal(await page.count('[data-status="running"]'), 0)
      return ''
    },
  }
}

/** @param {import('./driver.ts').Driver} driver */
function talkOn(driver) {
  const page = pageOf(driver)
  const endsWith = async (/** @type {string} */ reason) => {
    await page.shows('button', 'Send')
    assert.equal(await driver.evaluate('offthread.agent.getState().lastReason'), reason)
  }
  const ask = async (/** @type {string} */ question) => {
    await page.click('textarea', 'Message')
    await driver.type(question)
    await driver.press('Enter')
  }
  return { page, ask, endsWith }
}

/** @param {ReturnType<typeof talkOn>} talk */
async function runAgain({ page, ask, endsWith }) {
  const card = '[data-tool="dev_flood"]'
  await ask('/dev_flood {"seconds":60}')
  await page.click(`${card}[data-status="running"] button`, 'Cancel')
  await endsWith('stop')
  // So long it takes no click: one that comes earlier was aimed at Cancel.
  await page.until('performance.now() - (self.since ??= performance.now()) > 1000')
  await page.click(`${card} button`, 'Retry')
  await page.shows(`${card}[data-status="running"]`, '')
  await page.click('button', 'Stop')
  await endsWith('aborted')
  return ''
}
