import { numbersIn, openChat } from './chat.ts'
import { type KillableBrowser, makeKillableBrowser } from './killable-browser.ts'
import { demoOrigin } from './origins.ts'
import { test as base, expect } from './stored-page.ts'
import { expectWhole, goOn } from './survival.ts'

const test = base.extend<{ readonly killable: KillableBrowser }>({
  killable: async ({ browserName: _ }, use) => {
    const killable = await makeKillableBrowser()
    await use(killable)
    await killable.remove()
  },
})

test('[D1] [D10] [I1] [I28] [I33] what was acknowledged before the browser was killed is there afterwards, without a gap, and the run goes on', async ({
  killable,
  addressOf,
  witness,
  isThorough,
}) => {
  const kills = isThorough ? 20 : 3
  test.setTimeout((kills + 1) * 60_000)
  const open = async () => {
    const page = await killable.start()
    await page.goto(addressOf('killed'))
    await expectWhole(page, witness)
    await goOn(page)
    return page
  }
  for (let killed = 0; killed < kills; killed += 1) {
    const page = await open()
    const work = async () => {
      for (;;) await window.offthread.agent.prompt('Do jobs of 5 and 20 ms.')
    }
    page.evaluate(work).catch(() => {})
    const enough = witness.acknowledged.length + 20 + ((killed * 7) % 50)
    await expect.poll(() => witness.acknowledged.length, { intervals: [2] }).toBeGreaterThan(enough)
    await killable.kill()
  }
  await open()

  const { acknowledged, ran } = witness
  console.log(`    ${kills} kills: 0 of ${acknowledged.length} acknowledged events are lost`)
  console.log(`    ${ran.length} calls ran, none of them twice`)
})

test('[D9] [D10] a table that was loaded before the browser was killed answers the next question', async ({
  killable,
}) => {
  const address = `${demoOrigin}/?dev&delay=0#table`
  const before = await openChat(await killable.start(), address)
  await before.drop('trips.csv', 'city,price\nBerlin,10\nBerlin,20\nParis,60\n')
  await before.ask('How many trips are in Berlin?')
  await before.ended()
  await killable.kill()

  const after = await openChat(await killable.start(), address)
  await after.ask('What is the total price per city?')

  expect(await after.ended()).toMatchObject({ reason: 'stop' })
  expect(numbersIn((await after.answer.allInnerTexts()).join())).toEqual(
    expect.arrayContaining([30, 60]),
  )
  await expect(after.cards('load_table')).toHaveCount(1)
})

test('[D10] [I28] [I29] [I33] a crash of the page in the middle of an answer, and of its calls, loses nothing that was acknowledged', async ({
  context,
  addressOf,
  witness,
}) => {
  let page = await context.newPage()
  await page.goto(addressOf('crashed'))
  for (const event of ['message_update', 'tool_running', 'tool_execution_end'] as const) {
    const crashed = page.waitForEvent('crash')
    const devtools = await context.newCDPSession(page)
    // The command is never answered.
    page.on('console', () => void devtools.send('Page.crash').catch(() => {}))
    await page.evaluate((event) => {
      const { agent } = window.offthread
      agent.subscribe(({ type }) => {
        if (type === event) console.log('Crash.')
      })
      void agent.prompt('Do jobs of 5 and 200 ms.')
    }, event)
    await crashed
    await page.close()

    page = await context.newPage()
    await page.goto(addressOf('crashed'))
    await expectWhole(page, witness)
    await goOn(page)
    await expectWhole(page, witness)
  }
})
