import { type Chat, expect, expectRest, test } from './chat.ts'
import { openLongChat } from './long-chat.ts'
import { expectResponsive, watchTasks } from './watch-tasks.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('[UI3] [UI5] typing and frames continue while one tool loops and another sends floods of updates', async ({
  chat,
}) => {
  const tasks = await watchTasks(chat.page)
  await chat.ask('/dev_spin {}\n/dev_flood {"seconds":60}')
  await expect(chat.page.locator('[data-status="running"]')).toHaveCount(2)
  const updates = async () => (await chat.events('tool_execution_update')).length
  const updatesBefore = await updates()

  const text = 'every typed character appears, whatever the tools are doing '
  // As fast as a very fast typist: two frames for each character.
  await chat.composer.pressSequentially(text, { delay: 33 })

  await expect(chat.composer).toHaveValue(text)
  await expect.poll(updates).toBeGreaterThan(updatesBefore)
  await expect(chat.page.locator('[data-status="running"]')).toHaveCount(2)

  await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()
  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  // For no longer did the page itself stand still.
  expectResponsive(await tasks())
  await expect(chat.composer).toHaveValue(text)
  const flood = chat.cards('dev_flood')
  await flood.locator('[aria-controls]').click()
  await expect(flood.locator('[data-detail="log"]')).toContainText(/\+[\d,]+ dropped/)
  await expectRest(chat)
})

test('[I19] after a result of 50 MB the page responds, and the model reads a cut one', async ({
  chat,
}) => {
  const tasks = await watchTasks(chat.page)
  await chat.ask('/dev_huge {"megabytes":50}')
  await chat.ended()

  // A page that had to read 50 MB would not respond for longer.
  expect((await tasks()).longest).toBeLessThan(300)
  const [batch] = await chat.events('tools_end')
  const [content] = batch?.toolMessages[0]?.content ?? []
  const text = content?.type === 'text' ? content.text : ''
  expect(text.length).toBeLessThanOrEqual(10_000)
  expect(text.length).toBeGreaterThan(9000)
  const [end] = await chat.events('tool_execution_end')
  expect(end).toMatchObject({ outcome: 'succeeded', truncatedForModel: true })
  await expectRest(chat)
  await chat.composer.fill('still here')
  await expect(chat.composer).toHaveValue('still here')
})

test('[UI11] old messages and idle cards are not rendered while the next answer streams', async ({
  chat,
}) => {
  for (let i = 0; i < 3; i++) {
    await chat.ask('/dev_sleep {"ms":1}')
    await chat.ended()
  }
  const renders = () => chat.page.evaluate(() => [...window.offthread.renders])
  const before = await renders()

  await chat.ask('help')
  await chat.ended()

  const after = new Map(await renders())
  expect(before.length).toBeGreaterThan(8)
  expect(before.filter(([key, count]) => after.get(key) !== count)).toEqual([])
  await expectRest(chat)
})

test('[UI12] typing in a thread of 1,000 turns renders nothing of it, and costs what it costs in an empty one', async ({
  chat,
}) => {
  const { page } = chat
  const empty = await costOfTyping(chat)
  await openLongChat(page, 1000)
  await expect(page.getByRole('button', { name: 'Show earlier (970 questions)' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(60)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000)
  const renders = () => page.evaluate(() => [...window.offthread.renders])
  const before = await renders()
  const cost = await costOfTyping(chat)

  expect(cost.changes).toBe(0)
  expect(await renders()).toEqual(before)
  // No character can take longer to appear than the longest task.
  expect(cost.longest).toBeLessThan(50)
  expect(cost.sum).toBeLessThan(3 * empty.sum)
})

/** Types a line. Returns the time of the page's thread that it took, and how many changes the conversation had. */
async function costOfTyping({ page, composer }: Chat) {
  const text = 'a line of some words, typed without a pause in a thread '
  const changes = await page.getByRole('log').evaluateHandle((log) => {
    const changes = { count: 0 }
    new MutationObserver((records) => {
      changes.count += records.length
    }).observe(log, { subtree: true, childList: true, attributes: true, characterData: true })
    return changes
  })
  const tasks = await watchTasks(page)
  await composer.pressSequentially(text)
  await expect(composer).toHaveValue(text)
  const { longest, sum } = await tasks()
  const { count } = await changes.jsonValue()
  await composer.fill('')
  return { longest, sum, changes: count }
}
