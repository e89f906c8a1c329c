import type { ModelChunk } from '@offthread/core'
import type { Locator, Page } from '@playwright/test'
import { type Chat, expect, test } from './chat.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a click that was aimed at Cancel runs no call again that has ended meanwhile', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask('/dev_sleep {"ms":60000}')
  const card = chat.cards('dev_sleep')
  await pointAt(card.getByRole('button', { name: /^Cancel/ }))
  await stopClock(page)
  const [start] = await chat.events('tool_execution_start')
  await page.evaluate((id) => window.offthread.agent.cancelTool(id), start?.toolCallId ?? '')
  await card.getByRole('button', { name: /^Retry/ }).waitFor()

  await clickThere(page)
  await chat.ended()
  expect(await chat.events('tool_retry_requested')).toEqual([])

  await page.mouse.move(0, 0)
  await card.getByRole('button', { name: /^Retry/ }).click()
  await expect.poll(() => chat.events('tool_retry_requested')).toHaveLength(1)
})

test('a click that was aimed at Cancel of one call cancels no other that has come meanwhile', async ({
  chat,
}) => {
  const { page } = chat
  await startTwoCalls(chat)
  await pointAt(chat.cards('dev_sleep').getByRole('button', { name: /^Cancel/ }))
  await stopClock(page)
  await page.evaluate(() => document.dispatchEvent(new Event('second-call')))
  const all = page.getByRole('button', { name: 'Cancel all' })
  await all.waitFor()

  await clickThere(page)
  expect(await chat.events('tool_cancel_requested')).toEqual([])

  await page.mouse.move(0, 0)
  await all.click()
  await expect.poll(() => chat.events('tool_cancel_requested')).toHaveLength(2)
})

test('a click on the button that the mouse was moved to counts, also if the page moved meanwhile', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask('/dev_approve {"what":"this"}')
  const allow = page.getByRole('button', { name: 'Allow', exact: true })
  await pointAt(allow)
  await stopClock(page)
  for (const padding of ['200px', '']) {
    await page.getByRole('log').evaluate((log, padding) => {
      log.style.paddingTop = padding
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }, padding)
  }

  await clickThere(page)

  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
})

/** The mouse stays there, whatever the page does. */
async function pointAt(button: Locator): Promise<void> {
  const box = await button.boundingBox()
  if (!box) throw new Error('There is no such button.')
  await button.page().mouse.move(box.x + box.width / 2, box.y + box.height / 2)
}

/** However late a machine that is busy clicks, for the page it is the same moment. */
async function stopClock(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(Event.prototype, 'timeStamp', { value: performance.now() })
  })
}

async function clickThere(page: Page): Promise<void> {
  await page.mouse.down()
  await page.mouse.up()
}

/** Starts a run whose model makes one call at once, and a second one after the event `second-call`. */
function startTwoCalls({ page }: Chat): Promise<void> {
  return page.evaluate(() => {
    const told = new Promise((resolve) => document.addEventListener('second-call', resolve))
    async function* stream(): AsyncGenerator<ModelChunk> {
      for (const contentIndex of [0, 1]) {
        if (contentIndex === 1) await told
        yield { type: 'toolcall_start', contentIndex, toolName: 'dev_sleep' }
        yield { type: 'toolcall_delta', contentIndex, delta: '{"ms":60000}' }
        yield { type: 'toolcall_end', contentIndex }
      }
      yield { type: 'finish', stopReason: 'tool_use', usage: { inputTokens: 1, outputTokens: 1 } }
    }
    const { agent } = window.offthread
    agent.configure({ model: { identity: { provider: 'test', id: 'test' }, stream } })
    void agent.prompt('go on')
  })
}
