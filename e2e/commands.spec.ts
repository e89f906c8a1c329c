import { expectAccessible } from './accessible.ts'
import { expect, openChat, test } from './chat.ts'

test('[UI18] commands and keys are lists that all people can use, and a command exports the chat', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask('/dev_sleep {"ms":1}')
  await chat.ended()
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Command' })).toBeFocused()
  await expectAccessible(page, 'dialog[open]')
  await page.keyboard.type('export')
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/\.jsonl$/)
  await expect(chat.composer).toBeFocused()

  await page.getByRole('button', { name: 'Chats' }).focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('heading', { name: 'Anywhere' })).toBeVisible()
  await expectAccessible(page, 'dialog[open]')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('a run can be stopped under the sheet and in a replay, and a plot fits', async ({
    page,
  }) => {
    const chat = await openChat(page, '/?dev&delay=0')
    const plot = { kind: 'bar', title: 'Sold', labels: ['North', 'South'], values: [12, 30] }
    await chat.ask(`/plot ${JSON.stringify(plot)}`)
    await chat.ended()
    const picture = page.getByRole('img', { name: 'Sold' })
    const { width = 0 } = (await picture.boundingBox()) ?? {}
    expect(width).toBeLessThan(340)
    // Its words are as large as they were laid out.
    expect(await picture.evaluate((svg: SVGSVGElement) => svg.viewBox.baseVal.width)).toBeCloseTo(
      width,
      0,
    )

    await chat.ask('/dev_spin {}')
    await page.getByRole('button', { name: 'Open the run panel' }).click()
    await page.getByRole('button', { name: 'Play' }).click()
    await expect(page.getByText('The run goes on meanwhile')).toBeVisible()
    await page.locator('.replay-note').getByRole('button', { name: 'Stop' }).click()
    // A replay hides the composer.
    const reasons = async () => (await chat.events('agent_end')).map(({ reason }) => reason)
    await expect.poll(reasons).toEqual(['stop', 'aborted'])
    await page.locator('.replay-note').getByRole('button', { name: 'Back to live' }).click()

    await page.getByRole('button', { name: 'Close the run panel' }).click()
    await chat.ask('/dev_spin {}')
    await page.getByRole('button', { name: 'Open the run panel' }).click()
    await page.locator('.panel-top').getByRole('button', { name: 'Stop' }).click()
    await expect.poll(reasons).toEqual(['stop', 'aborted', 'aborted'])
    await expect(page.getByRole('button', { name: 'Close the run panel' })).toBeFocused()
  })
})
