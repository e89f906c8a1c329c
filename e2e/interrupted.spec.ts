import type { Page } from '@playwright/test'
import { expect, test } from './stored-page.ts'
import { expectWhole, goOn, nameOf, readLog } from './survival.ts'

const question = 'Do jobs of 10 and 40 ms.'

test('[D8] [D10] [I7] [I28] [I29] [I33] a reload at every event of a run leaves no gap, keeps what was done, repeats nothing, and the run goes on', async ({
  page,
  addressOf,
  witness,
}) => {
  test.setTimeout(120_000)
  await page.goto(addressOf('reloaded'))
  const count = await runWhole(page)
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) witness.release()
  })

  let reloads = 0
  for (let at = 0; at < count; reloads += 1) {
    const before = (await readLog(page)).length
    const { seen, written } = await reloadAt(page, at, witness.address)
    const log = await readLog(page)
    // Also what was not acknowledged yet.
    expect(log.slice(before).map(nameOf), `cut at ${at}`).toEqual(
      expect.arrayContaining([...written]),
    )
    await expectWhole(page, witness)
    await goOn(page)
    await expectWhole(page, witness)
    // Events of one task cannot be parted.
    at = seen
  }
  console.log(`    ${count} events, ${reloads} reloads`)
})

/** Asks once, undisturbed. Returns how many events that makes. */
function runWhole(page: Page): Promise<number> {
  return page.evaluate(async (question) => {
    const { agent } = window.offthread
    await agent.ready
    let count = 0
    agent.subscribe(({ type }) => {
      if (type !== 'message_checkpoint') count += 1
    })
    await agent.prompt(question)
    return count
  }, question)
}

interface Cut {
  /** How many events the page wrote before its end. */
  readonly seen: number
  /** The names of those up to the cut that are to be stored. */
  readonly written: readonly string[]
}

/** Asks, and reloads the page at this event. The page holds still until the browser asks for it again. */
async function reloadAt(page: Page, at: number, witness: string): Promise<Cut> {
  const loaded = page.waitForEvent('domcontentloaded')
  await page.evaluate(
    ([question, at, witness]) => {
      const cut: { seen: number; written: string[] } = { seen: 0, written: [] }
      window.offthread.agent.subscribe(({ seq, sub, type }) => {
        // A page writes it because it ends.
        if (type === 'message_checkpoint') return
        cut.seen += 1
        if (sub === undefined && cut.seen <= at + 1) cut.written.push(`${seq} ${type}`)
        sessionStorage.setItem('cut', JSON.stringify(cut))
        if (cut.seen !== at + 1) return
        location.reload()
        const hold = new XMLHttpRequest()
        hold.open('POST', `${witness}/hold`, false)
        hold.send()
      })
      setTimeout(() => void window.offthread.agent.prompt(question))
    },
    [question, at, witness] as const,
  )
  await loaded
  return page.evaluate(() => JSON.parse(sessionStorage.getItem('cut') ?? '') as Cut)
}
