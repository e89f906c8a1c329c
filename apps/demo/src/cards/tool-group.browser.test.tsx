import { type Agent, createAgent, defineTool, implement, inPage } from '@offthread/core'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { cleanup, configure, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { z } from 'zod'
import type { DemoAgent } from '../agent.ts'
import { App } from '../app.tsx'
import { createSession } from '../session.ts'
import { hostTools } from '../tools/host-tools.ts'
import { createDataStore } from '../tools/tables.ts'

// Beside other tests a page may be late; the default is a second.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)

test('a folded group shows what failed and what is open, and a card that closes keeps the focus', async () => {
  const agent = await showAnswered()
  await userEvent.click(header('opened'))

  await agent.prompt('And now?')
  await expect.poll(shown).toEqual(['opened', 'failed'])
  await userEvent.click(header('opened'))
  expect(document.activeElement).toBe(header('opened'))
  expect(shown()).toEqual(['opened', 'failed'])
  await userEvent.click(screen.getByRole('textbox', { name: 'Message' }))
  expect(shown()).toEqual(['failed'])

  await userEvent.click(screen.getByRole('button', { name: /^3 tools · 2 done · 1 failed/ }))
  expect(shown()).toEqual(['plain', 'opened', 'failed'])
})

test('a card leads to its bar and its events, and a bar to its card, folded or not', async () => {
  const agent = await showAnswered()
  await agent.prompt('And now?')
  await expect.poll(shown).toEqual(['failed'])

  await fromMenu('failed', 'Show in timeline')
  const grid = await screen.findByRole('grid', { name: 'Timeline of the run' })
  await expect.poll(() => document.activeElement).toBe(grid)
  const chosen = () => within(grid).getByRole('gridcell', { selected: true }).ariaLabel
  expect(chosen()).toMatch(/^Note, failed/)
  expect(marked()).toEqual(['failed'])

  await userEvent.keyboard('{ArrowUp}')
  expect(chosen()).toMatch(/^Note, succeeded/)
  await expect.poll(marked).toEqual(['opened'])
  expect(shown()).toEqual(['opened', 'failed'])

  await fromMenu('failed', 'Show its events')
  const filter = await screen.findByRole('searchbox', { name: 'Filter events' })
  expect(filter).toHaveProperty('value', `call:${idOf(agent, 2)}`)

  await userEvent.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('grid')).toBeNull()
  expect(marked()).toEqual([])
  expect(document.activeElement).toBe(menuOf('failed'))
})

test('the long name of a tool leaves room for what was asked, and for the buttons', async () => {
  await page.viewport(1100, 800)
  await showAnswered(
    'Adds a note of any length to the shared list of the whole team, with its date and author',
  )

  const card = cardOf('failed')
  const [label, asked] = ['.card-label', '.card-asked'].map((part) => boxOf(card, part))
  expect(asked?.width).toBeGreaterThan(50)
  expect(asked?.left).toBeGreaterThan(label?.right ?? 0)
  expect(boxOf(card, '.card-retry').left).toBeGreaterThan(asked?.right ?? 0)
})

const note = defineTool({
  name: 'note',
  description: 'Notes a text.',
  inputSchema: z.object({ text: z.string() }),
  place: 'page',
})

async function showAnswered(label = 'Note') {
  const options = { dev: false, store: createDataStore() }
  const texts = ['plain', 'opened', 'failed']
  const calls = texts.map((text) => call('note', { text }))
  const agent = createAgent({
    model: scriptedModel(calls, [say('Noted.')], [say('More.')]),
    tools: [...hostTools(options), inPage([implement({ ...note, label }, noted)])],
  })
  render(<App session={createSession(agent as DemoAgent, options)} />)
  await agent.prompt('Note them.')
  await expect.poll(shown).toEqual(texts)
  return agent
}

function noted({ text }: { readonly text: string }): string {
  if (text === 'failed') throw new Error('No more paper.')
  return text
}

function idOf(agent: Pick<Agent, 'getState'>, index: number): string | undefined {
  const content = agent.getState().messages[1]?.content ?? []
  return content.flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : []))[index]
}

/** What the cards that are seen were asked for. */
function shown(): readonly string[] {
  return cards()
    .filter((card) => card.checkVisibility())
    .map(askedOf)
}

/** What the cards were asked for that are marked. */
function marked(): readonly string[] {
  return cards()
    .filter((card) => card.ariaCurrent === 'true')
    .map(askedOf)
}

function cards(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.card')]
}

function askedOf(card: HTMLElement): string {
  return card.querySelector('.card-asked')?.textContent?.replace('text ', '') ?? ''
}

function header(asked: string): HTMLElement {
  return within(cardOf(asked)).getByRole('button', { name: /^(Done|Failed)/ })
}

function menuOf(asked: string): HTMLElement {
  return within(cardOf(asked)).getByRole('button', { name: 'More of Note' })
}

async function fromMenu(asked: string, item: string): Promise<void> {
  await userEvent.click(menuOf(asked))
  await userEvent.click(await within(cardOf(asked)).findByRole('button', { name: item }))
}

function boxOf(card: HTMLElement, part: string): DOMRect {
  const element = card.querySelector(part)
  if (!element) throw new Error(`The card has no ${part}.`)
  return element.getBoundingClientRect()
}

function cardOf(asked: string): HTMLElement {
  const card = cards().find((one) => askedOf(one) === asked)
  if (!card) throw new Error(`There is no card for ${asked}.`)
  return card
}
