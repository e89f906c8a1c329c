import { expectRest } from './chat.ts'
import { test as base, expect } from './model-menu.ts'

/** A graphics card, and a worker with an engine of which the test says how far it is. */
const test = base.extend({
  page: async ({ page }, use) => {
    await page.addInitScript(provideEngine)
    await use(page)
  },
})

const offer = /^A model on this device \(experimental\)/

test('a model on this device is loaded when the user agrees, with progress, and not before', async ({
  chat,
  menu,
}) => {
  const { page } = chat
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(request.url()))
  await menu.button.click()
  await page.getByRole('radio', { name: offer }).check()
  await expect(menu.dialog).toContainText(
    'Nothing is loaded before you agree. Then 1.8 GB of weights',
  )
  expect(loaded.filter((url) => url.includes('/engine'))).toEqual([])
  const agree = menu.dialog.getByRole('button', { name: 'Download 1.8 GB and use it' })

  await agree.click()
  await page.waitForFunction(() => 'progress' in window)
  await page.evaluate(() => window.progress(0.43))
  await expect(menu.dialog.getByRole('progressbar', { name: 'Loading Llama 3.2 3B' })).toBeVisible()
  await expect(menu.dialog).toContainText('43 %')
  expect(loaded.filter((url) => url.includes('/engine'))).toHaveLength(1)
  await menu.dialog.getByRole('button', { name: 'Stop loading' }).click()
  await expect(agree).toBeEnabled()
  expect(await page.evaluate(() => window.ended)).toBe(1)

  await agree.click()
  await page.waitForFunction(() => window.started === 2)
  await page.evaluate(() => window.progress(1))
  await expect(menu.dialog).toBeHidden()
  await expect(menu.button).toHaveText(/Llama 3\.2 3B — on this device/)
  await chat.ask('Take a nap')
  const end = await chat.ended()

  expect(end.reason).toBe('stop')
  await expect(chat.cards('dev_sleep')).toHaveAttribute('data-status', 'succeeded')
  await expect(chat.answer).toContainText('I slept.')
  await menu.usePlanner()
  expect(await page.evaluate(() => window.ended)).toBe(2)
  await expectRest(chat)
})

test('the engine itself starts in its worker, and without a network the page says so', async ({
  chat,
  menu,
  complaints,
}) => {
  const { page } = chat
  await page.context().route('https://**', (route) => route.abort())
  await page.evaluate(() => {
    window.Worker = window.RealWorker
  })
  await menu.button.click()
  await page.getByRole('radio', { name: offer }).check()

  await menu.dialog.getByRole('button', { name: /^Download/ }).click()

  await expect(menu.dialog.getByRole('alert')).toHaveText(
    'The model could not be loaded. Check the connection and try again: what has come already is kept.',
  )
  await expect(menu.button).toHaveText(/Scripted planner/)
  // The browser writes down each request that failed.
  complaints.splice(0)
})

declare global {
  interface Window {
    /** How many engines were started, and how many of them were ended. */
    started: number
    ended: number
    progress: (loaded: number) => void
    RealWorker: typeof Worker
  }
}

/** Runs in the page. The engine calls `dev_sleep`, and answers with its result. */
function provideEngine(): void {
  const adapter = { features: new Set(['shader-f16']), info: { isFallbackAdapter: false } }
  Object.defineProperty(navigator, 'gpu', { value: { requestAdapter: async () => adapter } })
  window.started = 0
  window.ended = 0
  interface Message {
    readonly kind: string
    readonly uuid: string
    readonly content: { readonly request: { readonly messages: readonly object[] } }
  }
  window.RealWorker = window.Worker
  class Engine extends EventTarget {
    onmessage: (event: object) => void = () => {}
    private chunks: object[] = []
    terminate(): void {
      window.ended += 1
    }
    postMessage({ kind, uuid, content }: Message): void {
      const send = (message: object) => setTimeout(() => this.onmessage(message))
      const give = (content: unknown) => send({ kind: 'return', uuid, content })
      if (kind === 'reload') {
        window.started += 1
        window.progress = (progress) => {
          send({ kind: 'initProgressCallback', uuid: '', content: { progress, text: '' } })
          if (progress === 1) give(null)
        }
      } else if (kind === 'chatCompletionStreamInit') {
        const slept = JSON.stringify(content.request.messages.at(-1)).includes('Result of call')
        const calls = [{ tool: 'dev_sleep', arguments: { ms: 1 } }]
        const answer = JSON.stringify(slept ? { say: 'I slept.' } : { say: '', calls })
        const choice = { index: 0, delta: {}, finish_reason: null }
        this.chunks = [...answer].map((letter) => ({
          choices: [{ ...choice, delta: { content: letter } }],
        }))
        this.chunks.push({ choices: [{ ...choice, finish_reason: 'stop' }] })
        give(null)
      } else if (kind === 'completionStreamNextChunk') give(this.chunks.shift())
      else if (!kind.startsWith('set')) give(null)
    }
  }
  window.Worker = new Proxy(window.RealWorker, {
    construct: (_, [url, options]: [URL, WorkerOptions]) =>
      String(url).includes('engine.worker') ? new Engine() : new window.RealWorker(url, options),
  })
}
