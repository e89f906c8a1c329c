import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createDeferred } from '../packages/core/src/internal/deferred.ts'
import { chromiumLaunchOptions } from '../scripts/chromium-options.mjs'
import { type Example, startExample } from './start-example.ts'

/** Two builds and two browsers, on a machine with other work. */
const patienceMs = 120_000
/** Of one step of a page. */
const stepMs = 30_000

let example: Example
let browser: Browser

beforeAll(async () => {
  example = await startExample()
  browser = await chromium.launch(chromiumLaunchOptions())
}, patienceMs)
afterAll(async () => {
  await browser?.close()
  await example?.stop()
})

test(
  '[K11] [F1] [F2] what runs in one browser is watched, allowed, stopped and asked in another, and both may be reloaded',
  async () => {
    const [desk, phone] = [await openDevice(), await openDevice()]

    const [drawn, followed] = [await drawings(desk), await drawings(phone)]
    await ask(desk, 'Count to')
    const early = await countOn(phone)
    await expect.poll(drawn, { timeout: stepMs }).toBeGreaterThan(60)
    // What is stored of it comes once a second, and the rest as it streams.
    expect(await followed()).toBeGreaterThan((await drawn()) / 10)
    await phone.reload()
    await expect.poll(() => countOn(phone), { timeout: stepMs }).toBeGreaterThan(early)
    await button(phone, 'Stop').click()
    await expectAgreement(desk, phone)

    await ask(phone, 'below a million?')
    await heading(phone, 'succeeded').waitFor()
    await expect
      .poll(() => phone.locator('pre').textContent(), { timeout: stepMs })
      .toBe('Runs in the process the-process-next-door.\nThe last number was 999999.')
    await phone.getByText('{"count":78498}').waitFor()

    await ask(desk, 'below a billion?')
    await button(phone, 'Allow').click()
    await phone.getByText('primes so far').waitFor()
    await button(phone, 'Cancel').last().click()
    await heading(desk, 'cancelled').waitFor()
    await expectAgreement(desk, phone)

    await ask(desk, 'below a billion?')
    await heading(desk, 'awaiting_approval').waitFor()
    await desk.reload()
    await heading(desk, 'awaiting_approval').waitFor()
    await button(desk, 'Allow').click()
    await phone.getByText('primes so far').waitFor()
  },
  patienceMs,
)

test(
  '[K11] a browser that takes over, or is left over, in the middle of a call shows that it was cut off, and the model reads it',
  async () => {
    const [desk, phone] = [await openDevice('cut off'), await openDevice('cut off')]
    await runForLong({ ask: desk, allow: phone })

    await button(phone, 'Take over').click()
    await expectWork(phone, desk)
    for (const page of [phone, desk]) {
      await heading(page, 'interrupted').waitFor()
      await page.getByText('It was cut off, and may have done all of its work').waitFor()
    }
    await button(desk, 'Resume').click()
    await phone.getByText('The tool says: Interrupted').waitFor()
    await expectAgreement(desk, phone)

    await runForLong({ ask: phone, allow: desk })
    await phone.context().close()
    await desk.getByText('This device does the work.').waitFor()
    await expect.poll(() => heading(desk, 'interrupted').count(), { timeout: stepMs }).toBe(2)
    await desk.reload()
    await button(desk, 'Resume').click()
    await expect
      .poll(() => desk.getByText('The tool says: Interrupted').count(), { timeout: stepMs })
      .toBe(2)
  },
  patienceMs,
)

test(
  '[K2] [K14] a browser that was frozen while another one took over stores nothing more, and says so',
  async () => {
    const [desk, phone] = [await openDevice('frozen'), await openDevice('frozen')]
    await runForLong({ ask: desk, allow: phone })
    const thaw = await freeze(desk, 'Count to')

    await button(phone, 'Take over').click()
    await phone.getByText('This device does the work.').waitFor()
    const shown = await conversation(phone)
    thaw()

    await desk.getByText('Another device does the work.').waitFor()
    await desk.getByRole('alert').getByText('took the session before this was stored').waitFor()
    await heading(desk, 'interrupted').waitFor()
    await expectAgreement(desk, phone)
    expect(await conversation(phone)).toEqual(shown)
    await phone.reload()
    await heading(phone, 'interrupted').waitFor()
  },
  patienceMs,
)

test(
  '[K11] the same page keeps its session in its browser when one line says so',
  async () => {
    const context = await newContext()
    await changeAgent(context, (text) => {
      const [before, after, ...others] = text.split('alsoOffline(nats({ connect }), indexedDb())')
      expect(others).toEqual([])
      return `${before}indexedDb()${after}`
    })
    const [one, other] = [await openPage(context), await openPage(context)]

    await ask(one, 'Count to')
    const early = await countOn(other)
    await expect.poll(() => countOn(other), { timeout: stepMs }).toBeGreaterThan(early)
    await button(other, 'Stop').click()
    await expectAgreement(one, other)
    const kept = await conversation(other)
    await Promise.all([one, other].map((page) => page.reload()))
    await expectAgreement(one, other)
    expect(await conversation(one)).toEqual(kept)
    // The server has none of it.
    expect(await conversation(await openDevice('of the server'))).toEqual([])
  },
  patienceMs,
)

test(
  '[K17] [K18] a browser goes on without the server, also after a reload, and another one has all of it when it is back',
  async () => {
    const desk = await openDevice('without')
    await count(desk)
    const start = example.killServer()
    await count(desk)
    await desk.getByText('Offline: kept on this device.').waitFor()
    const shown = await conversation(desk)
    expect(shown).toHaveLength(4)

    await desk.reload()
    await desk.getByText('Offline: kept on this device.').waitFor()
    await expect.poll(() => conversation(desk), { timeout: stepMs }).toEqual(shown)
    await count(desk)
    start()

    await desk.getByText('Offline: kept on this device.').waitFor({ state: 'detached' })
    const phone = await openDevice('without')
    await expectAgreement(desk, phone)
    expect(await conversation(phone)).toHaveLength(6)
  },
  patienceMs,
)

test(
  '[K19] [K16] a browser whose session went on in another one offers to open what was done in it',
  async () => {
    const desk = await openDevice('apart')
    await count(desk)
    const phone = await openDevice('apart')
    await expectAgreement(desk, phone)
    const mend = await cutOff(desk)
    await phone.getByText('This device does the work.').waitFor()
    await count(phone)
    // Further than the other one, or both may show the same by chance.
    await count(desk, await countOn(phone))
    const shown = await conversation(desk)
    mend()

    await desk.getByRole('alert').getByText('The session went on elsewhere').waitFor()
    await expectAgreement(desk, phone)
    await desk.getByRole('link', { name: 'Open what was done here' }).click()
    await expect.poll(() => conversation(desk), { timeout: stepMs }).toEqual(shown)
    expect(shown).not.toEqual(await conversation(phone))
  },
  patienceMs,
)

/** Lets the page count until its new answer is longer than that many characters. */
async function count(page: Page, length = 20): Promise<void> {
  const before = await answers(page).count()
  await button(page, 'Count to').click()
  await expect.poll(() => button(page, 'Stop').isEnabled(), { timeout: stepMs }).toBe(true)
  await expect.poll(() => answers(page).count(), { timeout: stepMs }).toBe(before + 1)
  await expect.poll(() => countOn(page), { timeout: stepMs }).toBeGreaterThan(length)
  await button(page, 'Stop').click()
  await expect.poll(() => button(page, 'Stop').isEnabled(), { timeout: stepMs }).toBe(false)
}

/** Reloads a page, whose way to the nats-server is cut then. Returns what mends it. */
async function cutOff(page: Page): Promise<() => void> {
  let isCut = true
  await page.routeWebSocket(/:\d+\/$/u, (socket) => {
    if (isCut) void socket.close()
    else socket.connectToServer()
  })
  await page.reload()
  await page.getByText('Offline: kept on this device.').waitFor()
  return () => {
    isCut = false
  }
}

async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context
}

/** A browser of its own, with the example. Those with the same session are devices of one conversation. */
async function openDevice(session?: string): Promise<Page> {
  const context = await newContext()
  if (session !== undefined) {
    await changeAgent(context, (text) => text.replace(/(["'])shared\1/u, `'${session}'`))
  }
  return openPage(context)
}

/** Lets the browser load src/agent.ts with a change. */
async function changeAgent(
  context: BrowserContext,
  change: (text: string) => string,
): Promise<void> {
  await context.route('**/src/agent.ts', async (route) => {
    // On a connection of its own: the server may be ending one that waits for the next request.
    const response = await new Promise<IncomingMessage>((resolve) => {
      get(route.request().url(), { agent: false }, resolve)
    })
    await route.fulfill({ contentType: 'text/javascript', body: change(await text(response)) })
  })
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(stepMs)
  await page.goto(example.address)
  await button(page, 'Count to').waitFor()
  return page
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name })

const heading = (page: Page, status: string): Locator =>
  page.getByRole('heading', { name: `Count primes: ${status}` })

async function ask(page: Page, question: string): Promise<void> {
  await button(page, question).click()
}

/** Asks in one browser for what takes long, allows it in another, and waits until both show that it runs. */
async function runForLong(pages: { readonly ask: Page; readonly allow: Page }): Promise<void> {
  await ask(pages.ask, 'below a billion?')
  await button(pages.allow, 'Allow').click()
  for (const page of [pages.ask, pages.allow])
    await page.getByText('primes so far').last().waitFor()
}

/** How far the answer has counted on this device. */
async function countOn(page: Page): Promise<number> {
  return ((await answers(page).last().textContent()) ?? '').length
}

const answers = (page: Page): Locator =>
  page.getByRole('article').filter({ hasText: 'assistant 1 2 3' })

/** Counts how often a page shows another text from now on. */
async function drawings(page: Page): Promise<() => Promise<number>> {
  const texts = await page.evaluateHandle(() => {
    const lengths = new Set<number>()
    const note = () => lengths.add(document.body.textContent?.length ?? 0)
    const whole = { subtree: true, childList: true, characterData: true }
    new MutationObserver(note).observe(document.body, whole)
    return lengths
  })
  return () => texts.evaluate(({ size }) => size)
}

const conversation = (page: Page): Promise<readonly string[]> =>
  page.getByRole('article').allInnerTexts()

async function expectWork(owner: Page, follower: Page): Promise<void> {
  await owner.getByText('This device does the work.').waitFor()
  await follower.getByText('Another device does the work.').waitFor()
}

/** At rest both show the same. */
async function expectAgreement(one: Page, other: Page): Promise<void> {
  for (const page of [one, other]) {
    await expect.poll(() => button(page, 'Stop').isEnabled(), { timeout: stepMs }).toBe(false)
  }
  await vi.waitFor(
    async () => {
      const shown = await conversation(one)
      expect(shown).not.toEqual([])
      expect(await conversation(other)).toEqual(shown)
    },
    { timeout: stepMs, interval: 100 },
  )
}

/**
 * Stops the thread of a page, like a laptop that sleeps. When it goes on it presses a button first, before it can know what
 * happened meanwhile. Returns what lets it go on.
 */
async function freeze(page: Page, pressed: string): Promise<() => void> {
  const [held, isFrozen] = [createDeferred<void>(), createDeferred<void>()]
  await page.route('**/until-it-thaws', async (route) => {
    isFrozen.resolve()
    await held.promise
    await route.fulfill({ body: '' })
  })
  void button(page, pressed).evaluate((element: HTMLElement) => {
    const hold = new XMLHttpRequest()
    hold.open('GET', '/until-it-thaws', false)
    hold.send()
    element.click()
  })
  await isFrozen.promise
  return held.resolve
}
