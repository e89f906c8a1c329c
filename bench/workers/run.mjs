/**
 * `npm run bench:workers`: what a call in a worker costs, against a raw `new Worker` and `postMessage` in the same page
 * and the same run. Prints what each goal is and whether it is met, and fails when one is missed by far. Seven minutes;
 * `-- dispatch results` measures these parts only: dispatch, pre-spawn, results, updates, flood, kill, slots.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { chromiumArgs, chromiumLaunchOptions } from '../../scripts/chromium-options.mjs'
import { bundle, serve } from './serve.mjs'

/** @type {(told: unknown) => void} */
let hear = () => {}
const scripts = {
  '/page.js': await bundle('./page.ts'),
  '/tools.js': await bundle('./tools.worker.ts'),
  '/counted-tools.js': await bundle('./counted-tools.worker.ts'),
  '/checking-raw.js': await bundle('./checking-raw.worker.ts'),
  '/raw.js': await bundle('./raw.worker.ts'),
}
const server = await serve(scripts, (told) => hear(told))
const profile = await mkdtemp(join(tmpdir(), 'bench-workers-'))
const { executablePath = chromium.executablePath() } = chromiumLaunchOptions()
// Nothing drives this browser: developer tools would stop at every start of a worker.
const browser = spawn(
  executablePath,
  [
    '--headless',
    ...chromiumArgs,
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `${server.origin}?only=${process.argv.slice(2).join(',')}`,
  ],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
)
const exit = new Promise((resolve) => browser.on('close', resolve))
try {
  process.exitCode = (await told()) ? 0 : 1
} finally {
  browser.kill()
  await exit
  server.close()
  await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** Prints what the page says until it is done. @returns {Promise<boolean>} what it came to */
function told() {
  return new Promise((resolve, reject) => {
    browser.on('error', reject)
    browser.on('close', () => reject(new Error(`${executablePath} has ended.`)))
    hear = (one) => {
      if (typeof one === 'string') console.log(one)
      else if (typeof one === 'boolean') resolve(one)
      else reject(new Error(`The page failed: ${JSON.stringify(one)}`))
    }
  })
}
