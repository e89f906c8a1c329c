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

for (const [failures, clicks] of [
  [0, 0],
  [2, 0],
  [4, 1],
  [6, 2],
] as const) {
  test(`a call that is to fail ${failures} times does, tried three times by itself and ${clicks} times by a person`, async ({
    chat,
  }) => {
    await chat.ask(`/dev_flaky {"failures":${failures}}`)
    await chat.ended()
    const card = chat.cards('dev_flaky')

    for (let click = 1; click <= clicks; click += 1) {
      await expect(card).toContainText(`This is failure ${3 * click} of ${failures}.`)
      // A button that has just come under the mouse takes no click.
      await chat.page.mouse.move(0, 0)
      await chat.again(() => card.getByRole('button', { name: /^Retry/ }).click())
      await chat.ended()
    }

    await expect(card).toHaveAttribute('data-status', 'succeeded')
    const attempts = (await chat.events('tool_dispatched')).map(({ attempt }) => attempt)
    expect(attempts).toEqual(Array.from({ length: failures + 1 }, (_, at) => at + 1))
    const last = `Attempt ${failures + 1} of ${failures + 1}`
    expect((await card.textContent())?.includes(last)).toBe(failures > 0)
    // Those that it made by itself since a person last had it run; the others are in the details.
    const own = Array.from({ length: failures - 3 * clicks }, (_, at) => 3 * clicks + at + 1)
    await expect(
      card.getByRole('list', { name: 'Attempts that failed' }).getByRole('listitem'),
    ).toHaveText(own.map((at) => `Attempt ${at} failed: This is failure ${at} of ${failures}.`))
  })
}
