import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { chromiumLaunchOptions } from '../scripts/chromium-options.mjs'
import { type Chat, expect, openChat, test } from './chat.ts'
import { pinLook } from './pin-look.ts'

const { args, ...launchOptions } = chromiumLaunchOptions()
// Letters are drawn alike whatever the settings of the machine are.
const plainLetters = ['--font-render-hinting=none', '--disable-lcd-text']
test.use({
  launchOptions: { ...launchOptions, args: [...args, ...plainLetters] },
  viewport: { width: 1120, height: 700 },
})

const keptChat = fileURLToPath(new URL('pictures/chat.jsonl', import.meta.url))
const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true }
const renewing =
  'If the page should look so now: npm run test:e2e -- pictures --update-snapshots, and look at each new picture.'

type Look = 'light' | 'dark' | 'forced' | 'phone'

interface State {
  readonly name: string
  /** From the state before it, or from no page. */
  readonly show: (page: Page) => Promise<void>
  readonly looks: readonly Look[]
  /** What is at the top of the conversation. */
  readonly top?: string
}

/** Each is a page that goes through its states. */
const walks: readonly (readonly State[])[] = [
  [{ name: 'empty', show: openEmpty, looks: ['light', 'dark'] }],
  [{ name: 'running', show: run, looks: ['light', 'dark', 'forced'] }],
  [{ name: 'waiting', show: waitForPerson, looks: ['light', 'dark'] }],
  [
    { name: 'answered', show: openKept, looks: ['light', 'dark'], top: '.message-user' },
    { name: 'ended', show: stay, looks: ['light', 'dark'], top: '.group-header' },
    { name: 'panel', show: openPanel, looks: ['light', 'dark', 'forced'], top: '.group-header' },
    { name: 'replay', show: replay, looks: ['light', 'dark'], top: '.group-header' },
  ],
]

for (const states of walks) {
  const names = states.map(({ name }) => name).join(', ')

  test(`[UI23] ${names}: the page looks as in its pictures`, async ({ page, complaints: _ }) => {
    for (const state of states) {
      await state.show(page)
      for (const look of state.looks) await expectPicture(page, state, look)
    }
  })

  test.describe('on a phone', () => {
    test.use(phone)

    test(`[UI23] ${names}: the page looks as in its pictures`, async ({ page, complaints: _ }) => {
      for (const state of states) {
        await state.show(page)
        await expectPicture(page, state, 'phone')
      }
    })
  })
}

async function expectPicture(page: Page, { name, top }: State, look: Look): Promise<void> {
  await page.emulateMedia({
    colorScheme: look === 'dark' ? 'dark' : 'light',
    forcedColors: look === 'forced' ? 'active' : 'none',
    reducedMotion: 'reduce',
  })
  await pinLook(page)
  // Its caret would blink.
  if (look === 'forced') await page.evaluate(() => document.querySelector('textarea')?.blur())
  if (top !== undefined) await toTop(page.locator(top).first())
  await expect(page, renewing).toHaveScreenshot(`${name}-${look}.png`)
}

/** Other letters have other heights: the page is laid out before it is scrolled. */
async function toTop(element: Locator): Promise<void> {
  await element.evaluate(async (shown) => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    shown.scrollIntoView({ block: 'start' })
  })
}

async function openEmpty(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.locator('.starter').first()).toBeVisible()
}

/** Opens a chat that was kept: what took how long is the same each time. */
async function openKept(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Chats' }).click()
  const list = page.getByRole('dialog', { name: 'Chats' })
  await list.getByLabel('Chat to import').setInputFiles(keptChat)
  await list.getByRole('listitem').getByRole('link').click()
  await expect(page.locator('.group-header')).toHaveText(
    '4 tools · 2 done · 1 failed · 1 stopped · 8.9 s',
  )
}

async function run(page: Page): Promise<void> {
  const chat = await openChat(page, '/?dev&delay=0')
  await say(
    chat,
    `${sleepFor(600_000)}\n${sleepFor(500_000)}\n${sleepFor(400_000)}\n${sleepFor(300_000)}`,
  )
  await expect(page.locator('[data-status="running"]')).toHaveCount(4)
  await say(chat, 'And then?')
  await expect(page.getByRole('list', { name: 'Queued messages' })).toBeVisible()
}

function sleepFor(ms: number): string {
  return `/dev_sleep {"ms":${ms}}`
}

/** With the button: on a phone Enter makes a new line. */
async function say({ page, composer }: Chat, text: string): Promise<void> {
  await composer.fill(text)
  await page.locator('.send-button').click()
}

async function waitForPerson(page: Page): Promise<void> {
  const chat = await openChat(page, '/?dev&delay=0')
  await say(chat, '/dev_approve {"what":"send the report"}')
  await expect(page.getByRole('group', { name: 'Allow this call?' })).toBeVisible()
}

async function stay(): Promise<void> {}

async function openPanel(page: Page): Promise<void> {
  await page.locator('.panel-button, .panel-handle').and(page.locator(':visible')).click()
  await expect(page.getByRole('grid', { name: 'Timeline of the run' })).toBeVisible()
}

/** In the middle of the last run, when two of its calls had ended. */
async function replay(page: Page): Promise<void> {
  await page.getByRole('slider', { name: 'Position in the log' }).fill('62')
  await expect(page.locator('.group-header')).toContainText('2 running')
}
