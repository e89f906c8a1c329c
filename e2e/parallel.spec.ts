import { expect, expectRest, test } from './chat.ts'

const sleepFor = (ms: number) => `/dev_sleep {"ms":${ms}}`

test('[I14] [UI1] four tools run at the same time', async ({ chat }) => {
  // A busy machine starts workers one after the other, so the first call must not be over before the last has begun.
  await chat.ask([4000, 4000, 4000, 4000].map(sleepFor).join('\n'))
  await chat.ended()

  const types = await chat.page.evaluate(() => window.events.map(({ type }) => type))

  const beforeFirstEnd = types.slice(0, types.indexOf('tool_execution_end'))
  expect(beforeFirstEnd.filter((type) => type === 'tool_running')).toHaveLength(4)
  await expect(
    chat.cards('dev_sleep').and(chat.page.locator('[data-status="succeeded"]')),
  ).toHaveCount(4)
  await expect(chat.page.locator('.group-header')).toHaveText(/^4 tools · 4 done · \d/)
  await expectRest(chat)
})

test('[I12] results come in call order, whatever order the calls end in', async ({ chat }) => {
  await chat.ask(Array.from({ length: 4 }, () => sleepFor(60_000)).join('\n'))
  await expect(chat.page.locator('[data-status="running"]')).toHaveCount(4)
  const calls = (await chat.events('tool_execution_start')).map(({ toolCallId }) => toolCallId)
  const order = [3, 1, 2, 0]

  for (const index of order) {
    await chat
      .cards()
      .nth(index)
      .getByRole('button', { name: /^Cancel / })
      .click()
    await expect(chat.cards().nth(index)).toHaveAttribute('data-status', 'cancelled')
  }
  await chat.ended()

  const ends = (await chat.events('tool_execution_end')).map(({ toolCallId }) => toolCallId)
  expect(ends).toEqual(order.map((index) => calls[index]))
  const results = (await chat.events('message_end')).flatMap(({ message }) =>
    message.role === 'toolResult' ? [message.toolCallId] : [],
  )
  expect(results).toEqual(calls)
  await expectRest(chat)
})

test('[I15] [UI2] cancelling one of four leaves the others and the run alone, and the model reads of it', async ({
  chat,
}) => {
  await chat.ask([60_000, 200, 200, 200].map(sleepFor).join('\n'))
  const first = chat.cards().first()
  await expect(first).toHaveAttribute('data-status', 'running')

  await first.getByRole('button', { name: /^Cancel / }).click()
  const end = await chat.ended()

  expect(end.reason).toBe('stop')
  const outcomes = await Promise.all(
    (await chat.cards().all()).map((card) => card.getAttribute('data-status')),
  )
  expect(outcomes).toEqual(['cancelled', 'succeeded', 'succeeded', 'succeeded'])
  const [batch] = await chat.events('tools_end')
  expect(batch?.toolMessages[0]).toMatchObject({
    isError: true,
    content: [
      {
        type: 'text',
        text: 'Cancelled by the user while running. It may have had partial effects.',
      },
    ],
  })
  await expect(chat.answer).toContainText(/cancelled/i)
  await expectRest(chat)
})

test('one estimate is made by four workers, and one of them is stopped', async ({ chat }) => {
  let workers = chat.page.workers().length
  chat.page.on('worker', () => (workers += 1))
  await chat.ask('Estimate pi with 200 million samples in 4 parts from seed 7')
  const cards = chat.cards('monte_carlo')
  // The page itself looks and clicks: on a busy machine a click from outside may come when the work is done.
  await chat.page.waitForFunction(() => {
    const running = document.querySelectorAll('[data-tool="monte_carlo"][data-status="running"]')
    const cancel = running[1]?.querySelector<HTMLElement>('.card-cancel')
    if (running.length < 4 || !cancel) return false
    cancel.click()
    return true
  })
  expect(workers).toBeGreaterThanOrEqual(4)
  await expect(cards.nth(1)).toHaveAttribute('data-status', 'cancelled')
  await chat.ended()

  const ends = await chat.events('tool_execution_end')
  expect(ends.map(({ outcome }) => outcome).sort()).toEqual([
    ...['cancelled', 'succeeded', 'succeeded', 'succeeded'],
  ])
  await expect(chat.page.locator('.group-header')).toHaveText(/^4 tools · 3 done · 1 stopped/)
  await expect(chat.answer).toContainText('parts: 3 of 4')
  await expect(chat.answer).toContainText(/estimate: 3\.141/)
  await expectRest(chat)
})
