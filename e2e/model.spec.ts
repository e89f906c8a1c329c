import type { ServerResponse } from 'node:http'
import { anthropicProblems } from '../packages/core/src/model/anthropic/strict.fixtures.ts'
import { openaiProblems } from '../packages/core/src/model/openai/strict.fixtures.ts'
import { type Chat, expectRest } from './chat.ts'
import { expect, failureIn, key, test } from './model-menu.ts'
import {
  call,
  type ModelServer,
  type Protocol,
  refuse,
  say,
  sayAndWait,
  startModelServer,
} from './model-server.ts'

const servers: ModelServer[] = []

async function start(protocol: Protocol): Promise<ModelServer> {
  const server = await startModelServer({ protocol, key })
  servers.push(server)
  return server
}

test.afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const problems = { anthropic: anthropicProblems, openai: openaiProblems }

test('a conversation continues from the planner to a model, to another, and back, and each reads all of it', async ({
  chat,
  menu,
}) => {
  const [claude, other] = [await start('anthropic'), await start('openai')]
  await chat.drop('orders.csv', 'region,amount\nNorth,2\nSouth,40\n')
  await chat.ask('How many orders are there, and what is the total amount?')
  await chat.ended()
  await chat.ask('/constructor {}')
  await chat.ended()

  await menu.use('anthropic', { address: claude.address, key })
  claude.enqueue(call('anthropic', 'dev_sleep', '{"ms":1}'), say('anthropic', 'I slept.'))
  await chat.ask('Take a nap')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  await expect(chat.answer).toContainText('I slept.')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'succeeded')

  await menu.use('openai', { address: other.address, key })
  other.enqueue(call('openai', 'dev_sleep', '{"ms":2}'), say('openai', 'So did I.'))
  await chat.ask('And you?')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  await expect(chat.answer).toContainText('So did I.')
  await expect(chat.cards('dev_sleep')).toHaveCount(2)

  for (const [protocol, { seen }] of [['anthropic', claude] as const, ['openai', other] as const]) {
    expect(seen).toHaveLength(2)
    for (const { body } of seen) {
      expect(problems[protocol](body)).toEqual([])
      const text = JSON.stringify(body)
      expect(text).toContain('what is the total amount?')
      expect(text).toContain('orders.csv')
      expect(text).toContain('No tool named')
    }
  }
  expect(JSON.stringify(other.seen[0]?.body)).toContain('I slept.')

  await menu.usePlanner()
  await chat.ask('What is the average amount?')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  await expect(chat.answer).toContainText('21')
  expect([claude.seen.length, other.seen.length]).toEqual([2, 2])
  await expectRest(chat)
})

for (const protocol of ['anthropic', 'openai'] as const) {
  test(`[I20] Stop ends an answer of ${protocol} that streams, and closes the connection`, async ({
    chat,
    menu,
  }) => {
    const server = await start(protocol)
    await menu.use(protocol, { address: server.address, key })
    let hungUp = false
    server.enqueue((response: ServerResponse) => {
      response.on('close', () => {
        hungUp = true
      })
      return sayAndWait(protocol, 'Once upon a time')(response)
    })
    await chat.ask('Tell me a story')
    await expect(chat.answer).toContainText('Once upon a time')

    await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()

    expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
    await expect.poll(() => hungUp).toBe(true)
    // The text so far stays, and the next question works.
    await expect(chat.answer).toContainText('Once upon a time')
    await chat.ask('Go on')
    expect(await chat.ended()).toMatchObject({ reason: 'stop' })
    await expect(chat.answer).toContainText('Hello from the server.')
    await expectRest(chat)
  })

  test(`Stop ends the pause before the next request to ${protocol}`, async ({
    chat,
    menu,
    complaints,
  }) => {
    const server = await start(protocol)
    await menu.use(protocol, { address: server.address, key })
    server.enqueue(busy(30))
    await chat.ask('Are you there?')
    const strip = chat.page.getByRole('region', { name: 'Run status' })
    await expect(strip).toContainText(/Retrying in \d+ s \(2\/4\)/)
    await showsEverywhere(chat, 'retry')

    await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()

    expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
    await expectRest(chat)
    expect(server.seen).toHaveLength(1)
    complaints.splice(0)

    await chat.ask('And now?')
    expect(await chat.ended()).toMatchObject({ reason: 'stop' })
    expect(server.seen).toHaveLength(2)
    await expect(chat.page.getByText(/^Stopped after/)).toHaveCount(1)
  })
}

test('a request to a busy server is repeated, which is shown and announced', async ({
  chat,
  menu,
  complaints,
}) => {
  const server = await start('anthropic')
  await menu.use('anthropic', { address: server.address, key })
  server.enqueue(busy(2), busy(1))
  await chat.ask('Are you there?')

  const strip = chat.page.getByRole('region', { name: 'Run status' })
  await expect(strip).toContainText(/Retrying in [12] s \(2\/4\)/)
  await expect(chat.page.locator('[data-announcer="polite"]')).toHaveText(
    'The model did not answer. Attempt 2 of 4 in 2 seconds',
  )
  await expect(strip).toContainText(/Retrying in 1 s \(3\/4\)/)

  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  expect((await chat.events('auto_retry_start')).map(({ attempt }) => attempt)).toEqual([2, 3])
  expect(server.seen).toHaveLength(3)
  await expect(failureIn(chat)).toHaveCount(0)
  await expectRest(chat)
  complaints.splice(0)
})

test('further attempts at a busy server can be switched off, and on again', async ({
  chat,
  menu,
  complaints,
}) => {
  const server = await start('anthropic')
  await menu.use('anthropic', { address: server.address, key })
  const retry = chat.page.getByRole('checkbox', { name: 'Retry automatically' })
  server.enqueue(busy(30))
  await chat.ask('Are you there?')
  await expect(retry).toBeChecked()
  await showsEverywhere(chat, 'retry-switch')

  await retry.uncheck()
  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expectRest(chat)
  await expect(retry).toBeFocused()

  server.enqueue(busy(30))
  await chat.ask('And now?')
  expect(await chat.ended()).toMatchObject({ reason: 'error' })
  expect(server.seen).toHaveLength(2)
  expect(await chat.events('auto_retry_start')).toHaveLength(1)

  await retry.click()
  await expect(chat.composer).toBeFocused()
  server.enqueue(busy(1))
  await chat.tryAgain()
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  expect(server.seen).toHaveLength(4)
  await expect(retry).toHaveCount(0)
  complaints.splice(0)
})

test('a conversation that is too long for the model says so, and offers a new chat and another model', async ({
  chat,
  menu,
  complaints,
}) => {
  const server = await start('anthropic')
  await menu.use('anthropic', { address: server.address, key })
  const message = 'prompt is too long: 210000 tokens > 200000 maximum'
  server.enqueue(refuse({ status: 400, type: 'invalid_request_error', message }))
  await chat.ask('And now?')

  expect(await chat.ended()).toMatchObject({ error: { kind: 'context_overflow' } })
  await expect(failureIn(chat)).toContainText('The conversation is too long for the model.')
  await expect(failureIn(chat).getByRole('button', { name: 'Change the model' })).toBeVisible()
  const { page } = chat
  const full = page.url()
  await page.screenshot({ path: test.info().outputPath('full.png') })
  await failureIn(chat).getByRole('link', { name: 'New chat' }).click()
  // Waits for the whole page: after the test its agent is searched for the key.
  await page.waitForURL((url) => url.href !== full)
  await expect(page.locator('article')).toHaveCount(0)
  complaints.splice(0)
})

test('a choice that is made in a run counts from the next question, and says so', async ({
  chat,
  menu,
}) => {
  const server = await start('anthropic')
  await menu.use('anthropic', { address: server.address, key })
  server.enqueue(sayAndWait('anthropic', 'Once upon a time'))
  await chat.ask('Tell me a story')
  await expect(chat.answer).toContainText('Once upon a time')

  await menu.button.click()
  await expect(menu.dialog.getByRole('status').first()).toHaveText(
    'An answer is being written. A change takes effect with the next question.',
  )
  // Escape closes the menu here, and does not stop the run.
  await chat.page.keyboard.press('Escape')
  await expect(menu.dialog).toBeHidden()
  await menu.usePlanner()
  await expect(menu.button).toHaveText(/Scripted planner — from the next question/)
  expect(await chat.events('agent_end')).toEqual([])

  await chat.page.keyboard.press('Escape')
  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expect(menu.button).toHaveText(/Scripted planner — rules, not a language model/)
  await chat.ask('/dev_sleep {"ms":1}')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  expect(server.seen).toHaveLength(1)
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'succeeded')
})

function busy(retryAfter: number) {
  return refuse({ status: 529, type: 'overloaded_error', message: 'Overloaded', retryAfter })
}

async function showsEverywhere({ page }: Chat, name: string): Promise<void> {
  await page.screenshot({ path: test.info().outputPath(`${name}.png`) })
  await page.emulateMedia({ colorScheme: 'dark' })
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeInViewport({ ratio: 1 })
  await page.screenshot({ path: test.info().outputPath(`${name}-320-dark.png`) })
  await page.emulateMedia({ colorScheme: 'light' })
  if (size) await page.setViewportSize(size)
}
