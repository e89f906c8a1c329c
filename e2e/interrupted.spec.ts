import type { Page } from '@playwright/test'
import { expect, test } from './stored-page.ts'
import { expectWhole, goOn, nameOf, readLog } from './survival.ts'

/** What a user asks, and does meanwhile. */
interface Scene {
  readonly question: string
  /** The user allows each call, says something while one runs, and stops the answer to that. */
  readonly acts: boolean
}

/** Two parallel tools; then also a server that has to be asked twice, a person, and a history that is summarised. */
const scenes: readonly Scene[] = [
  { question: 'Do jobs of 10 and 40 ms.', acts: false },
  { question: 'You are busy, but do jobs of 10 and 40 ms, and ask me.', acts: true },
]

/** What the log may have in place of what was lost. */
const afterCut = /^(session_opened|message_checkpoint)$/

test('[D8] [D10] [D49] [I7] [I28] [I29] [I33] a reload at every event of a run leaves no gap, keeps what was done, repeats nothing, and the run goes on', async ({
  page,
  addressOf,
  witness,
  isThorough,
}) => {
  if (isThorough) test.setTimeout(1_200_000)
  await page.goto(addressOf('reloaded'))
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) witness.release()
  })

  let [reloads, whole] = [0, 0]
  // Events of one task cannot be parted: a cut at one of them is a cut at all.
  const cut = new Set<string>()
  for (const scene of scenes) {
    await ask(page, scene)
    for (const event of (await shownOn(page)).seen) {
      if (cut.has(event) || (!isThorough && !event.endsWith(' 1'))) continue
      const before = (await readLog(page)).length
      const { seen, written } = await reloadAt(page, scene, { event, witness: witness.address })
      for (const one of seen.slice(seen.indexOf(event))) cut.add(one)
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
    }
  }
  console.log(`    ${reloads} reloads, ${whole} without any loss`)
  expect(whole).toBeGreaterThan(reloads / 2)
  expect([...cut]).toEqual(expect.arrayContaining(rare.map((name) => `${name} 1`)))
})

/** What the second scene is there for. */
const rare = [
  ...['tool_approval_requested', 'tool_approval_resolved', 'queue_update', 'abort_requested'],
  ...['auto_retry_start', 'auto_retry_end', 'compaction_start', 'compaction_end'],
]

interface Cut {
  /** The event after which the page ends. */
  readonly event: string
  readonly witness: string
}

/** What a page got to see of a run. */
interface Shown {
  /** Its events, each by its name and how often it came so far. */
  readonly seen: readonly string[]
  /** What is to be stored of the events up to the end of the page. */
  readonly written: readonly string[]
}

/** What the page, or the one before it, got to see. */
function shownOn(page: Page): Promise<Shown> {
  return page.evaluate(() => JSON.parse(sessionStorage.getItem('shown') ?? '') as Shown)
}

/** Asks, and reloads the page at an event. The page holds still until the browser asks for it again. */
async function reloadAt(page: Page, scene: Scene, cut: Cut): Promise<Shown> {
  const loaded = page.waitForEvent('domcontentloaded')
  await ask(page, scene, cut)
  await loaded
  return shownOn(page)
}

/** Asks, and waits for the end, or for the reload if the page ends before. */
function ask(page: Page, scene: Scene, cut?: Cut): Promise<void> {
  return page.evaluate(
    async ([{ question, acts }, cut]) => {
      const { agent } = window.offthread
      await agent.ready
      const [seen, written]: [string[], string[]] = [[], []]
      let isCut = false
      agent.subscribe((event) => {
        const { seq, sub, type } = event
        // A page writes it because it ends.
        if (type === 'message_checkpoint') return
        const name = type === 'message_update' ? event.assistantMessageEvent.type : type
        const times = seen.filter((one) => one.startsWith(`${name} `)).length + 1
        seen.push(`${name} ${times}`)
        if (sub === undefined && !isCut) written.push(`${seq} ${type}`)
        sessionStorage.setItem('shown', JSON.stringify({ seen, written }))
        if (`${name} ${times}` === cut?.event) {
          isCut = true
          location.reload()
          const hold = new XMLHttpRequest()
          hold.open('POST', `${cut.witness}/hold`, false)
          hold.send()
        }
        if (!acts || isCut) return
        if (type === 'tool_approval_requested') {
          const { toolCallId, argsDigest } = event
          agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
        }
        if (type === 'tool_running' && times === 1) agent.steer('Go on slowly.')
        if (type === 'message_start' && event.message.role === 'assistant' && event.turn === 2) {
          agent.abort()
        }
      })
      const run = () => agent.prompt(question).then(() => {})
      if (!cut) return run()
      // An event that does not come this time is the end of the run.
      setTimeout(() => void run().then(() => isCut || location.reload()))
    },
    [scene, cut] as const,
  )
}
