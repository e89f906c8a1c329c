import type { ModelChunk } from '@offthread/core'
import type { JSHandle, Page } from '@playwright/test'
import { type Chat, expect, test } from './chat.ts'
import { expectResponsive, watchTasks } from './watch-tasks.ts'

const override = '\u202E'
const hidden = '\u{E0069}\u{E0067}\u{E006E}'

const texts = {
  'half an address': `${'a.a+'.repeat(15_000)}@`,
  'many items': '- a\n'.repeat(20_000),
  'a pile of accents': `e${'\u0301'.repeat(100_000)}`,
  'one word of a megabyte': 'a'.repeat(1_000_000),
  'a paragraph of 1 MB': 'Some **words** of it. '.repeat(45_500),
  'what wants to load something': `${[
    '<script>fetch("/leak")</script>',
    '<img src=/leak onerror=alert(1)>',
    '![leak](http://127.0.0.1:9/leak.png)',
    '[leak]: http://127.0.0.1:9/leak',
    '![a][leak] [x](javascript:alert(1)) <svg onload=alert(1)>',
    '<link rel=stylesheet href=//127.0.0.1:9/leak.css>',
    '| a |\n|-|\n| <iframe src=/leak></iframe> |',
  ].join('\n\n')}\n\n`.repeat(40),
} as const

for (const [name, text] of Object.entries(texts)) {
  test(`${name}: nothing is loaded, nothing strange appears, and typing goes on`, async ({
    chat,
  }) => {
    const { page } = chat
    const requests = watchRequests(page)
    const answer = await bring(page, textChunks(text, 40))
    const tasks = await watchTasks(page)

    await answerWith(page, answer)
    await chat.composer.pressSequentially('still here')
    await wholeTextIsDrawn(chat)

    expectResponsive(await tasks())
    await expect(page.getByText('AFTER')).toBeVisible()
    await expect(chat.composer).toHaveValue('still here')
    expect(requests).toEqual([])
    expect(await strangeElements(page)).toEqual([])
  })
}

test('characters that deceive are marks wherever they come from', async ({ chat }) => {
  const { page } = chat
  const tool = `to${override}ol`
  const args = JSON.stringify({ [`na${override}me`]: `va${hidden}lue` })
  await chat.ask(`What is${override} this?`)
  await chat.ended()
  const answer = await bring(page, [
    ...textChunks(`safe&#x202E;gnp ${override}exe`, 1),
    ...callChunks({ count: 1, from: 1, toolName: tool, args }),
  ])
  await answerWith(page, answer)
  await chat.cards(tool).locator('[aria-controls]').click()

  await expect(chat.cards(tool)).toContainText('to‹U+202E›ol')
  await expect(page.getByText('safe‹U+202E›gnp ‹U+202E›exe')).toBeVisible()
  const shown = await page.locator('body').textContent()
  expect(shown).toContain('va‹U+E0069 and 2 more›lue')
  expect(shown).toContain('What is‹U+202E› this?')
  expect(shown).not.toMatch(/[\u202E\u{E0000}-\u{E007F}]/u)
})

test('what a model, a tool or a file says is only text wherever the page shows it', async ({
  chat,
}) => {
  const { page } = chat
  const evil = '<img src=/leak onerror=alert(1)><svg onload=alert(1)><a href="javascript:alert(1)">'
  const file = '<img src=leak onerror=alert(1)>.csv'
  const requests = watchRequests(page)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const strange = await watchElements(page)
  const tasks = await watchTasks(page)

  const quoted = `"${evil.replaceAll('"', '""')}"`
  await chat.drop(file, `${quoted},amount\n${quoted},1\n${quoted},2\n`)
  await chat.ask(`What is ${evil}?`)
  await chat.ended()
  const string = JSON.stringify(evil)
  const answer = await bring(page, [
    { type: 'thinking_start', contentIndex: 0 },
    { type: 'thinking_delta', contentIndex: 0, delta: evil },
    { type: 'thinking_end', contentIndex: 0 },
    ...callsOf(1, [
      ['load_table', { file }],
      ['sql_query', { sql: `select '${evil}' as ${quoted}` }],
      ['run_js', { code: `console.log(${string}); ${string}` }],
      ['run_js', { code: `throw new Error(${string})` }],
      ['plot', { kind: 'bar', title: evil, labels: [evil, 'b'], values: [1, 2], xLabel: evil }],
      ['dev_approve', { what: evil }],
      [evil, { [evil]: evil }],
    ]),
  ])
  await answerWith(page, answer)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect.poll(async () => (await chat.events('agent_end')).length).toBe(2)

  await page.getByText('Thinking', { exact: true }).click()
  for (const closed of ['[aria-expanded="false"]', '.card-more']) {
    await chat.cards().locator(closed).evaluateAll(clickAll)
  }
  const outcomes = await chat
    .cards()
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-status')))
  expect(outcomes.slice(-7)).toEqual([
    ...['succeeded', 'succeeded', 'succeeded', 'failed', 'succeeded', 'succeeded', 'failed'],
  ])
  for (const card of (await chat.cards().all()).slice(-6)) await expect(card).toContainText(evil)
  await page
    .getByRole('button', { name: /^More of/ })
    .last()
    .click()
  await expect(page.getByRole('button', { name: 'Copy input' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Run panel' }).click()
  await page.getByRole('button', { name: 'View as table' }).click()
  await page.getByRole('tab', { name: 'Usage' }).click()
  await page.getByRole('tab', { name: 'Events' }).click()
  const events = page.getByRole('listbox', { name: 'Events' })
  await events.focus()
  await page.keyboard.press('Home')
  // The detail of each event, with what it changed.
  const count = await page.evaluate(() => window.events.length)
  for (let event = 0; event < count; event += 1) await page.keyboard.press('ArrowDown')
  await page.getByRole('button', { name: 'Chats' }).click()
  await expect(page.getByRole('dialog', { name: 'Chats' })).toContainText('onerror=alert(1)')

  expect(await strange()).toEqual([])
  expect(dialogs).toEqual([])
  expect(requests).toEqual([])
  expectResponsive(await tasks())
})

test('a thousand calls of one answer are drawn a few at a time', async ({ chat }) => {
  const { page } = chat
  const calls = callChunks({ count: 1000, toolName: 'dev_nothing', args: '{}' })
  const answer = await bring(page, calls)
  const tasks = await watchTasks(page)

  await answerWith(page, answer)
  await chat.composer.pressSequentially('still here')
  // By class: a search for names or texts asks the page for the style of everything, and would be the longest task.
  await expect(page.locator('.group-header')).toHaveText(/^1,000 tools · 1,000 failed/)

  await expect(chat.cards()).toHaveCount(50)
  await expect(page.locator('.show-more')).toHaveText('Show more (950 calls)')
  await page.locator('.show-more').click()
  await expect(chat.cards()).toHaveCount(100)
  await expect(chat.composer).toHaveValue('still here')
  expectResponsive(await tasks())
})

for (const [tab, list, last] of [
  ['Timeline', '[role="grid"]', 'dev_nothing'],
  ['Events', '[role="listbox"]', 'agent_end'],
] as const) {
  test(`a thousand calls are drawn a few at a time in the run panel, too: ${tab}`, async ({
    chat,
  }) => {
    const { page } = chat
    await page.getByRole('button', { name: 'Run panel' }).click()
    await page.getByRole('tab', { name: tab }).click()
    const calls = callChunks({ count: 1000, toolName: 'dev_nothing', args: '{}' })
    const answer = await bring(page, calls)
    const tasks = await watchTasks(page)

    await answerWith(page, answer)
    await chat.composer.pressSequentially('still here')
    await expect(page.locator('.group-header')).toHaveText(/^1,000 tools · 1,000 failed/)
    await expect(page.locator(list)).toContainText(last)

    await expect(chat.composer).toHaveValue('still here')
    expectResponsive(await tasks())
  })
}

test('arguments of 5 MB are shown from their start', async ({ chat }) => {
  const { page } = chat
  const args = JSON.stringify({ text: 'word '.repeat(1_000_000) })
  const answer = await bring(page, callChunks({ count: 1, toolName: 'dev_nothing', args }))
  const tasks = await watchTasks(page)

  await answerWith(page, answer)
  const card = chat.cards('dev_nothing')
  await expect(card).toHaveAttribute('data-status', 'failed')
  await card.getByRole('button', { name: 'Input and timing' }).click()

  await expect(card.getByText(/^[\d.]+ MB more\./)).toBeVisible()
  expect((await card.locator('[data-detail="input"] pre').textContent())?.length).toBeLessThan(
    40_000,
  )
  expectResponsive(await tasks())
})

test('a text of 2 MB that is pasted becomes a file to send', async ({ chat }) => {
  const { page } = chat
  // Made before, because only what the page does with it counts.
  const pasted = await page.evaluateHandle(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'word '.repeat(400_000))
    return clipboardData
  })
  await chat.composer.focus()
  const tasks = await watchTasks(page)

  await page.evaluate((clipboardData) => {
    const paste = { clipboardData, bubbles: true, cancelable: true }
    const isOurs = !document.activeElement?.dispatchEvent(new ClipboardEvent('paste', paste))
    if (!isOurs) document.execCommand('insertText', false, clipboardData.getData('text/plain'))
  }, pasted)
  await chat.composer.pressSequentially('still here')

  await expect(chat.composer).toHaveValue('still here')
  await expect(page.getByRole('list', { name: 'Files to send' })).toContainText('pasted.txt')
  expectResponsive(await tasks())
})

test('a question of a megabyte is not opened in a field', async ({ chat }) => {
  const { page } = chat
  await chat.ask('short')
  await chat.ended()
  await page.evaluate(() => window.offthread.agent.prompt('word '.repeat(200_000)))
  const tasks = await watchTasks(page)

  await page.locator('.edit-button').last().click({ force: true })
  await chat.composer.press('ArrowUp')

  await expect(page.locator('.edit-button').last()).toHaveAttribute('title', 'Too long to edit')
  await expect(page.locator('.editor-field')).toHaveCount(0)
  expectResponsive(await tasks())
})

function textChunks(text: string, pieces: number): readonly ModelChunk[] {
  const size = Math.ceil(text.length / pieces)
  const deltas = Array.from({ length: pieces }, (_, at) => text.slice(at * size, (at + 1) * size))
  return [
    { type: 'text_start', contentIndex: 0 },
    ...deltas.map((delta): ModelChunk => ({ type: 'text_delta', contentIndex: 0, delta })),
    { type: 'text_end', contentIndex: 0 },
  ]
}

interface Calls {
  readonly count: number
  readonly toolName: string
  readonly args: string
  /** The index of the first. */
  readonly from?: number
}

function callChunks({ count, toolName, args, from = 0 }: Calls): readonly ModelChunk[] {
  return Array.from({ length: count }, (_, at): ModelChunk[] => [
    { type: 'toolcall_start', contentIndex: from + at, toolName },
    { type: 'toolcall_delta', contentIndex: from + at, delta: args },
    { type: 'toolcall_end', contentIndex: from + at },
  ]).flat()
}

function clickAll(elements: readonly Element[]): void {
  for (const element of elements) if (element instanceof HTMLElement) element.click()
}

function callsOf(
  from: number,
  calls: readonly (readonly [toolName: string, args: object])[],
): readonly ModelChunk[] {
  return calls.flatMap(([toolName, args], at) =>
    callChunks({ count: 1, from: from + at, toolName, args: JSON.stringify(args) }),
  )
}

/** Brings an answer to the page. What is measured starts after that: the page reads no megabytes that come from a test. */
function bring(page: Page, chunks: readonly ModelChunk[]): Promise<JSHandle<Answer>> {
  return page.evaluateHandle((json) => JSON.parse(json) as Answer, JSON.stringify(chunks))
}

type Answer = readonly ModelChunk[]

/** A model that says this, a piece in a frame, and then AFTER. It does not wait for the end. */
async function answerWith(page: Page, answer: JSHandle<Answer>): Promise<void> {
  await page.evaluate((said) => {
    const calls = said.some(({ type }) => type === 'toolcall_start')
    let requests = 0
    async function* stream(): AsyncGenerator<ModelChunk> {
      requests += 1
      const first = requests === 1
      let since = performance.now()
      for (const chunk of first ? said : []) {
        yield chunk
        if (chunk.type === 'text_delta') await new Promise(requestAnimationFrame)
        if (performance.now() - since < 10) continue
        // As the adapters do, it lets the page have its turn.
        await new Promise((resolve) => setTimeout(resolve))
        since = performance.now()
      }
      if (!(first && calls)) {
        const contentIndex = first ? 1 : 0
        yield { type: 'text_start', contentIndex }
        yield { type: 'text_delta', contentIndex, delta: 'AFTER' }
        yield { type: 'text_end', contentIndex }
      }
      const stopReason = first && calls ? 'tool_use' : 'stop'
      yield { type: 'finish', stopReason, usage: { inputTokens: 1, outputTokens: 1 } }
    }
    const { agent } = window.offthread
    agent.configure({ model: { identity: { provider: 'test', id: 'test' }, stream } })
    void agent.prompt('go on')
  }, answer)
}

/** A locator would search the whole text again and again, and be the longest task itself. */
async function wholeTextIsDrawn({ page, events }: Chat): Promise<void> {
  await expect.poll(async () => (await events('agent_end')).length).toBe(1)
  let before = -1
  const isSame = async (): Promise<boolean> => {
    const last = before
    before = await page.evaluate(() => document.querySelector('.md')?.childElementCount ?? 0)
    return before === last
  }
  await expect.poll(isSame, { intervals: [500] }).toBe(true)
}

/** The addresses that are asked for from now on, without those of the page's own files. */
function watchRequests(page: Page): readonly string[] {
  const { origin } = new URL(page.url())
  const requests: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    // The browser loads the page's own icon when it likes, and the page its tools when they are called.
    const isOwn = url.origin === origin && /^\/(?:assets\/|icon\.svg$)/.test(url.pathname)
    if (!isOwn && !/^(?:blob|data):$/.test(url.protocol)) requests.push(request.url())
  })
  return requests
}

/** Looks from now on at all that comes into the page. Returns a function that says what the page does not make itself. */
async function watchElements(page: Page): Promise<() => Promise<readonly string[]>> {
  const found = await page.evaluateHandle(() => {
    const known = new Set(
      'div span p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd section article aside header main nav form fieldset legend label input textarea select option button output details summary dialog table caption thead tbody tfoot tr th td pre code strong em del ins small hr br blockquote a img figure figcaption canvas svg g path rect line circle text title desc'.split(
        ' ',
      ),
    )
    const isSafe = (address: string): boolean =>
      /^(?:https?:|mailto:|blob:|data:image\/|#)/.test(address)
    const strange: string[] = []
    const look = (element: Element): void => {
      const isKnown = known.has(element.localName)
      const isQuiet = [...element.attributes].every(({ name, value }) =>
        ['href', 'src', 'xlink:href', 'action', 'formaction'].includes(name)
          ? isSafe(value)
          : !/^on|^srcdoc$/.test(name),
      )
      if (!isKnown || !isQuiet) strange.push(element.outerHTML.slice(0, 200))
    }
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'attributes' && target instanceof Element) look(target)
        for (const node of addedNodes) {
          if (node instanceof Element)
            for (const each of [node, ...node.querySelectorAll('*')]) look(each)
        }
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
    return strange
  })
  return () => found.jsonValue()
}

/** Elements of answers that markdown does not make, and links that lead elsewhere than they may. */
function strangeElements(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const known =
      'p h4 h5 h6 blockquote ul ol li pre code hr div section table thead tbody tr th td strong em del a br span button svg path'
    const all = [...document.querySelectorAll('.md *')]
    const strange = all.filter(
      (element) =>
        !known.split(' ').includes(element.localName) ||
        element.getAttributeNames().some((name) => name.startsWith('on') || name === 'id') ||
        (element instanceof HTMLAnchorElement && !/^(https?|mailto):$/.test(element.protocol)),
    )
    return strange.map((element) => element.outerHTML.slice(0, 200))
  })
}
