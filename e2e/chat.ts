import type { Agent, AgentEvent, EventOf } from '@offthread/core'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { dropFile, dropRows } from './drop.ts'

declare global {
  interface Window {
    readonly offthread: { readonly agent: Agent; readonly renders: ReadonlyMap<string, number> }
    events: AgentEvent[]
  }
}

/** The chat page, with what a person can do on it. */
export interface Chat {
  readonly page: Page
  readonly composer: Locator
  /** The last answer of the agent. */
  readonly answer: Locator
  readonly ask: (text: string) => Promise<void>
  /** Asks by clicking the button with this question. */
  readonly choose: (question: RegExp | string) => Promise<void>
  /** Does what starts another run, and waits until it has begun. */
  readonly again: (act: () => Promise<unknown>) => Promise<void>
  /** Clicks the button that repeats a failed request. */
  readonly tryAgain: () => Promise<void>
  /** Drops a file on the page. */
  readonly drop: (name: string, content: string | Buffer) => Promise<void>
  /** Drops a CSV of that many rows, about 30 bytes each. It is made on the page. */
  readonly dropRows: (name: string, rows: number) => Promise<void>
  readonly cards: (tool?: string) => Locator
  /** Waits until the current run is over. Returns how it ended. */
  readonly ended: () => Promise<EventOf<'agent_end'>>
  /** The events of one type so far, in order. */
  readonly events: <Type extends AgentEvent['type']>(type: Type) => Promise<EventOf<Type>[]>
}

interface Fixtures {
  readonly chat: Chat
  /** Errors and warnings of the console and the page. A test that provokes one empties the list. */
  readonly complaints: string[]
}

export const test = base.extend<Fixtures>({
  complaints: async ({ page }, use) => {
    const complaints = watchComplaints(page)
    await use(complaints)
    expect(complaints, 'complaints of the page').toEqual([])
  },
  chat: async ({ page, complaints: _complaints }, use) => {
    await use(await openChat(page, '/?dev&delay=0'))
  },
})

export { expect }

/** Errors and warnings of a page from now on. */
export function watchComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/** Opens the page at this address, with access to its agent. */
export async function openChat(page: Page, address: string): Promise<Chat> {
  await page.goto(address)
  await page.evaluate(() => {
    window.events = []
    window.offthread.agent.subscribe((event) => window.events.push(event))
  })
  return createChat(page)
}

function createChat(page: Page): Chat {
  const composer = page.getByRole('textbox', { name: 'Message' })
  const events: Chat['events'] = (type) =>
    page.evaluate((wanted) => window.events.filter((event) => event.type === wanted), type) as never
  let asked = 0
  const again: Chat['again'] = async (act) => {
    await act()
    asked += 1
    await reached(page, 'agent_start', asked)
  }
  return {
    page,
    composer,
    events,
    answer: page.getByRole('article').last(),
    cards: (tool) => page.locator(tool ? `[data-tool="${tool}"]` : '[data-tool]'),
    ask: async (text) => {
      await composer.fill(text)
      await again(() => composer.press('Enter'))
    },
    again,
    choose: (question) => again(() => page.getByRole('button', { name: question }).click()),
    tryAgain: () => again(() => page.getByRole('button', { name: 'Try again' }).click()),
    drop: (name, content) => dropFile(page, { name, content }),
    dropRows: (name, rows) => dropRows(page, { name, rows }),
    ended: async () => {
      await reached(page, 'agent_end', asked)
      const end = (await events('agent_end')).at(-1)
      if (!end) throw new Error('No run has ended.')
      // What is in the log must be on the page, too.
      await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
      return end
    },
  }
}

/** Waits for so many events of a type in all. The page says when: a look from outside comes late. */
async function reached(page: Page, type: AgentEvent['type'], count: number): Promise<void> {
  const there = await page.evaluate(
    ([type, count]) =>
      new Promise<number>((resolve) => {
        const look = (): number => window.events.filter((event) => event.type === type).length
        if (look() >= count) return resolve(look())
        const stop = window.offthread.agent.subscribe((event) => {
          if (event.type !== type || look() < count) return
          stop()
          resolve(look())
        })
      }),
    [type, count] as const,
  )
  expect(there, type).toBe(count)
}

/** Counts animation frames from now on. Returns a function that reads how many there were. */
export async function watchFrames(page: Page): Promise<() => Promise<number>> {
  const frames = await page.evaluateHandle(() => {
    const frames = { count: 0 }
    const next = (): void => {
      frames.count += 1
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    return frames
  })
  return () => frames.evaluate(({ count }) => count)
}

/** The numbers in a text, without thousands separators. */
export function numbersIn(text: string): number[] {
  return [...text.replaceAll(/(?<=\d),(?=\d{3})/g, '').matchAll(/-?\d+(?:\.\d+)?/g)].map(Number)
}

const active = ['input_streaming', 'queued', 'starting', 'running', 'cancelling']

/** No part of the page may look active any more. */
export async function expectRest({ page }: Chat): Promise<void> {
  for (const status of active) {
    await expect(page.locator(`[data-tool][data-status="${status}"]`)).toHaveCount(0)
  }
  await expect(page.getByRole('region', { name: 'Run status' })).toHaveCount(0)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
}
