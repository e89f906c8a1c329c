import type { Page } from '@playwright/test'
import { type Chat, expectRest } from './chat.ts'
import { type Choice, expect, failureIn, key, test, wrongKey } from './model-menu.ts'
import { deadAddress, type ModelServer, type Protocol, startModelServer } from './model-server.ts'

/** A mistake in the settings of a model, and what the page says about it. */
interface Mistake {
  readonly what: string
  readonly kind: string
  /** The first input. `server` is the correct one. */
  readonly enter: (server: ModelServer, protocol: Protocol) => Promise<Choice>
  readonly says: RegExp
  /** On the button that leads to the menu. */
  readonly offers: 'Enter the key' | 'Change the model'
  /** Requests that reach the server before the mistake is corrected. */
  readonly reach: number
}

const mistakes: readonly Mistake[] = [
  {
    what: 'a wrong key',
    kind: 'auth',
    enter: async ({ address }) => ({ address, key: wrongKey }),
    says: /^127\.0\.0\.1:\d+ did not accept the API key\. Check it and enter it again\.$/,
    offers: 'Enter the key',
    reach: 1,
  },
  {
    what: 'a wrong address',
    kind: 'bad_request',
    enter: async ({ address }) => ({ address: `${address}/elsewhere`, key }),
    says: /^127\.0\.0\.1:\d+ has no model "test-model" at this address\. Check the model and the address\.$/,
    offers: 'Change the model',
    reach: 1,
  },
  {
    what: 'a server that does not let pages read its answers',
    kind: 'cors',
    enter: async (_, protocol) => ({ address: await addressWithoutCors(protocol), key }),
    says: /^127\.0\.0\.1:\d+ is there, but does not let this page read its answers \(CORS\)\. Allow the origin http:\/\/127\.0\.0\.1:\d+ on the server, or go through a proxy of your own\.$/,
    offers: 'Change the model',
    reach: 0,
  },
  {
    what: 'a server that is not there',
    kind: 'network',
    enter: async (_, protocol) => ({ address: await deadAddress(protocol), key }),
    says: /^127\.0\.0\.1:\d+ could not be reached\. Check the address, that the server runs, and the connection;/,
    offers: 'Change the model',
    reach: 0,
  },
]

const servers: ModelServer[] = []

test.afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

for (const protocol of ['anthropic', 'openai'] as const) {
  for (const { what, kind, enter, says, offers, reach } of mistakes) {
    test(`${what} (${protocol}) ends in a sentence, and once it is corrected the answer comes`, async ({
      chat,
      menu,
      complaints,
      written,
    }) => {
      test.slow(kind === 'network', 'it is tried four times')
      const server = await start(protocol)
      const { page } = chat
      await chat.ask('/dev_sleep {"ms":1}')
      await chat.ended()
      await menu.use(protocol, await enter(server, protocol))

      await chat.ask('Who are you?')
      const end = await chat.ended()

      expect(end).toMatchObject({ reason: 'error', error: { kind } })
      await expect(failureIn(chat).locator('p').last()).toHaveText(says)
      expect(server.seen).toHaveLength(reach)
      expect(await questions(page)).toEqual(['/dev_sleep {"ms":1}', 'Who are you?'])
      await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'succeeded')
      await expectRest(chat)
      await takePicture(chat, `${kind}-${protocol}`)
      expect(complaints.length).toBeGreaterThan(0)
      complaints.splice(0)

      await failureIn(chat).getByRole('button', { name: offers }).click()
      await menu.use(protocol, { address: server.address, key })
      await chat.tryAgain()

      expect(await chat.ended()).toMatchObject({ reason: 'stop' })
      await expect(chat.answer).toContainText('Hello from the server.')
      // No message is there twice, and none is missing.
      expect(await questions(page)).toEqual(['/dev_sleep {"ms":1}', 'Who are you?'])
      await expect(chat.cards('dev_sleep')).toHaveCount(1)
      expect(server.seen).toHaveLength(reach + 1)
      await expectRest(chat)
      expect(written.join()).not.toContain('canary')
    })
  }
}

async function start(protocol: Protocol): Promise<ModelServer> {
  const server = await startModelServer({ protocol, key })
  servers.push(server)
  return server
}

async function addressWithoutCors(protocol: Protocol): Promise<string> {
  const server = await startModelServer({ protocol, key, cors: false })
  servers.push(server)
  return server.address
}

function questions(page: Page): Promise<string[]> {
  return page.locator('.message-user .bubble').allInnerTexts()
}

async function takePicture({ page }: Chat, name: string): Promise<void> {
  await page.screenshot({ path: test.info().outputPath(`${name}.png`) })
  const size = page.viewportSize()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.screenshot({ path: test.info().outputPath(`${name}-320-dark.png`) })
  await page.emulateMedia({ colorScheme: 'light' })
  if (size) await page.setViewportSize(size)
}
