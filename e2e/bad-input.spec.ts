import type { Page } from '@playwright/test'
import { expectRest, openChat } from './chat.ts'
import { expect, readCard, test } from './faulty-page.ts'

/** A fault in starting workers, and what the page and the console say about it. */
interface BadInput {
  readonly what: string
  /** Search parameters of the page with the faulty tool; without them it is the demo page itself. */
  readonly search?: string
  readonly prepare?: (page: Page) => Promise<unknown>
  readonly says: string | RegExp
}

const useModules =
  /The script is a module: start it with new Worker\(…, \{ type: 'module' \}\)\. If it is already, this browser has no module workers: use Chrome 80, Safari 15, Firefox 114 or newer/

const badInputs: readonly BadInput[] = [
  {
    what: 'a worker file that serves nothing',
    search: 'worker=silent&bootTimeoutMs=1000',
    says: 'The worker was not ready within 1 s: its script does not call serveTools([…]) at its top level, or takes longer to load, as on a busy machine (then raise bootTimeoutMs)',
  },
  {
    what: 'a worker file that serves another tool',
    search: 'worker=other',
    says: 'The worker does not implement "fault". It implements: dev_sleep, dev_spin, dev_crash, dev_flaky, dev_flood, dev_huge, dev_approve. Add implement(fault, …) to serveTools([…])',
  },
  {
    what: 'a worker file of another origin',
    search: 'worker=foreign',
    says: /The worker could not be started: .*'https:\/\/cdn\.example\/tools\.worker\.js' cannot be accessed from origin .* write crossOriginWorker\(address\) in place of new Worker\(…\)/,
  },
  {
    // The error of a page that forgets `module`, and of Safari before 15 and Firefox before 114.
    what: 'a module that is started as a classic script',
    search: 'worker=classic',
    says: useModules,
  },
  {
    what: 'a browser that throws at a module worker',
    prepare: (page) => page.addInitScript(throwAtModules),
    says: useModules,
  },
  {
    what: 'a page whose policy forbids workers',
    prepare: forbidWorkers,
    says: "The page's Content-Security-Policy forbids this worker: add 'self' to its worker-src, or blob: for crossOriginWorker",
  },
]

for (const { what, search, prepare, says } of badInputs) {
  test(`[W8] ${what} is a sentence on the card and in the console, and the page stays usable`, async ({
    page,
    openFaulty,
    complaints,
  }) => {
    await prepare?.(page)
    const chat =
      search === undefined ? await openChat(page, '/?dev&delay=0') : await openFaulty(search)
    const command = search === undefined ? '/dev_sleep {"ms":1}' : '/fault {"how":"return"}'

    await chat.ask(command)
    const end = await chat.ended()

    expect(end.reason).toBe('stop')
    const card = await readCard(chat.cards())
    await page.screenshot({ path: test.info().outputPath('card.png') })
    expect(card.status).toBe('Failed')
    expectToSay(card.text, says)
    expect(card.text).toMatch(/The tool could not be started \([\s\S]*\)\. It did not run\./)
    expectToSay(ours(complaints), says)

    // Each reason is in the console once, however many calls fail for it.
    await chat.ask(command)
    await chat.ended()
    expect(ours(complaints)).toHaveLength(1)
    complaints.splice(0)
    await chat.ask('help')
    expect(await chat.ended()).toMatchObject({ reason: 'stop' })
    await expectRest(chat)
    expect(page.workers()).toHaveLength(0)
  })
}

function ours(complaints: readonly string[]): readonly string[] {
  return complaints.filter((text) => text.startsWith('Offthread cannot use the worker of '))
}

function expectToSay(text: string | readonly string[], says: string | RegExp): void {
  if (typeof says === 'string') expect(String(text)).toContain(says)
  else expect(String(text)).toMatch(says)
}

/** What Chrome before version 80 does. */
function throwAtModules(): void {
  const Native = window.Worker
  window.Worker = class extends Native {
    constructor(url: string | URL, options?: WorkerOptions) {
      if (options?.type === 'module') {
        throw new TypeError(
          "Failed to construct 'Worker': Module scripts are not supported on DedicatedWorker yet.",
        )
      }
      super(url, options)
    }
  }
}

async function forbidWorkers(page: Page): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === '/',
    async (route) => {
      const response = await route.fetch()
      const headers = { ...response.headers(), 'content-security-policy': "worker-src 'none'" }
      await route.fulfill({ response, headers })
    },
  )
}
