import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import type { BrowserProviderOption } from 'vitest/node'
import { browserCommands } from '../scripts/browser-commands.mjs'
import { engines } from './engines.mjs'

/** Tests of the packages that `npm test` runs in Chromium, where engines were found to differ. */
const include = [
  'packages/core/src/storage/**/*.browser.test.ts',
  'packages/core/src/tools/page/cross-origin-worker.browser.test.ts',
  'packages/isolated/src/broker.browser.test.ts',
  'packages/isolated/src/isolated-host.browser.test.ts',
  'packages/isolated/src/relay.browser.test.ts',
]

/**
 * Only Chromium has storage with a quota of its own, and no secure context in isolated frames. Firefox reports a script of
 * another origin later. Texts of 100 GB, posted in one loop, fill the memory of Firefox and of WebKit, which may end the
 * page. What a worker requests in WebKit is only done in its next turn; it compiles and passes WebAssembly always, and
 * copies holes one by one.
 */
const chromiumOnly =
  'the quota has no room|only pages and secure contexts have|the page gets at most 32,000,000 characters'
const elsewhere = {
  Firefox: except('another origin by itself'),
  WebKit: except(
    'stands still|compile|what is refused ends|a message at the top of the script does not hold',
  ),
}

const name = process.env['ENGINE'] === 'WebKit' ? 'WebKit' : 'Firefox'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  optimizeDeps: { include: ['fast-check'] },
  test: {
    // As in `npm test`: only a test that hangs takes this long.
    testTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
    include,
    testNamePattern: elsewhere[name],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      api: { host: '127.0.0.1' },
      commands: browserCommands,
      provider: driven(name),
      instances: [{ browser: 'chromium' }],
    },
  },
})

function except(names: string): RegExp {
  return new RegExp(`^(?!.*(?:${chromiumOnly}|${names}))`)
}

/** One page of an engine, by its own driver. */
function driven(engineName: string): BrowserProviderOption {
  const engine = engines.find((it) => it.name === engineName)
  const folder = mkdtempSync(join(tmpdir(), 'offthread-engine-'))
  let close = async () => {}
  return {
    ...playwright(),
    name: 'driven',
    providerFactory: () => ({
      name: 'driven',
      supportsParallelism: false,
      getCommandsContext: () => ({}),
      openPage: async (_, url) => {
        const driver = await engine?.drive(folder)
        close = async () => driver?.close()
        await driver?.open(url)
      },
      close: async () => {
        await close()
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      },
    }),
  }
}
