import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { createServer } from 'vite'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { offthread } from '../packages/core/src/vite.ts'
import { chromiumLaunchOptions } from '../scripts/chromium-options.mjs'
import { bundleCore } from './bundle-core.mjs'

/**
 * @typedef {{ ask: () => Promise<{ said: string, messages: number }> }} PageScope
 */

const root = fileURLToPath(new URL('..', import.meta.url))
/** Long enough for a busy machine, and less than the 30 s after which a waiting worker is ended. */
const patience = { timeout: 20_000 }
/** @type {import('playwright').Browser} */
let browser
/** Where the core lies, in few files. */
let core = ''

beforeAll(async () => {
  core = mkdtempSync(join(tmpdir(), 'offthread-core-'))
  await bundleCore(core, ['index', 'worker', 'testing', 'json-schema'])
  browser = await chromium.launch(chromiumLaunchOptions())
  return async () => {
    await browser.close()
    rmSync(core, { recursive: true })
  }
})

test('a change of a module that only the worker loads keeps the page, and the next call runs it', async () => {
  const app = await openApp([offthread()])
  expect(await app.ask()).toEqual({ said: 'first', messages: 3 })
  await app.oneWaits(2)

  await app.edit('greeting.js', 'first', 'second')
  await app.noneWaits()

  expect(await app.ask()).toEqual({ said: 'second', messages: 6 })
  expect(app.navigations()).toBe(1)
})

test('so does a change of the script of the worker', async () => {
  const app = await openApp([offthread()])
  await app.ask()
  await app.oneWaits(2)

  await app.edit('greet.worker.js', '() => greeting', "() => 'changed'")
  await app.noneWaits()

  expect(await app.ask()).toEqual({ said: 'changed', messages: 6 })
  expect(app.navigations()).toBe(1)
})

test('a second change is applied, too, and no old worker stays', async () => {
  const app = await openApp([offthread()])
  await app.ask()
  await app.oneWaits(2)
  await app.edit('greeting.js', 'first', 'second')
  await app.noneWaits()
  await app.ask()
  await app.oneWaits(4)

  await app.edit('greeting.js', 'second', 'third')
  await app.noneWaits()

  expect(await app.ask()).toEqual({ said: 'third', messages: 9 })
  expect(app.navigations()).toBe(1)
})

test('a mistake that is corrected leaves no overlay on the page', async () => {
  const app = await openApp([offthread()])
  await app.ask()
  await app.oneWaits(2)
  await app.edit('greeting.js', "'first'", "'first")
  await app.noneWaits()
  await app.ask()
  await app.overlays(1)

  await app.edit('greeting.js', "'first", "'mended'")
  await app.overlays(0)

  expect(await app.ask()).toMatchObject({ said: 'mended' })
  expect(app.navigations()).toBe(1)
})

test('a change of what the page loads, too, reloads it', async () => {
  const app = await openApp([offthread()])
  await app.ask()

  const reloaded = app.nextLoad()
  await app.edit('tools.js', 'Greets.', 'Greets politely.')
  await reloaded

  expect(await app.ask()).toEqual({ said: 'first', messages: 3 })
})

test('a change of the agent reloads a page whose view would take the change and make a second agent', async () => {
  const app = await openApp([offthread()])
  await app.ask()

  const reloaded = app.nextLoad()
  await app.edit('main.js', 'Done.', 'Made.')
  await reloaded

  expect(await app.ask()).toEqual({ said: 'first', messages: 3 })
})

test('a framework that reloads what has changed is not told of the code of workers', async () => {
  const app = await openApp([reloadsWhatHasChanged, offthread()])
  expect(await app.ask()).toEqual({ said: 'first', messages: 3 })
  await app.oneWaits(2)

  await app.edit('greeting.js', 'first', 'second')
  await app.noneWaits()

  expect(await app.ask()).toEqual({ said: 'second', messages: 6 })
  expect(app.navigations()).toBe(1)
})

test('without the plugin every change of a tool reloads the page', async () => {
  const app = await openApp([])
  await app.ask()

  const reloaded = app.nextLoad()
  await app.edit('greeting.js', 'first', 'second')
  await reloaded

  expect(await app.ask()).toEqual({ said: 'second', messages: 3 })
})

/**
 * As React Router does in its dev server.
 *
 * @type {import('vite').Plugin}
 */
const reloadsWhatHasChanged = {
  name: 'reloads-what-has-changed',
  hotUpdate({ server, modules }) {
    for (const module of modules) void server.environments.client.reloadModule(module)
  },
}

/**
 * A page on a Vite server of its own.
 *
 * @param {import('vite').Plugin[]} plugins
 */
async function openApp(plugins) {
  const folder = mkdtempSync(join(tmpdir(), 'offthread-edited-'))
  cpSync(join(root, 'consumers/apps/edited'), folder, { recursive: true })
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins,
    resolve: {
      alias: [
        { find: /^@offthread\/core\/(.*)/, replacement: `${core}/$1.js` },
        { find: '@offthread/core', replacement: `${core}/index.js` },
      ],
    },
    server: { host: '127.0.0.1', port: 0, fs: { allow: [folder, core] } },
    // All dependencies are optimized already; `npm run consumers` tests whether finding a new one reloads a page.
    optimizeDeps: { noDiscovery: true },
  })
  await server.listen()
  const page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  onTestFinished(async () => {
    await page.close()
    await server.close()
    rmSync(folder, { recursive: true })
  })
  let navigations = 0
  let started = 0
  page.on('framenavigated', () => navigations++)
  page.on('worker', () => started++)
  await page.goto(server.resolvedUrls?.local[0] ?? '')
  await page.waitForFunction(() => 'ask' in globalThis)

  return {
    ask: async () => {
      await page.waitForFunction(() => 'ask' in globalThis)
      return page.evaluate(() =>
        /** @type {PageScope} */ (/** @type {unknown} */ (globalThis)).ask(),
      )
    },
    /**
     * Resolves when the worker for the next call has been started, and those of all calls before are gone.
     * @param {number} startedSoFar
     */
    oneWaits: async (startedSoFar) => {
      await expect.poll(() => started, patience).toBe(startedSoFar)
      await expect.poll(() => page.workers().length, patience).toBe(1)
    },
    noneWaits: () => expect.poll(() => page.workers().length, patience).toBe(0),
    /** @type {(count: number) => Promise<void>} Vite's overlays with error reports. */
    overlays: (count) =>
      expect.poll(() => page.locator('vite-error-overlay').count(), patience).toBe(count),
    navigations: () => navigations,
    nextLoad: () => page.waitForEvent('load'),
    /** @type {(file: string, from: string, to: string) => Promise<void>} */
    edit: async (file, from, to) => {
      const path = join(folder, 'src', file)
      const text = readFileSync(path, 'utf8')
      expect(text).toContain(from)
      writeFileSync(path, text.replace(from, to))
    },
  }
}
