import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AgentEvent, AgentState } from '@offthread/core'
import { createReplay } from '@offthread/core/log'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { type Chat, expect, openChat, test } from './chat.ts'

test('[UI27] the keyboard walks through the timeline, and bars and table say what the events say', async ({
  chat,
}) => {
  const { page } = chat
  await page.keyboard.press('ControlOrMeta+j')
  await expect(page.getByRole('tab', { name: 'Timeline' })).toBeFocused()
  await chat.ask([300, 700, 60_000].map((ms) => `/dev_sleep {"ms":${ms}}`).join('\n'))
  const grid = page.getByRole('grid', { name: 'Timeline of the run' })
  // A call that goes on, is chosen with the keys and cancelled.
  await expect(grid.getByRole('gridcell', { name: /succeeded/ })).toHaveCount(2)
  await grid.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('c')
  await chat.ended()

  const expected = callsIn(await page.evaluate(() => window.events))
  expect(expected.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded', 'cancelled'])
  await expect(
    grid.getByRole('gridcell', { name: /^Run, done, started at 0 ms, took / }),
  ).toBeVisible()
  const walked = await walk(page, grid)
  expect(walked).toHaveLength(1 + 1 + 3 + 1)
  const named = walked.flatMap((name) => readName(name) ?? [])
  expectSame(named, expected)

  await page.getByRole('button', { name: 'View as table' }).click()
  const table = page.getByRole('table', { name: 'Timeline of the run' })
  await expect(table.getByRole('row')).toHaveCount(1 + 6)
  const rows = await table
    .getByRole('row')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
  const received = rows
    .filter(([label]) => label === expected[0]?.label)
    .map(([label = '', outcome = '', started = '', , , , running = '']) => {
      return { label, outcome, startedMs: msOf(started), runningMs: msOf(running) }
    })
  expectSame(received, expected)
  await expectAccessible(page, '.panel')

  await page.keyboard.press('ControlOrMeta+j')
  await expect(page.getByRole('region', { name: 'Run panel' })).toHaveCount(0)
})

test('the panel has room for rows at a zoom of 400 %', async ({ chat }) => {
  const { page } = chat
  await chat.ask('/dev_sleep {"ms":1}')
  await chat.ended()
  await page.setViewportSize({ width: 320, height: 256 })
  await page.getByRole('button', { name: 'Open the run panel' }).click()

  const panel = page.getByRole('tabpanel', { name: 'Timeline' })
  expect((await panel.boundingBox())?.height).toBeGreaterThan(100)
  await panel.getByRole('row').first().scrollIntoViewIfNeeded()
  await expect(panel.getByRole('row').first()).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('[UI16] in a replay the page shows every moment as a fresh projection of the log does, calls nothing, and can be forked there', async ({
  chat,
}) => {
  const { page } = chat
  await page.getByRole('button', { name: 'Run panel' }).click()
  await page.evaluate(() => {
    const log: AgentEvent[] = []
    Object.assign(window, { log })
    const read = async () => {
      for await (const event of window.offthread.agent.events()) log.push(event)
    }
    void read()
  })
  await chat.ask('/dev_sleep {"ms":50}\n/dev_crash {}\n/dev_flood {"seconds":0.3}')
  await chat.ended()
  await chat.ask('/dev_sleep {"ms":1}')
  await chat.ended()
  const log = await page.evaluate(() => (window as unknown as { log: AgentEvent[] }).log)
  const slider = page.getByRole('slider', { name: 'Position in the log' })
  await expect(slider).toHaveAttribute('max', String(log.length))
  expect(log.length).toBeGreaterThan(60)
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))

  for (let position = 0; position <= log.length; position += 50) {
    await slider.fill(String(position))
    const state = createReplay(log.slice(0, position)).at(position)
    await expect.poll(() => shownOn(chat), `after ${position} events`).toEqual(shownIn(state))
  }

  await slider.fill('0')
  // What was offered then would be asked now.
  for (const starter of await page.locator('.starter').all()) await expect(starter).toBeDisabled()
  await slider.fill(String(log.length))
  await expect(page.getByText('Nothing is running, and nothing can be sent.')).toBeVisible()
  await expect(chat.composer).toBeHidden()
  await page.getByRole('tab', { name: 'Events' }).click()
  await expect(
    page.getByRole('listbox', { name: 'Events' }).getByRole('option', { selected: true }),
  ).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(page.getByRole('button', { name: 'Close the run panel' })).toBeVisible()
  await expectAccessible(page, '.panel')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await page.setViewportSize({ width: 1280, height: 720 })
  expect(workers).toEqual([])
  expect(requests).toEqual([])
  expect(await page.evaluate(() => (window as unknown as { log: AgentEvent[] }).log.length)).toBe(
    log.length,
  )
  await page.getByRole('main').getByRole('button', { name: 'Back to live' }).click()
  await expect(chat.composer).toBeFocused()
  expect(await shownOn(chat)).toEqual(shownIn(createReplay(log).at(log.length)))

  const firstEnd = log.findIndex(({ type }) => type === 'agent_end')
  await slider.fill(String(firstEnd))
  const before = page.url()
  await page.getByRole('button', { name: 'Fork from here' }).click()
  await expect(page).not.toHaveURL(before)
  const forked = await openChat(page, page.url())
  await expect(page.getByRole('article')).toHaveCount(3)
  expect(await shownOn(forked)).toEqual(shownIn(createReplay(log).at(firstEnd)))
})

test('[UI16] [UI17] a chat of a file is replayed as it was elsewhere: every moment, and nothing is called', async ({
  chat,
}) => {
  const { page } = chat
  const file = fileURLToPath(new URL('pictures/chat.jsonl', import.meta.url))
  const log = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { event?: AgentEvent }).event ?? [])
  await page.getByRole('button', { name: 'Chats' }).click()
  const list = page.getByRole('dialog', { name: 'Chats' })
  await list.getByLabel('Chat to import').setInputFiles(file)
  await list.getByRole('listitem').getByRole('link').click()
  await expect(page.locator('.group-header')).toBeVisible()
  await page.getByRole('button', { name: 'Run panel' }).click()
  const slider = page.getByRole('slider', { name: 'Position in the log' })
  // That it was opened here is an event as well.
  await expect(slider).toHaveAttribute('max', String(log.length + 1))
  const made: string[] = []
  page.on('worker', (worker) => made.push(worker.url()))
  page.on('request', (request) => made.push(request.url()))

  for (let position = 0; position <= log.length; position += 8) {
    await slider.fill(String(position))
    const state = createReplay(log.slice(0, position)).at(position)
    await expect.poll(() => shownOn(chat), `after ${position} events`).toEqual(shownIn(state))
  }
  expect(made).toEqual([])

  await page.getByRole('main').getByRole('button', { name: 'Back to live' }).click()
  await expect(page.locator('.group-header')).toHaveText(/^4 tools · 2 done · 1 failed · 1 stopped/)
})

interface CallFacts {
  readonly label: string
  readonly outcome: string
  readonly startedMs: number
  readonly runningMs: number
}

/** What the events say of each call: nothing of it comes from the timeline. */
function callsIn(events: readonly AgentEvent[]): readonly CallFacts[] {
  const start = events.find(({ type }) => type === 'agent_start')?.ts ?? 0
  const timeOf = (id: string, type: AgentEvent['type']) =>
    events.find((event) => event.type === type && 'toolCallId' in event && event.toolCallId === id)
      ?.ts ?? Number.NaN
  return events.flatMap((event) => {
    if (event.type !== 'tool_execution_start') return []
    const { toolCallId, label } = event
    const end = events.find(
      (other) => other.type === 'tool_execution_end' && other.toolCallId === toolCallId,
    )
    const written = events.find(
      (other) =>
        other.type === 'message_update' &&
        other.assistantMessageEvent.type === 'toolcall_start' &&
        other.assistantMessageEvent.toolCallId === toolCallId,
    )
    return {
      label,
      outcome: end?.type === 'tool_execution_end' ? end.outcome : '',
      startedMs: (written?.ts ?? 0) - start,
      runningMs: timeOf(toolCallId, 'tool_execution_end') - timeOf(toolCallId, 'tool_running'),
    }
  })
}

/** Goes down from the first row to the last, and returns the name of each. */
async function walk(page: Page, grid: Locator): Promise<readonly string[]> {
  const names: string[] = []
  const count = Number(await grid.getAttribute('aria-rowcount'))
  await grid.focus()
  await page.keyboard.press('Home')
  for (let index = 0; index < count; index += 1) {
    const id = await grid.getAttribute('aria-activedescendant')
    const cell = page.locator(`[id="${id}"]`)
    await expect(cell).toBeInViewport()
    names.push((await cell.getAttribute('aria-label')) ?? '')
    await page.keyboard.press('ArrowDown')
  }
  return names
}

/** The name of a row of a call; `undefined` for another row. */
function readName(name: string): CallFacts | undefined {
  const [, label = '', outcome = '', started = ''] =
    /^(.*), (succeeded|failed|cancelled), started at ([^,]+), took/.exec(name) ?? []
  const phases = [...name.matchAll(/(?:running|cancelling) ([\d.]+ (?:ms|s))/g)]
  const runningMs = phases.reduce((sum, [, time = '']) => sum + msOf(time), 0)
  return outcome === '' ? undefined : { label, outcome, startedMs: msOf(started), runningMs }
}

/** `23 ms`, `3.2 s`. */
function msOf(text: string): number {
  const [number, unit] = text.split(' ')
  return Number(number) * (unit === 's' ? 1000 : 1)
}

/** Seconds are shown with one decimal, and a sum of two is off by both. */
function expectSame(shown: readonly CallFacts[], events: readonly CallFacts[]): void {
  expect(shown).toHaveLength(events.length)
  for (const [index, { label, outcome, startedMs, runningMs }] of events.entries()) {
    expect(shown[index]).toMatchObject({ label, outcome })
    expect(Math.abs((shown[index]?.startedMs ?? Number.NaN) - startedMs)).toBeLessThan(101)
    expect(Math.abs((shown[index]?.runningMs ?? Number.NaN) - runningMs)).toBeLessThan(201)
  }
}

interface Shown {
  /** The letters and figures of what was said. */
  readonly texts: readonly string[]
  readonly calls: readonly string[]
}

async function shownOn({ page }: Chat): Promise<Shown> {
  return page.getByRole('log').evaluate((log) => {
    const plain = (text: string | null): string => (text ?? '').replaceAll(/[^\p{L}\p{N}]/gu, '')
    const said = '.bubble, .md'
    return {
      texts: [...log.querySelectorAll(said)]
        .map(({ textContent }) => plain(textContent))
        .filter((text) => text !== ''),
      calls: [...log.querySelectorAll<HTMLElement>('[data-tool]')].map(
        ({ dataset }) => `${dataset['tool']} ${dataset['status']}`,
      ),
    }
  })
}

function shownIn({ messages, toolCalls }: AgentState): Shown {
  const parts = messages.flatMap(({ content }) => [...content])
  return {
    // The first piece of a text may be empty. Nothing is shown of it.
    texts: parts
      // A file stands below what was said with it.
      .flatMap((part) =>
        part.type === 'text' && !part.text.startsWith('[attached] ')
          ? [part.text.replaceAll(/[^\p{L}\p{N}]/gu, '')]
          : [],
      )
      .filter((text) => text !== ''),
    calls: parts.flatMap((part) => {
      if (part.type !== 'toolCall') return []
      const call = toolCalls.get(part.toolCallId)
      return call ? [`${call.toolName} ${call.status}`] : []
    }),
  }
}
