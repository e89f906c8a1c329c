import { expect, expectRest, test, watchFrames } from './chat.ts'

test('[UI3] [UI5] typing and frames continue while one tool loops and another sends floods of updates', async ({
  chat,
}) => {
  await chat.ask('/dev_spin {}\n/dev_flood {"seconds":60}')
  await expect(chat.page.locator('[data-status="running"]')).toHaveCount(2)
  const updates = async () => (await chat.events('tool_execution_update')).length
  const updatesBefore = await updates()
  const frames = await watchFrames(chat.page)

  const text = 'every typed character appears, whatever the tools are doing '
  // As fast as a very fast typist: two frames for each character.
  await chat.composer.pressSequentially(text, { delay: 33 })
  const { count: framesWhileTyping } = await frames()

  await expect(chat.composer).toHaveValue(text)
  expect(framesWhileTyping).toBeGreaterThan(text.length)
  await expect.poll(updates).toBeGreaterThan(updatesBefore)
  await expect(chat.page.locator('[data-status="running"]')).toHaveCount(2)

  await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()
  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expect(chat.composer).toHaveValue(text)
  const flood = chat.cards('dev_flood')
  await flood.locator('[aria-controls]').click()
  await expect(flood.locator('[data-detail="log"]')).toContainText(/\+[\d,]+ dropped/)
  await expectRest(chat)
})

test('[I19] after a result of 50 MB the page responds, and the model reads a cut one', async ({
  chat,
}) => {
  const frames = await watchFrames(chat.page)
  await chat.ask('/dev_huge {"megabytes":50}')
  await chat.ended()

  // A page that had to read 50 MB would not respond for longer.
  const { longestGap } = await frames()
  expect(longestGap).toBeLessThan(500)
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
