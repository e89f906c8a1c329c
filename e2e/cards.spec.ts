import { expect, test } from './chat.ts'

const sleepFor = (ms: number) => `/dev_sleep {"ms":${ms}}`

test('a card says that its call is slow, once it runs longer than those before', async ({
  chat,
}) => {
  await chat.ask([10, 10, 10, 10, 10].map(sleepFor).join('\n'))
  await chat.ended()

  await chat.ask(sleepFor(60_000))
  const card = chat.cards().last()
  await expect(card.getByText('slow', { exact: true })).toBeVisible({ timeout: 8000 })
  await expect(chat.page.locator('.card-slow')).toHaveCount(1)

  await card.getByRole('button', { name: /^Cancel / }).click()
  await chat.ended()
  await expect(chat.page.locator('.card-slow')).toHaveCount(0)
})
