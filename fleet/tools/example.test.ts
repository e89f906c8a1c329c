import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumLaunchOptions } from '../../scripts/chromium-options.mjs'
import { findNatsServer } from '../../scripts/nats-server.mjs'

/** Two builds and a browser, on a machine with other work. */
const patienceMs = 120_000

test(
  '[F1] [F2] the example starts with one command, and its page in Chromium gets the card of a process',
  async () => {
    const address = await startExample()
    const browser = await chromium.launch(chromiumLaunchOptions())
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    page.setDefaultTimeout(patienceMs)
    await page.goto(address)
    const card = page.locator('section')
    const heading = (text: string) => card.getByRole('heading', { name: `Count primes: ${text}` })

    await page.getByRole('button', { name: 'below a million?' }).click()
    await heading('succeeded').waitFor()
    await expect
      .poll(() => card.locator('pre').textContent(), { timeout: patienceMs })
      .toBe('Runs in the process the-process-next-door.\nThe last number was 999999.')
    await page.getByText('There are 78498 of them.').waitFor()

    await page.getByRole('button', { name: 'below a billion?' }).click()
    await page.getByText('primes so far').last().waitFor()
    await card.getByRole('button', { name: 'Cancel' }).last().click()
    await heading('cancelled').waitFor()
    await page.getByText('That was too many.').waitFor()
  },
  patienceMs,
)

/** Resolves when the page can be opened. */
async function startExample() {
  const [nats, webSocket, port] = await freePorts()
  const example = spawn(process.execPath, ['examples/fleet/start.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NATS_SERVER: findNatsServer(),
      NATS_PORT: String(nats),
      NATS_WEBSOCKET_PORT: String(webSocket),
      PORT: String(port),
    },
  })
  onTestFinished(() => ended(example))
  for await (const line of createInterface({ input: example.stdout })) {
    const [, address] = /^Open (\S+)/.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error('The example has ended.')
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

/** They are all taken before the first is given back. */
async function freePorts(): Promise<readonly number[]> {
  const servers = [createServer(), createServer(), createServer()]
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')))
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  })
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
