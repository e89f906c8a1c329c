import { expect, expectRest, numbersIn, test } from './chat.ts'

const graceMs = 250
/** How often the time of an ordinary answer may pass besides: the machine may be busy. */
const slack = 20

test('[I20] [UI3] [UI6] Stop ends a run whose tool ignores everything, and the next question works', async ({
  chat,
}) => {
  const asked = Date.now()
  await chat.ask('help')
  await chat.ended()
  const ordinary = Date.now() - asked
  await chat.ask('/dev_spin {}\n/dev_sleep {"ms":60000}')
  await expect(chat.page.locator('[data-status="running"]')).toHaveCount(2)

  const stopped = Date.now()
  await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()
  const end = await chat.ended()

  const took = Date.now() - stopped
  console.log(`    Stop to rest: ${took} ms, of it ${graceMs} ms grace; an answer: ${ordinary} ms`)
  expect(took).toBeLessThan(graceMs + slack * ordinary)
  expect(end.reason).toBe('aborted')
  const ends = await chat.events('tool_execution_end')
  expect(ends.map(({ toolName, outcome, how }) => [toolName, outcome, how]).toSorted()).toEqual([
    ['dev_sleep', 'cancelled', 'cooperative'],
    ['dev_spin', 'cancelled', 'terminated'],
  ])
  await expectRest(chat)
  for (const [tool, sentence] of [
    ['dev_sleep', 'Cancelled by you. The tool stopped by itself.'],
    ['dev_spin', 'Cancelled by you. It did not stop by itself, so its worker was terminated.'],
  ] as const) {
    await chat.cards(tool).locator('.card-toggle').click()
    await expect(chat.cards(tool).locator('.card-details')).toContainText(sentence)
  }
  // The engine may take two seconds to end the thread of a busy worker.
  await expect.poll(() => chat.page.workers().length).toBe(0)

  await chat.ask('/dev_sleep {"ms":1}')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
})

test('[I20] Escape stops while the answer streams', async ({ page, chat }) => {
  await page.goto('/?dev&delay=200')
  await chat.composer.fill('help')
  await chat.composer.press('Enter')
  await expect(chat.answer).toContainText('planner')

  await chat.composer.press('Escape')

  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  expect(await page.evaluate(() => window.offthread.agent.getState().lastReason)).toBe('aborted')
  // The text so far stays.
  await expect(chat.answer).toContainText('planner')
  await expectRest(chat)
})

test('[I20] Escape stops a run wherever the focus is', async ({ chat }) => {
  await chat.choose(/^Spin forever$/)
  await expect(chat.cards('dev_spin')).toHaveAttribute('data-status', 'running')
  await expect(chat.composer).not.toBeFocused()

  await chat.page.keyboard.press('Escape')

  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expectRest(chat)
})

test('[I20] a table whose loading was stopped is loaded when a later question needs it', async ({
  chat,
}) => {
  const rows = 700_000
  await chat.dropRows('large.csv', rows)

  await chat.ask('How many rows are there?')
  await expect(chat.cards('load_table')).toHaveAttribute('data-status', 'running')
  await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()

  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expect(chat.cards('load_table')).toHaveAttribute('data-status', 'cancelled')
  await expectRest(chat)

  await chat.ask('How many rows are there?')

  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  await expect(chat.cards('load_table').last()).toHaveAttribute('data-status', 'succeeded')
  expect(numbersIn((await chat.answer.allInnerTexts()).join())).toContain(rows)
  await expectRest(chat)
})
