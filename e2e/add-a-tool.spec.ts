import { readFileSync } from 'node:fs'
import { type Chat, expect, expectRest, openChat, test } from './chat.ts'
import { type FreshCopy, makeFreshCopy } from './fresh-copy.ts'

/** One step of docs/add-a-tool.md. */
interface Step {
  readonly kind: 'write' | 'ask' | 'run'
  readonly text: string
}

const walkthrough = readFileSync(new URL('../docs/add-a-tool.md', import.meta.url), 'utf8')
const steps = [...walkthrough.matchAll(/```(ts demo|text ask|sh)\n([\s\S]*?)```/g)].map(
  ([, fence, text = '']): Step => ({
    kind: fence === 'sh' ? 'run' : fence === 'text ask' ? 'ask' : 'write',
    text,
  }),
)
/** The time in which even a slow machine starts a worker of a development server, or reports that it cannot. */
const toldMs = 20_000
const packageStep = steps.findIndex(({ kind }) => kind === 'run')

// A time zone west of Greenwich, where a date that is read as UTC is the day before.
test.use({ timezoneId: 'America/New_York' })

test('docs/add-a-tool.md leads to a tool of one’s own, and to one that uses a package from npm', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const copy = await makeFreshCopy()
  try {
    const { packageManager } = JSON.parse(await copy.read('package.json'))
    expect(walkthrough).toContain(`npx ${packageManager} `)
    const start = async () => `${await copy.startDemo()}/?dev`
    const address = await start()
    await page.goto(address)

    // The page reloads itself, because what it loads has changed.
    const loadedAnew = page.waitForEvent('load')
    await follow(steps.slice(0, packageStep), copy)
    await loadedAnew
    const chat = await openChat(page, address)
    await chat.ask(questionIn(steps.slice(0, packageStep)))
    await expectCard(chat, /"start": 837799,\s+"steps": 524/)
    await stopLongCall(chat)
    await changeWorker(chat, copy)

    // An open page reloads itself when the server is back.
    await page.goto('about:blank')
    await copy.stopDemo()
    await follow(steps.slice(packageStep), copy)
    const later = await openChat(page, await start())
    await later.ask(questionIn(steps.slice(packageStep)))
    await expectCard(later, /"days": 258/)
    // Others run beside it, and its threads would each check what they share.
    await copy.run('npx tsc --singleThreaded -p apps/demo')
  } finally {
    await copy.remove()
  }
})

async function follow(all: readonly Step[], copy: FreshCopy): Promise<void> {
  for (const { kind, text } of all) {
    if (kind === 'write') await copy.write(pathIn(text), text)
    if (kind === 'run') await copy.run(text.trim())
  }
}

function questionIn(all: readonly Step[]): string {
  return all.find(({ kind }) => kind === 'ask')?.text.trim() ?? ''
}

async function stopLongCall(chat: Chat): Promise<void> {
  await chat.ask('/longest_chain {"below": 100000000}')
  const card = chat.cards('longest_chain').last()
  await expect(card).toHaveAttribute('data-status', 'running', { timeout: toldMs })
  await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()
  expect(await chat.ended()).toMatchObject({ reason: 'aborted' })
  await expect(card).toHaveAttribute('data-status', 'cancelled')
  await expectRest(chat)
}

/** On the open page: the mistake is shown, the conversation stays, and the next call runs the new code. */
async function changeWorker(chat: Chat, copy: FreshCopy): Promise<void> {
  const path = 'apps/demo/src/tools/longest-chain.worker.ts'
  const code = await copy.read(path)
  const problem = chat.page.locator('.page-problem')

  await copy.write(path, `throw new Error('Broken on purpose.')\n${code}`)
  await expect(problem).toContainText(/longest_chain: .*Broken on purpose\./, {
    timeout: toldMs,
  })
  await copy.write(path, code.replace('return longest', 'return { ...longest, steps: -1 }'))
  await expect(problem).toHaveCount(0, { timeout: toldMs })

  await chat.ask('/longest_chain {"below": 10}')
  await expectCard(chat, /"steps": -1/)
  await expect(chat.cards('longest_chain')).toHaveCount(3)
}

async function expectCard(chat: Chat, result: RegExp): Promise<void> {
  expect(await chat.ended()).toMatchObject({ reason: 'stop' })
  const card = chat.cards().last()
  await expect(card).toHaveAttribute('data-status', 'succeeded')
  await card.locator('.card-toggle').click()
  const [text] = await card.locator('.card-details').allInnerTexts()
  expect(text).toMatch(result)
}

/** The file that a code block names in its first line. */
function pathIn(code: string): string {
  const path = /^\/\/ (apps\/demo\/\S+\.ts)/.exec(code)?.[1]
  if (path === undefined) throw new Error(`This block names no file of the demo:\n${code}`)
  return path
}
