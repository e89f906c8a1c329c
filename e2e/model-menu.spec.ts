import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './model-menu.ts'

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1280, 320]) {
    test(`the menu is accessible, ${scheme}, ${width} px`, async ({ chat, menu }) => {
      const { page } = chat
      await page.setViewportSize({ width, height: 720 })
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await menu.button.click()
      await expectAccessible(page)
      await takePicture(page, `menu-planner-${scheme}-${width}`)

      for (const protocol of ['anthropic', 'openai'] as const) {
        await menu.openAt(protocol)
        await menu.take.click()
        await expect(menu.key).toBeFocused()
        await expectAccessible(page)
        await expectNoSideways(page)
        await takePicture(page, `menu-${protocol}-${scheme}-${width}`)
      }
    })
  }
}

test('the menu works by keyboard alone, and gives the focus back', async ({ chat, menu }) => {
  const { page } = chat
  await menu.button.focus()
  await page.keyboard.press('Enter')
  await expect(menu.dialog.getByRole('radio', { name: /^Scripted planner/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menu.dialog.getByRole('radio', { name: /^Anthropic/ })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(menu.address).toBeFocused()

  await page.keyboard.press('Escape')
  await expect(menu.dialog).toBeHidden()
  await expect(menu.button).toBeFocused()
  // No choice was made.
  await expect(menu.button).toHaveText(/Scripted planner/)
})

test('the menu opens with the focus at the model that answers, whichever it is', async ({
  chat,
  menu,
}) => {
  const { page } = chat
  await menu.use('openai', { address: 'http://localhost:9/v1' })
  await menu.button.click()
  await expect(menu.dialog.getByRole('radio', { name: /^OpenAI-compatible/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu.button).toBeFocused()

  // One that this browser no longer has.
  await page.evaluate(() => {
    Reflect.deleteProperty(globalThis, 'LanguageModel')
    const stored: unknown = JSON.parse(localStorage.getItem('offthread-model') ?? '')
    localStorage.setItem(
      'offthread-model',
      JSON.stringify({ ...(stored as object), provider: 'chrome' }),
    )
  })
  await page.reload()
  await menu.button.click()
  await expect(menu.dialog.getByRole('radio', { name: /^Chrome’s built-in/ })).toBeFocused()
})

test('a preset fills in the known fields of a server', async ({ chat: _chat, menu }) => {
  await menu.openAt('openai')
  const server = menu.dialog.getByRole('combobox', { name: 'Server' })

  await server.selectOption('Ollama')
  await expect(menu.address).toHaveValue('http://localhost:11434/v1')
  await expect(menu.model).toHaveValue('qwen3')
  await expect(server).toHaveAccessibleDescription(/OLLAMA_ORIGINS/)

  await menu.address.fill('http://localhost:9999/v1')
  await expect(server).toHaveValue('')
  await expect(server.locator('option')).toHaveText([
    'OpenAI',
    'OpenRouter',
    'Ollama',
    'LM Studio',
    'vLLM',
    'Another server',
  ])
})

test("the page may call a server on the user's machine, and elsewhere only encrypted ones", async ({
  chat,
  menu,
  complaints,
}) => {
  await menu.openAt('openai')
  await menu.address.fill('http://192.0.2.1/v1')
  await menu.take.click()
  await expect(menu.address).toHaveAccessibleDescription(
    'Without encryption, this page calls only localhost. Enter an https address for 192.0.2.1.',
  )

  const refused = await chat.page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
          resolve(effectiveDirective),
        )
        fetch('http://192.0.2.1/v1').catch(() => {})
      }),
  )
  expect(refused).toBe('connect-src')
  complaints.splice(0)
  await expect(chat.page.locator('meta[http-equiv="Content-Security-Policy"]')).toHaveAttribute(
    'content',
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; worker-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types default",
  )
})

async function expectNoSideways(page: Page): Promise<void> {
  const wider = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('dialog, dialog *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      .filter((element) => !element.matches('input, .visually-hidden'))
      .map((element) => element.outerHTML.slice(0, 80)),
  )
  expect(wider).toEqual([])
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: test.info().outputPath(`${name}.png`) })
}
