import { expect, test } from './chat.ts'

const sleepFor = (ms: number) => `/dev_sleep {"ms":${ms}}`

test('a card says that its call is slow, once it runs longer than those before', async ({
  chat,
}) => {
  await chat.ask([10, 10, 10, 10, 10].map(sleepFor).join('\n'))
  await chat.ended()

  await chat.ask(sleepFor(60_000))
  const card = chat.cards().last()
  await expect(card.getByText('slow', { exact: true })).toBeVisible()
  await expect(chat.page.locator('.card-slow')).toHaveCount(1)

  await card.getByRole('button', { name: /^Cancel / }).click()
  await chat.ended()
  await expect(chat.page.locator('.card-slow')).toHaveCount(0)
})

test('the log on a card is cut down to the levels that are chosen', async ({
  chat,
  complaints,
}) => {
  const code = "console.debug('d'); console.info('i'); console.warn('w'); console.error('e'); 1"
  await chat.ask(`/run_js ${JSON.stringify({ code })}`)
  await chat.ended()
  const card = chat.cards('run_js')
  await card.getByRole('button', { expanded: false }).first().click()
  const levels = card.getByRole('group', { name: 'Show only' }).getByRole('button')
  await expect(levels).toHaveText(['debug 1', 'info 1', 'warn 1', 'error 1'])

  await levels.nth(2).focus()
  await chat.page.keyboard.press('Space')
  await levels.nth(3).click()
  await expect(card.locator('.log-tail')).toHaveText(
    /^\s*[\d.]+ {2}warn: w\s+[\d.]+ {2}error: e\s*$/,
  )
  complaints.splice(0)
})
