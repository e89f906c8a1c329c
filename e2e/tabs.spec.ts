import type { Locator, Page } from '@playwright/test'
import { faultsOrigin } from './origins.ts'
import { expect, test } from './stored-page.ts'
import { expectWhole, goOn, readLog } from './survival.ts'

test('[D3] [D4] a second tab shows text as it streams, and asks, allows, denies, steers and cancels; both tabs agree', async ({
  context,
  addressOf,
  witness,
}) => {
  const [first, second] = [await context.newPage(), await context.newPage()]
  await first.goto(addressOf('shared'))
  await expectAccess(first, 'owner')
  await second.goto(addressOf('shared'))
  await expectAccess(second, 'follower')

  await second.getByRole('textbox', { name: 'Message' }).fill('Do jobs of 1 and 2 ms, but ask me.')
  await second.keyboard.press('Enter')
  await choose(second.getByRole('button', { name: 'Allow' }).first())
  await expect(second.getByRole('button', { name: 'Allow' })).toHaveCount(1)
  await choose(second.getByRole('button', { name: 'Deny' }))
  await expectAgreement(first, second)
  expect(await statuses(second)).toEqual(['succeeded', 'denied'])

  expect(await streamedText(second, 'Tell me slowly.')).toBe('All of it is answered.')

  await ask(second, 'Do jobs of 3 and 60000 ms.')
  await second.evaluate(() => window.offthread.agent.steer('Are you done?'))
  await choose(second.getByRole('button', { name: /^Cancel/ }))
  await expectAgreement(first, second)
  expect((await statuses(second)).slice(2)).toEqual(['succeeded', 'cancelled'])
  await expect(first.getByRole('log')).toContainText('Are you done?')
  await expectWhole(second, witness)
  expect(witness.ran).toHaveLength(3)
})

test('[D1] [D5] [D6] [I28] [I33] however a session changes its tab, one owns it, both agree, and nothing runs twice', async ({
  context,
  addressOf,
  witness,
}) => {
  const open = async () => {
    const page = await context.newPage()
    await page.goto(addressOf('moving'))
    return page
  }
  const [first, second] = [await open(), await open()]
  await expectAccess(first, 'owner')

  await ask(first, 'Do jobs of 5 and 60001 ms.')
  await first.reload()
  await expectAccess(second, 'owner')
  await expectAccess(first, 'follower')
  await expectAgreement(first, second)
  expect(await statuses(second)).toEqual(['succeeded', 'interrupted'])

  await ask(second, 'Do jobs of 6 and 60002 ms.')
  // Its thread stands still. It does not answer, and writes on before it can know that it lost the session.
  const wrote = second.evaluate((witness) => {
    const hold = new XMLHttpRequest()
    hold.open('POST', `${witness}/hold`, false)
    hold.send()
    window.offthread.agent.steer('Written too late.')
  }, witness.address)
  await first.getByRole('button', { name: 'Work in this tab' }).click()
  await expectAccess(first, 'owner')
  witness.release()
  await wrote
  await expectAccess(second, 'follower')
  await expectAgreement(first, second)
  expect((await statuses(second)).slice(2)).toEqual(['succeeded', 'interrupted'])
  expect(JSON.stringify(await readLog(first))).not.toContain('Written too late.')

  // Its lock is stolen, by a page that does nothing with it.
  const thief = await context.newPage()
  await thief.goto(`${faultsOrigin}/no-such-page`)
  await thief.evaluate(() => {
    void navigator.locks.request('offthread:moving', { steal: true }, () => new Promise(() => {}))
  })
  await expectAccess(first, 'follower')
  const answered = first.evaluate(() => window.offthread.agent.prompt('Is anyone there?'))
  await thief.close()
  expect(await answered).toMatchObject({ reason: 'stop' })
  await expectAgreement(first, second)

  const [owner, other] = (await accessOf(first)) === 'owner' ? [first, second] : [second, first]
  await ask(owner, 'Do jobs of 7 and 60003 ms.')
  await owner.close()
  await expectAccess(other, 'owner')
  await goOn(other)
  await expectWhole(other, witness)
})

/**
 * Presses a button of a card by its key. A page that moves may bring it under a mouse that stands still, whose click it does
 * not take then: of that are the tests of steady clicks.
 */
function choose(button: Locator): Promise<void> {
  return button.press('Enter')
}

/** Asks, and waits until the first call is done and the last one runs. */
async function ask(page: Page, question: string): Promise<void> {
  await page.evaluate((question) => {
    window.offthread.agent.prompt(question).catch(() => {})
  }, question)
  await expect
    .poll(async () => (await statuses(page)).slice(-2), { intervals: [50] })
    .toEqual(['succeeded', 'running'])
}

function statuses(page: Page): Promise<(string | null)[]> {
  return page
    .locator('[data-tool]')
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-status')))
}

/** Asks in a tab, and joins what it gets of the answer before the end. */
function streamedText(page: Page, question: string): Promise<string> {
  return page.evaluate(async (question) => {
    let text = ''
    window.offthread.agent.subscribe((event) => {
      if (event.type !== 'message_update') return
      const { assistantMessageEvent: step } = event
      if (step.type === 'text_delta') text += step.delta
    })
    await window.offthread.agent.prompt(question)
    return text
  }, question)
}

function accessOf(page: Page): Promise<string> {
  return page.evaluate(() => window.offthread.agent.getState().access)
}

/** What the page is for its session, and what it says about that. */
async function expectAccess(page: Page, access: 'owner' | 'follower'): Promise<void> {
  await expect.poll(() => accessOf(page)).toBe(access)
  await expect(page.getByText('open in another tab')).toHaveCount(access === 'owner' ? 0 : 1)
}

/** At rest, both pages hold and show the same. */
async function expectAgreement(one: Page, other: Page): Promise<void> {
  await expect(async () => {
    const [mine, theirs] = [await shownBy(one), await shownBy(other)]
    expect(mine.isActive).toBe(false)
    expect(theirs).toEqual(mine)
  }).toPass()
}

async function shownBy(page: Page) {
  const text = await page.getByRole('log', { name: 'Conversation' }).textContent()
  const state = await page.evaluate(() => {
    const { messages, toolCalls, isActive, lastReason, queues } = window.offthread.agent.getState()
    const calls = messages.flatMap(({ role, content }) =>
      role === 'assistant' ? content.filter((part) => part.type === 'toolCall') : [],
    )
    // What only matters while a call runs is not stored.
    const ended = calls.map(({ toolCallId }) => {
      const call = toolCalls.get(toolCallId)
      return [toolCallId, call?.status, call?.args, call?.result]
    })
    return { messages, ended, isActive, lastReason, queues }
  })
  return { text, ...state }
}
