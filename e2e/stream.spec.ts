import type { ModelChunk } from '@offthread/core'
import type { Page } from '@playwright/test'
import { expect, expectRest, test } from './chat.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('[UI8] 200 more words leave a reader alone who scrolled up with the wheel, and End follows the answer again', async ({
  chat,
}) => {
  const { page } = chat
  const log = page.getByRole('log')
  const toGo = () =>
    log.evaluate(
      ({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop,
    )
  const answer = await startAnswer(page)
  await answer.say(words('first', 200))
  await expect(log).toContainText('first 199')
  await expect.poll(toGo).toBeLessThan(1)
  expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(600)

  await log.hover()
  await page.mouse.wheel(0, -400)
  await expect(page.getByRole('button', { name: /^Jump to latest/ })).toBeVisible()
  await expect.poll(toGo).toBeGreaterThan(350)
  const place = await log.evaluateHandle((element) => {
    const place = { top: element.scrollTop, height: element.scrollHeight, moves: 0 }
    element.addEventListener('scroll', () => (place.moves += 1))
    return place
  })
  await answer.say(words('second', 200))
  await expect(log).toContainText('second 199')

  const { top, height, moves } = await place.jsonValue()
  expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(top)
  expect(await log.evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThan(height + 400)
  expect(moves).toBe(0)

  await log.press('End')
  await expect.poll(toGo).toBeLessThan(1)
  await answer.say(words('third', 200))
  await expect(log).toContainText('third 199')
  await expect.poll(toGo).toBeLessThan(1)
  await answer.end()
  await expectRest(chat)
})

test('[UI10] nothing that is read moves while 20 KB of Markdown stream', async ({ chat }) => {
  const { page } = chat
  await chat.ask('help')
  await chat.ended()
  const shift = await watchShifts(page)
  const text = Array.from({ length: 40 }, (_, at) => block(at)).join('')
  expect(text.length).toBeGreaterThan(20_000)

  const answer = await startAnswer(page)
  // Whole words: one that grows at the end of its line may have to move to the next.
  await answer.say(text.match(/(?:\S+\s+){1,8}/g) ?? [])
  await answer.end()
  await expect(page.getByRole('log')).toContainText('Words of block 39')
  await expectRest(chat)

  expect(await shift()).toBeLessThan(0.02)
  // It would have been seen.
  await page.getByRole('log').evaluate((log) => log.style.setProperty('padding-top', '200px'))
  await expect.poll(shift).toBeGreaterThan(0.02)
})

function words(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${name} ${at}${at % 5 === 4 ? '\n\n' : ' '}`)
}

/** Text, a list, code or a table, 500 characters each. */
function block(at: number): string {
  const sentences = `Words of block ${at}, some **bold**. `.repeat(14)
  const kinds = [
    sentences,
    `- ${sentences}\n- ${sentences}`,
    `\`\`\`js\n${sentences}\n\`\`\``,
    `| a | b |\n|---|--:|\n| ${sentences} | 1 |`,
  ]
  return `${kinds[at % kinds.length]}\n\n`
}

/** Watches the layout. Returns a function that says the cumulative layout shift: the most in five seconds without a pause. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  const entries = await page.evaluateHandle(() => {
    const entries: { readonly at: number; readonly value: number }[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry) entries.push({ at: entry.startTime, value: Number(entry.value) })
    }).observe({ type: 'layout-shift' })
    return entries
  })
  return async () => {
    let [most, sum, first, last] = [0, 0, -1e9, -1e9]
    for (const { at, value } of await entries.jsonValue()) {
      const isOther = at - last >= 1000 || at - first >= 5000
      if (isOther) first = at
      sum = isOther ? value : sum + value
      last = at
      most = Math.max(most, sum)
    }
    return most
  }
}

/** Asks a model that says what the test gives it, at most a piece in a frame. */
async function startAnswer(page: Page) {
  const writer = await page.evaluateHandle(() => {
    const { readable, writable } = new TransformStream<string, string>()
    async function* stream(): AsyncGenerator<ModelChunk> {
      const reader = readable.getReader()
      yield { type: 'text_start', contentIndex: 0 }
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        yield { type: 'text_delta', contentIndex: 0, delta: value }
        await new Promise(requestAnimationFrame)
      }
      yield { type: 'text_end', contentIndex: 0 }
      const usage = { inputTokens: 1, outputTokens: 1 }
      yield { type: 'finish', stopReason: 'stop', usage }
    }
    const { agent } = window.offthread
    agent.configure({ model: { identity: { provider: 'test', id: 'test' }, stream } })
    void agent.prompt('go on')
    return writable.getWriter()
  })
  return {
    /** Resolves when the model has said all of them. */
    say: (pieces: readonly string[]) =>
      writer.evaluate(async (open, all) => {
        for (const piece of all) await open.write(piece)
      }, pieces),
    end: () => writer.evaluate((open) => open.close()),
  }
}
