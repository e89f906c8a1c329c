import type { ModelRequest } from '@offthread/core'
import type { Locator, Page } from '@playwright/test'
import {
  test as base,
  type Chat,
  expect,
  expectRest,
  openChat,
  watchComplaints,
  watchFrames,
} from './chat.ts'
import { faultsOrigin } from './origins.ts'

declare global {
  interface Window {
    /** Everything the model was given to read. */
    readonly requests: readonly ModelRequest[]
    /** Every worker of the faulty tool. */
    readonly workers: readonly Worker[]
  }
}

/** The demo page with faulty tools beside its own. */
export interface FaultyPage extends Chat {
  /** Calls the faulty tool, and types while it runs. Waits for the end. */
  readonly callFault: (how: string) => Promise<void>
  /** What the model read of the last run's calls, in order. */
  readonly readByModel: () => Promise<readonly string[]>
}

/** A page, with the errors and warnings of its console. A test that provokes one empties the list. */
interface WatchedPage {
  readonly faulty: FaultyPage
  readonly complaints: string[]
}

interface Fixtures {
  /** Opens the page with these search parameters. */
  readonly openFaulty: (search?: string) => Promise<FaultyPage>
  /** A page that other tests have used and left at rest: no fault may be one for the calls after it. */
  readonly used: WatchedPage
}

/** As in the tests of the demo page: a complaint of the console that no test expects is a failure. */
export const test = base.extend<Fixtures, { readonly usedByAll: WatchedPage }>({
  usedByAll: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ serviceWorkers: 'block' })
      const page = await context.newPage()
      const complaints = watchComplaints(page)
      await use({ faulty: createFaultyPage(await openChat(page, toAddress(''))), complaints })
      await context.close()
    },
    { scope: 'worker' },
  ],
  used: async ({ usedByAll }, use) => {
    await use(usedByAll)
    expect(usedByAll.complaints, 'complaints of the page').toEqual([])
  },
  openFaulty: async ({ page, complaints: _complaints }, use) => {
    await use(async (search = '') => createFaultyPage(await openChat(page, toAddress(search))))
  },
})

export { expect }

export function toAddress(search: string): string {
  return `${faultsOrigin}/?${search}`
}

/** What a person sees of a card. */
export interface CardView {
  readonly status: string
  readonly text: string
}

/** The status and the whole text of a card, which is opened first. */
export async function readCard(card: Locator): Promise<CardView> {
  if ((await card.getAttribute('data-state')) === 'closed') {
    await card.locator('.card-toggle').click()
  }
  const [status = ''] = await card.locator('.status-word').allInnerTexts()
  const [text = ''] = await card.locator('.card-details').allInnerTexts()
  return { status, text }
}

/** The page is at rest, without workers, and can run further calls: of its own tool, and of the faulty one. */
export async function expectLife(page: FaultyPage, again: readonly string[]): Promise<void> {
  await expectRest(page)
  // The engine may take two seconds to end the thread of a busy worker.
  await expect.poll(() => page.page.workers().length).toBe(0)
  for (const command of ['/dev_sleep {"ms":1}', ...again]) {
    await page.ask(command)
    expect(await page.ended()).toMatchObject({ reason: 'stop' })
    await expect(page.cards().last()).toHaveAttribute('data-status', 'succeeded')
  }
  await expectRest(page)
  await expect.poll(() => page.page.workers().length).toBe(0)
}

const typed = 'typed meanwhile'

function createFaultyPage(chat: Chat): FaultyPage {
  return {
    ...chat,
    callFault: async (how) => {
      const frames = await watchFrames(chat.page)
      await chat.ask(`/fault ${JSON.stringify({ how })}`)
      await chat.composer.fill(typed)
      expect(await chat.ended()).toMatchObject({ reason: 'stop' })
      await expect(chat.composer).toHaveValue(typed)
      const before = await frames()
      await expect.poll(frames).toBeGreaterThan(before)
    },
    readByModel: () => readByModel(chat.page),
  }
}

function readByModel(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const messages = window.requests.at(-1)?.messages ?? []
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    return messages
      .slice(asked)
      .flatMap(({ role, content }) =>
        role === 'toolResult'
          ? [content.map((part) => (part.type === 'text' ? part.text : '')).join('')]
          : [],
      )
  })
}
