/**
 * `npm run engines`: what depends on the browser's engine, tried in Chromium, Firefox and WebKit. Each opens a page that
 * runs the trials and reports to this script, so no driver is needed. Fails where a trial fails, and where an engine
 * is missing.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle, serve } from '../soak/serve.mjs'
import { browsers } from './browsers.mjs'

/**
 * @typedef {{ readonly name: string, readonly problem: string, readonly remark: string }} Outcome
 * @typedef {{ readonly engine: string, readonly outcomes: readonly Outcome[] }} Row
 */

/** Milliseconds an engine has for all trials. */
const patienceMs = 180_000

const source = (/** @type {string} */ path) => bundle(new URL(path, import.meta.url))
const worker = await source('./tools.worker.ts')
const isolated = await source('../packages/isolated/src/fixtures/isolated.fixtures.worker.ts')
const outside = await serveOutside()
const assets = await serve(
  { '/tools.js': worker, '/entry.js': "import './tools.js'" },
  {},
  { 'access-control-allow-origin': '*' },
)
const foreign = await source('./foreign-page.ts')
const strict = await Promise.all(
  ['', assets.origin].map((origin) =>
    serve({ '/page.js': foreign }, {}, { 'content-security-policy': policyWith(origin) }),
  ),
)

/** @type {Row[]} */
const rows = []
for (const browser of browsers) {
  const path = browser.find()
  if (path === undefined) {
    console.log(`MISSING ${browser.name}: ${browser.install}`)
    rows.push({ engine: browser.name, outcomes: [failure('is there', browser.install)] })
    continue
  }
  const engine = `${browser.name}, ${browser.version(path)}`
  console.log(`\n${engine}`)
  const outcomes = await tryOut(browser, path)
  rows.push({ engine, outcomes })
  for (const { name, problem, remark } of outcomes) {
    console.log(`${problem === '' ? 'passed' : 'FAILED'}  ${name}  ${problem}${remark}`)
  }
}
for (const server of [outside, assets, ...strict]) server.close()
process.exitCode = rows.every(({ outcomes }) => outcomes.every(({ problem }) => problem === ''))
  ? 0
  : 1

/**
 * @param {import('./browsers.mjs').Browser} browser
 * @param {string} path
 * @returns {Promise<readonly Outcome[]>}
 */
async function tryOut(browser, path) {
  const profile = mkdtempSync(join(tmpdir(), 'offthread-engine-'))
  /** @type {Outcome[]} */
  const outcomes = []
  let end = () => {}
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    end = resolve
  })
  const fail = (/** @type {string} */ problem) => {
    outcomes.push(failure('runs to its end', problem))
    end()
  }
  const page = await serve(
    { '/page.js': await source('./page.ts'), '/tools.js': worker, '/isolated.js': isolated },
    {
      '/outcome': (posted) => void outcomes.push(readOutcome(posted)),
      '/end': (posted) => (posted === null ? end() : fail(JSON.stringify(posted))),
    },
  )
  const query = new URLSearchParams([
    ['outside', outside.origin],
    ['assets', assets.origin],
    ...strict.map(({ origin }) => ['strict', origin]),
  ])
  const url = `${page.origin}?${query}`
  const [program = '', ...args] = browser.command({ path, profile, url })
  // A group of its own, because browsers start others.
  const child = spawn(program, args, {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, HOME: profile },
  })
  const late = setTimeout(() => {
    fail(`it did not within ${patienceMs / 1000} s`)
  }, patienceMs)
  child.on('error', ({ message }) => fail(message))
  try {
    await ended
    return outcomes
  } finally {
    clearTimeout(late)
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    page.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Where nothing of isolated code may arrive. It tells what has. */
async function serveOutside() {
  /** @type {string[]} */
  let arrived = []
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('content-type', 'text/html')
    if (url === '/arrived') {
      response.end(arrived.join('\n'))
      arrived = []
    } else {
      arrived.push(url)
      response.end('<p>outside')
    }
  })
  server.on('upgrade', ({ url = '' }, socket) => {
    arrived.push(url)
    socket.destroy()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    origin: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * @param {unknown} posted
 * @returns {Outcome}
 */
function readOutcome(posted) {
  const [name = '', problem = '', remark = ''] = Array.isArray(posted) ? posted.map(String) : []
  return { name, problem, remark }
}

/**
 * @param {string} name
 * @param {string} problem
 * @returns {Outcome}
 */
function failure(name, problem) {
  return { name, problem, remark: '' }
}

/** @param {string} origin */
function policyWith(origin) {
  const here = "default-src 'self'; script-src 'self'"
  return `${here} ${assets.origin}; worker-src 'self' blob: ${origin}`
}
