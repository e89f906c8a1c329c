import { expect, failureIn, key, placesWith, test } from './model-menu.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

const servers: ModelServer[] = []

async function start(options: { readonly key?: string } = {}): Promise<ModelServer> {
  const server = await startModelServer({ protocol: 'anthropic', ...options })
  servers.push(server)
  return server
}

test.afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

test('a key stays with its origin: a new origin in the address empties the key and says why', async ({
  chat,
  menu,
  keyOrigins,
}) => {
  const [first, second] = [await start({ key }), await start()]
  await menu.use('anthropic', { address: first.address, key })
  await chat.ask('Who are you?')
  await chat.ended()
  expect(first.seen[0]?.headers.authorization).toBe(`Bearer ${key}`)

  await menu.openAt('anthropic')
  await expect(menu.key).toHaveAttribute('placeholder', /^Kept/)
  // Another path of the same server is the same origin.
  await menu.address.fill(`${first.address}/proxy`)
  await menu.address.blur()
  await expect(menu.key).toHaveAttribute('placeholder', /^Kept/)

  await menu.address.fill(second.address)
  await menu.address.blur()
  await expect(menu.dialog.getByRole('status')).toHaveText(
    `The address now leads to ${second.origin}. The key was for ${first.origin}, so it is removed. Enter the key of the new server, if it needs one.`,
  )
  await expect(menu.key).not.toHaveAttribute('placeholder')
  await menu.take.click()
  await chat.ask('And you?')
  await chat.ended()

  expect(second.seen).toHaveLength(1)
  expect(JSON.stringify(second.seen)).not.toContain('canary')
  expect([...keyOrigins]).toEqual([first.origin])
})

test('a key that is typed and not yet saved goes nowhere else either, not even by Enter', async ({
  chat,
  menu,
  keyOrigins,
}) => {
  const [first, second] = [await start({ key }), await start()]
  await menu.openAt('anthropic')
  await menu.address.fill(first.address)
  await menu.key.fill(key)
  expect(await placesWith(chat.page, 'canary')).toEqual(['fields'])

  await menu.address.fill(second.address)
  await menu.address.press('Enter')

  await expect(menu.dialog).toBeVisible()
  await expect(menu.key).toHaveValue('')
  await expect(menu.dialog.getByRole('status')).toContainText(`The key was for ${first.origin}`)
  await menu.take.click()
  await chat.ask('Who are you?')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  expect(JSON.stringify(second.seen)).not.toContain('canary')
  expect([...keyOrigins]).toEqual([])
})

test('a cleared key is gone at once, and no request is sent without it', async ({ chat, menu }) => {
  const server = await start({ key })
  await menu.use('anthropic', { address: server.address, key })

  await menu.openAt('anthropic')
  await expect(menu.key).toHaveValue('')
  await menu.dialog.getByRole('button', { name: 'Clear key' }).click()
  await expect(menu.dialog.getByRole('status')).toHaveText('The key is cleared.')
  await menu.dialog.getByRole('button', { name: 'Close' }).click()
  await expect(menu.button).toHaveText(/test-model — key needed/)
  await chat.ask('Who are you?')

  expect(await chat.ended()).toMatchObject({ reason: 'error', error: { kind: 'auth' } })
  await expect(failureIn(chat)).toContainText('There is no API key. Enter it again.')
  expect(server.seen).toHaveLength(0)

  await failureIn(chat).getByRole('button', { name: 'Enter the key' }).click()
  await menu.key.fill(key)
  await menu.take.click()
  await chat.tryAgain()
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
})

test('a reload remembers the choice and forgets the key', async ({ page, chat, menu }) => {
  const server = await start({ key })
  await menu.use('anthropic', { address: server.address, model: 'claude-test', key })
  await chat.ask('Who are you?')
  await chat.ended()

  await page.reload()

  await expect(menu.button).toHaveText(/claude-test — key needed/)
  await menu.openAt('anthropic')
  await expect(menu.address).toHaveValue(server.address)
  await expect(menu.model).toHaveValue('claude-test')
  await expect(menu.key).toHaveValue('')
  await expect(menu.key).not.toHaveAttribute('placeholder')
  await expect(menu.key).toHaveAttribute('type', 'password')
  await expect(menu.key).toHaveAttribute('autocomplete', 'off')
})

test('a key in a field that is remembered is refused', async ({ chat: _chat, menu }) => {
  await menu.openAt('openai')
  await menu.model.fill('sk-12345678')
  await menu.take.click()

  await expect(menu.model).toBeFocused()
  await expect(menu.model).toHaveAccessibleDescription(
    'This looks like a key. Enter it in its own field.',
  )

  await menu.model.fill('gpt-5.5')
  await menu.address.fill('https://user:pass@example.com/v1')
  await menu.take.click()
  await expect(menu.address).toBeFocused()
  await expect(menu.address).toHaveAccessibleDescription(/This address contains a password/)
})
