import { expect, expectRest, test } from './chat.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('[UI9] [UI13] a question is asked in other words, and each version keeps its cards', async ({
  chat,
}) => {
  const { page } = chat
  const question = page.locator('.message-user').first()
  await chat.ask('/dev_sleep {"ms":1}\n/dev_nothing {}')
  await chat.ended()
  await expect(chat.cards()).toHaveCount(2)

  const edit = question.getByRole('button', { name: 'Edit the question' })
  await edit.press('Enter')
  const editor = question.getByRole('textbox')
  await expect(editor).toBeFocused()
  await editor.fill('/dev_sleep {"ms":2}')
  await chat.again(() => editor.press('Enter'))
  await chat.ended()

  await expect(chat.cards()).toHaveCount(1)
  await expect(question.getByRole('group', { name: 'Versions' })).toContainText('2 / 2')
  await expect(edit).toBeFocused()

  await question.getByRole('button', { name: 'Version before' }).press('Enter')
  await expect(chat.cards()).toHaveCount(2)
  await expect(question.getByRole('group', { name: 'Versions' })).toContainText('1 / 2')
  await expect(question.getByRole('button', { name: 'Version before' })).toBeFocused()

  await chat.again(() => page.getByRole('button', { name: 'Answer again' }).click())
  await chat.ended()
  const answers = page.getByRole('group', { name: 'Answer' })
  await expect(answers.getByRole('group', { name: 'Versions' })).toContainText('2 / 2')
  await expect(chat.composer).toBeFocused()

  // With room below it; at the lower edge a card moves up, so that one sees what was opened.
  await page.setViewportSize({ width: 1280, height: 1100 })
  const header = chat.cards('dev_sleep').locator('[aria-controls]')
  const before = await header.boundingBox()
  await header.click()
  await expect(header).toHaveAttribute('aria-expanded', 'true')
  const after = await header.boundingBox()
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(2)
  await expectRest(chat)
})

test('[UI15] [UI19] a call is allowed by keyboard alone, and a screen reader announces it', async ({
  chat,
}) => {
  const { page } = chat
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    for (const region of document.querySelectorAll('[data-announcer]')) {
      new MutationObserver(() => {
        if (region.textContent) said.push(region.textContent)
      }).observe(region, { childList: true, subtree: true, characterData: true })
    }
  })
  const said = (): Promise<unknown> => page.evaluate((): unknown => Reflect.get(window, 'said'))
  await expect(page.getByRole('log')).toHaveAttribute('aria-live', 'off')

  await chat.ask('/dev_approve {"what":"this"}')
  await expect.poll(said).toEqual(['Approval needed for Ask first (dev). Press Alt+A'])
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeEnabled()
  await page.keyboard.press('Alt+a')
  await expect(page.getByRole('button', { name: 'Allow' })).toBeFocused()
  await page.keyboard.press('Enter')
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })

  await expect(chat.cards('dev_approve')).toHaveAttribute('data-status', 'succeeded')
  await expect
    .poll(said)
    .toEqual([
      'Approval needed for Ask first (dev). Press Alt+A',
      expect.stringMatching(
        /^Ask first \(dev\) finished\. Answer complete, \d+ words\. Press Alt\+R to read it$/,
      ),
    ])
  await page.keyboard.press('Alt+r')
  await expect(chat.answer).toBeFocused()

  await chat.ask('/dev_approve {}')
  await expect(page.getByRole('group', { name: 'Allow this call?' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter')
  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expect(chat.composer).toBeFocused()
  await expectRest(chat)
})

test('[UI20] what is sent in a run waits where one sees it, and the focus is never lost', async ({
  chat,
}) => {
  const { page } = chat
  const queue = page.getByRole('list', { name: 'Queued messages' })
  await expect(chat.composer).toBeFocused()
  await chat.ask('/dev_sleep {"ms":60000}')
  for (const text of ['/dev_sleep {"ms":1}', 'help', '/dev_nothing {}']) {
    await chat.composer.fill(text)
    await chat.composer.press('Enter')
  }
  await expect(queue.getByRole('listitem')).toHaveCount(3)

  await page.getByRole('button', { name: 'Remove from the queue: /dev_nothing {}' }).press('Enter')
  await expect(chat.composer).toBeFocused()
  await page.getByRole('button', { name: 'Say now: help' }).press('Enter')
  await expect(queue.getByRole('listitem').first()).toContainText('help')
  await page.getByRole('button', { name: 'Cancel Sleep (dev)' }).press('Enter')
  await expect(chat.cards('dev_sleep').first().locator('[aria-controls]')).toBeFocused()
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })

  await expect(queue).toHaveCount(0)
  expect(await page.locator('.message-user .bubble').allInnerTexts()).toEqual([
    '/dev_sleep {"ms":60000}',
    'help',
    '/dev_sleep {"ms":1}',
  ])
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await chat.ask('/dev_sleep {"ms":60000}')
  await chat.composer.fill('A draft')
  const place = await stop.boundingBox()
  await stop.click()
  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expect(chat.composer).toBeFocused()
  // A second click on the same place sends nothing.
  await page.mouse.click((place?.x ?? 0) + 8, (place?.y ?? 0) + 8)
  await expect(chat.composer).toHaveValue('A draft')
  await expectRest(chat)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('[UI22] nothing scrolls sideways, and one can type, send and stop with a thumb', async ({
    chat,
  }) => {
    const { page } = chat
    await chat.composer.fill('/dev_sleep {"ms":60000}\n/dev_nothing {}')
    await chat.again(() => page.getByRole('button', { name: 'Send', exact: true }).tap())
    await chat.composer.fill('And then?')
    await page.getByRole('button', { name: 'Queue', exact: true }).tap()
    await expect(page.getByRole('list', { name: 'Queued messages' })).toBeVisible()
    for (const name of ['Stop', 'Queue', 'Attach files']) {
      const button = page.getByRole('button', { name, exact: true })
      await expect(button).toBeInViewport({ ratio: 1 })
      const { width, height } = (await button.boundingBox()) ?? { width: 0, height: 0 }
      expect(Math.min(width, height), name).toBeGreaterThanOrEqual(44)
    }
    const sizes = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])
    expect(sizes[1]).toBe(sizes[0])

    await page.getByRole('button', { name: 'Stop', exact: true }).tap()
    expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
    await expect(chat.composer).toBeInViewport({ ratio: 1 })
    await expectRest(chat)
  })
})

test('in a window as small as at a zoom of 400 % the conversation can be read', async ({
  chat,
}) => {
  const { page } = chat
  await chat.ask('help')
  await chat.ended()
  await page.setViewportSize({ width: 320, height: 256 })

  for (const part of [page.getByRole('log'), chat.composer, page.getByText('Timeline, events')]) {
    await part.scrollIntoViewIfNeeded()
    await expect(part).toBeInViewport({ ratio: 0.9 })
  }
  const box = await page.getByRole('log').boundingBox()
  expect(box?.height).toBeGreaterThan(120)
})

test('a print cuts no code and no table off, and says what it leaves out', async ({ chat }) => {
  const { page } = chat
  const wide = `|${'column|'.repeat(20)}`
  const rule = `|${'-|'.repeat(20)}`
  await page.evaluate(
    async (last) => {
      const { agent } = window.offthread
      let said = 0
      agent.configure({
        model: {
          identity: { provider: 'test', id: 'test' },
          async *stream() {
            said += 1
            const delta = said < 33 ? 'Yes.' : last
            yield { type: 'text_start', contentIndex: 0 }
            yield { type: 'text_delta', contentIndex: 0, delta }
            yield { type: 'text_end', contentIndex: 0 }
            yield {
              type: 'finish',
              stopReason: 'stop',
              usage: { inputTokens: 1, outputTokens: 1 },
            }
          },
        },
      })
      for (let at = 0; at < 33; at += 1) await agent.prompt('Is it?')
    },
    ['```', 'word '.repeat(100), '```', '', wide, rule, wide].join('\n'),
  )
  await expect(page.locator('.table-scroll')).toBeVisible()
  const note = page.getByText('Not printed: 3 earlier questions.')
  await expect(note).toBeHidden()
  await page.emulateMedia({ media: 'print' })

  await expect(note).toBeVisible()
  const beyond = await page
    .locator('.md pre, .table-scroll')
    .evaluateAll((boxes) => boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
  expect(beyond).toEqual([0, 0])
  await page.emulateMedia({ media: null })
})

test('a print has all of the conversation, in dark ink', async ({ chat }) => {
  const { page } = chat
  await page.emulateMedia({ colorScheme: 'dark' })
  for (let at = 0; at < 3; at += 1) {
    await chat.ask('help')
    await chat.ended()
  }
  const length = await page.getByRole('log').evaluate((log) => log.scrollHeight)
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })

  const printed = await page.evaluate(() => ({
    length: document.documentElement.scrollHeight,
    ink: getComputedStyle(document.documentElement).color,
  }))
  expect(printed.length).toBeGreaterThan(length / 2)
  expect(printed.ink).toBe('rgb(25, 26, 28)')
  await expect(chat.composer).toBeHidden()
  await expect(page.getByRole('button', { name: 'New chat' })).toBeHidden()
  await page.emulateMedia({ media: null, colorScheme: null })
})

test('on a page from right to left, code and what counts run from left to right', async ({
  chat,
}) => {
  const { page } = chat
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  await chat.ask(`/sql_query ${JSON.stringify({ sql: "select -5 as a, 'שלום' as b;" })}`)
  await chat.ended()
  await chat.cards('sql_query').locator('[aria-controls]').click()
  await page.getByRole('button', { name: 'Run panel' }).click()
  await expect(page.locator('[data-part="took"]').first()).toBeVisible()

  const turned = await page.evaluate(() => {
    const texts = ['.card-asked', '.card-details pre', '.run-counts li', '[data-part="took"]']
    return texts.flatMap((selector) =>
      [...document.querySelectorAll(selector)].filter(isTurned).map(() => selector),
    )

    /** Whether the last sign that is drawn of the text stands left of the first. */
    function isTurned(element: Element): boolean {
      const [line = ''] = /\S.*/.exec(element.textContent ?? '') ?? []
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const first = walker.nextNode()
      if (!first) return false
      const start = (first.textContent ?? '').indexOf(line.slice(0, 1))
      const left = (at: number): number => {
        const range = document.createRange()
        range.setStart(first, at)
        range.setEnd(first, at + 1)
        return range.getBoundingClientRect().left
      }
      const end = Math.min(start + line.length, first.textContent?.length ?? 0) - 1
      return left(end) < left(start)
    }
  })
  expect(turned).toEqual([])
  await page.evaluate(() => document.documentElement.removeAttribute('dir'))
})
