import type { Page } from '@playwright/test'
import { expectRest } from './chat.ts'
import { test as base, expect, failureIn } from './model-menu.ts'

/** Puts a fake of the browser's model on the page, before any script of the page runs. */
const test = base.extend<{ readonly standIn: string | null }>({
  standIn: ['available', { option: true }],
  page: async ({ page, standIn }, use) => {
    if (standIn !== null) await page.addInitScript(provideModel, standIn)
    await use(page)
  },
})

test('the browser’s own model is offered as an experiment, calls a tool, and answers', async ({
  chat,
  menu,
}) => {
  await chooseBuiltIn(chat.page, menu)
  await expect(menu.button).toHaveText(/Chrome’s built-in model — experimental/)

  await chat.ask('Take a nap')
  const end = await chat.ended()

  expect(end.reason).toBe('stop')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.answer).toContainText('I slept.')
  await expectRest(chat)
})

test.describe('without one', () => {
  test.use({ standIn: null })

  test('the menu says that there is none', async ({ page, chat: _chat, menu }) => {
    // Some builds of Chromium have the interface, but no model.
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'LanguageModel'))
    await menu.openAt('anthropic')

    const refused = menu.dialog.getByRole('radio', { disabled: true })
    await expect(refused).toHaveCount(2)
    await expect(refused.first()).toHaveAccessibleName(
      'Chrome’s built-in model (experimental) This browser has none. Chrome 148 or newer on a desktop has one.',
    )
    await expect(refused.last()).toHaveAccessibleName(
      /^A model on this device \(experimental\) (This browser|The browser|The graphics card) .*\.$/,
    )
    await page.screenshot({ path: test.info().outputPath('declined.png') })
  })
})

test.describe('with one that this device cannot run', () => {
  test.use({ standIn: 'unavailable' })

  test('the menu says so', async ({ chat: _chat, menu }) => {
    await menu.openAt('anthropic')

    const builtIn = menu.dialog.getByRole('radio', { name: /^Chrome’s built-in model/ })
    await expect(builtIn).toHaveAccessibleName(
      /The browser says that it cannot run its model on this device\.$/,
    )
    await expect(builtIn).toBeDisabled()
  })
})

test.describe('with one that has to be downloaded', () => {
  test.use({ standIn: 'downloadable' })

  test('the page says so, and a download that fails ends in a sentence', async ({ chat, menu }) => {
    await chooseBuiltIn(chat.page, menu, /The browser downloads it first/)

    await chat.ask('Take a nap')
    const end = await chat.ended()

    expect(end).toMatchObject({ reason: 'error', error: { kind: 'permission' } })
    await expect(failureIn(chat)).toContainText('The browser did not allow its model.')
    await failureIn(chat).getByRole('button', { name: 'Change the model' }).click()
    await expect(menu.dialog).toBeVisible()
  })
})

interface Menu {
  readonly button: { readonly click: () => Promise<void> }
  readonly take: { readonly click: () => Promise<void> }
}

async function chooseBuiltIn(page: Page, menu: Menu, label = /^Chrome’s built-in/): Promise<void> {
  await menu.button.click()
  await page.getByRole('radio', { name: label }).check()
  await menu.take.click()
}

/** Runs in the page. The model calls `dev_sleep`, and answers with its result. */
function provideModel(availability: string): void {
  const session = {
    promptStreaming: (input: readonly object[]) => {
      const slept = !JSON.stringify(input).includes('Take a nap')
      const calls = [{ tool: 'dev_sleep', arguments: { ms: 1 } }]
      const answer = slept ? { say: 'I slept.', calls: [] } : { say: '', calls }
      return new ReadableStream({
        start: (controller) => {
          for (const letter of JSON.stringify(answer)) controller.enqueue(letter)
          controller.close()
        },
      })
    },
    destroy: () => {},
  }
  const create = async () => {
    if (availability !== 'available') throw new DOMException('no', 'NotAllowedError')
    return session
  }
  const model = {
    availability: async () => availability,
    create,
  }
  Object.defineProperty(globalThis, 'LanguageModel', { configurable: true, value: model })
}
