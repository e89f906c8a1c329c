import type { Page } from '@playwright/test'
import { expect, test } from './stored-page.ts'
import { expectWhole, goOn, nameOf, readLog } from './survival.ts'

const question = 'Do jobs of 10 and 40 ms.'
/** What the log may have in place of what was lost. */
const afterCut = /^(session_opened|message_checkpoint)$/

test('[D8] [D10] [I7] [I28] [I29] [I33] a reload at every event of a run leaves no gap, keeps what was done, repeats nothing, and the run goes on', async ({
  page,
  addressOf,
  witness,
  isThorough,
}) => {
  await page.goto(addressOf('reloaded'))
  const names = await namesOfRun(page)
  const cuts = [...names.keys()].filter((at) => isThorough || isFirst(names, at))
  test.setTimeout(cuts.length * 6000)
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) witness.release()
  })

  let [reloads, whole, done] = [0, 0, 0]
  for (const at of cuts) {
    // Events of one task cannot be parted.
    if (at < done) continue
    const before = (await readLog(page)).length
    const { seen, written } = await reloadAt(page, at, witness.address)
    const log = await readLog(page)
    // Nothing of it is missing but, perhaps, the end: what a page hands over in its last moment may be lost.
    const kept = log.slice(before).map(nameOf).slice(0, written.length)
    const lost = written.findIndex((name, index) => name !== kept[index])
    if (lost >= 0) expect(log[before + lost]?.type ?? 'session_opened').toMatch(afterCut)
    else whole += 1
    await expectWhole(page, witness)
    await goOn(page)
    await expectWhole(page, witness)
    reloads += 1
    done = seen
  }
  console.log(`    ${names.length} events, ${reloads} reloads, ${whole} without any loss`)
  expect(whole).toBeGreaterThan(reloads / 2)
})

function isFirst(names: readonly string[], at: number): boolean {
  return names.indexOf(names[at] ?? '') === at
}

/** Asks once, undisturbed. Returns the names of the events that makes. */
function namesOfRun(page: Page): Promise<readonly string[]> {
  return page.evaluate(async (question) => {
    const { agent } = window.offthread
    await agent.ready
    const names: string[] = []
    agent.subscribe((event) => {
      if (event.type === 'message_update') names.push(event.assistantMessageEvent.type)
      else if (event.type !== 'message_checkpoint') names.push(event.type)
    })
    await agent.prompt(question)
    return names
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
