import { expect, test } from './chat.ts'

test('[R6] [R7] [UI14] retry makes attempt 2, and the old attempt stays visible', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask('/dev_crash {}\n/dev_sleep {"ms":100}')
  await chat.ended()
  const card = chat.cards('dev_crash')
  await expect(card).toHaveAttribute('data-status', 'failed')
  await expect(chat.cards('dev_sleep').getByRole('button', { name: /^Retry/ })).toHaveCount(0)

  await card.getByRole('button', { name: /^Retry/ }).click()

  await expect.poll(() => chat.events('agent_end')).toHaveLength(2)
  await expect(card).toContainText('Attempt 2 of 2')
  const toggle = card.getByRole('button', { expanded: true })
  await expect(toggle).toBeFocused()
  await card.getByRole('button', { name: 'Input and timing' }).click()
  const old = card.locator('[data-detail="attempt 1"]')
  await expect(old).toContainText('Failed')
  await expect(old).toContainText('The tool crashed (')

  const ends = await chat.events('tool_execution_end')
  // Of two calls side by side either may end first.
  const crashed = ends.filter(({ toolName }) => toolName === 'dev_crash')
  expect(crashed).toHaveLength(2)
  // The other call keeps its result.
  expect(ends).toHaveLength(3)
  const { tips } = await page.evaluate(() => window.offthread.agent.getState().branches)
  expect(tips).toHaveLength(1)
})
