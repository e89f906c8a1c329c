/**
 * `npm run bench:workers`: what a call in a worker costs, against a raw `new Worker` and `postMessage` in the same page
 * and the same run. Prints what each goal is and whether it is met, and fails when one is missed by far. Seven minutes;
 * `-- dispatch results` measures these parts only. `part-names.mjs` lists them.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { chromiumArgs, chromiumLaunchOptions } from '../../scripts/chromium-options.mjs'
import { bundle, serve } from '../../soak/serve.mjs'
import { partNames } from './part-names.mjs'

const headers = {
  // Cached, as the assets of a page are.
  'cache-control': 'public, max-age=31536000, immutable',
  // Without these a page's clock counts in steps of 0.1 ms, longer than what is measured here.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !partNames.some((part) => part === name))

if (unknown === undefined) {
  process.exitCode = (await bench()) ? 0 : 1
} else {
  console.error(`There is no part "${unknown}". There are: ${partNames.join(', ')}.`)
  process.exitCode = 2
}

/** @returns {Promise<boolean>} what it came to */
async function bench() {
  const scripts = {
    '/page.js': await minified('./page.ts'),
    '/tools.js': await minified('./tools.worker.ts'),
    '/counted-tools.js': await minified('./counted-tools.worker.ts'),
    '/checking-raw.js': await minified('./checking-raw.worker.ts'),
    '/raw.js': await minified('./raw.worker.ts'),
  }
  /** @type {(reported: unknown) => void} */
  let receive = () => {}
  const server = await serve(scripts, { '/report': (reported) => receive(reported) }, headers)
  const profile = await mkdtemp(join(tmpdir(), 'bench-workers-'))
  const browser = startBrowser(profile, `${server.origin}?only=${wanted.join(',')}`)
  const exit = new Promise((resolve) => browser.on('close', resolve))
  try {
    return await new Promise((resolve, reject) => {
      browser.on('error', reject)
      browser.on('close', () => reject(new Error('The browser has ended.')))
      receive = (reported) => {
        if (typeof reported === 'string') console.log(reported)
        else if (typeof reported === 'boolean') resolve(reported)
        else reject(new Error(`The page failed: ${JSON.stringify(reported)}`))
      }
    })
  } finally {
    browser.kill()
    await exit
    server.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** @param {string} file beside this one */
function minified(file) {
  return bundle(new URL(file, import.meta.url), { minify: true })
}

/**
 * The browser is not driven by developer tools, which would pause it at each start of a worker.
 * @param {string} profile a folder
 * @param {string} address
 */
function startBrowser(profile, address) {
  const { executablePath = chromium.executablePath() } = chromiumLaunchOptions()
  return spawn(
    executablePath,
    [
      '--headless',
      ...chromiumArgs,
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      address,
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
}
