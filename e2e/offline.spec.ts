import type { ServerResponse } from 'node:http'
import { sayAndWait } from './model-server.ts'
import { expect, test } from './stored-page.ts'
import { expectWhole } from './survival.ts'

test('[D10] [I28] [I33] the network goes in the middle of an answer: the page says so, Try again brings the rest, and nothing is lost', async ({
  page,
  context,
  addressOf,
  model,
  witness,
}) => {
  const open: ServerResponse[] = []
  model.enqueue((response) => {
    open.push(response)
    return sayAndWait('anthropic', 'I start the jobs')(response)
  })
  await page.goto(addressOf('offline'))
  await page.getByRole('textbox', { name: 'Message' }).fill('Do jobs of 1 and 2 ms.')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last()).toContainText('I start the jobs')

  // It stops new requests only: the stream that is open goes on without it.
  await context.setOffline(true)
  for (const response of open) response.destroy()

  await expect(page.getByRole('log').getByText('This device is offline.')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('offline.png') })
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()

  await expect(page.getByRole('article').last()).toContainText('All of it is answered.')
  await expect(page.getByRole('log')).toHaveText(/Do jobs of 1 and 2 ms\..*I start the jobs now/)
  await expectWhole(page, witness)
  expect(witness.ran).toHaveLength(2)
  const shown = await page.getByRole('log').textContent()
  await page.reload()
  await expect(page.getByRole('log')).toHaveText(shown ?? '')
})
