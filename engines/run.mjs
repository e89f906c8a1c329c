/**
 * `npm run test:engines`: what depends on the browser's engine, tried in Chromium, Firefox and WebKit. Pages of its own
 * run trials and report them; the demo page is used with the mouse and the keys; where engines were found to differ, the
 * tests of the packages run there, too. Fails where one of these fails, and where an engine is missing. `-- --only firefox` tries one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from '../scripts/child.mjs'
import { demoTrials } from './demo.mjs'
import { engines } from './engines.mjs'
import { servePages } from './serve-pages.mjs'

/** @typedef {import('./serve-trials.mjs').Outcome} Outcome */

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
const chosen = engines.filter(({ name }) => only === undefined || name.toLowerCase() === only)
const missing = chosen.filter(({ isThere }) => !isThere)

if (chosen.length === 0 || missing.length > 0) {
  const names = missing.map(({ name }) => name).join(' and ')
  const packages = missing.map((it) => it.packages).join(' ')
  console.error(
    chosen.length === 0
      ? `There is no engine "${only}".`
      : `${names} cannot be started here; on Debian: apt-get install ${packages}`,
  )
  process.exitCode = 1
} else {
  process.exitCode = (await tryAll()) ? 0 : 1
}

async function tryAll() {
  const pages = await servePages()
  let holds = true
  try {
    for (const engine of chosen) holds = (await tryOut(engine, pages)) && holds
  } finally {
    pages.close()
  }
  return holds
}

/**
 * @param {import('./driver.ts').Engine} engine
 * @param {Awaited<ReturnType<typeof servePages>>} pages
 */
async function tryOut(engine, pages) {
  const folder = mkdtempSync(join(tmpdir(), 'offthread-engine-'))
  const driver = await engine.drive(folder)
  try {
    console.log(`\n${driver.engine}`)
    const ofPages = await pages.runTrials(driver)
    for (const outcome of ofPages) print(outcome)
    const ofDemo = await runDemo(driver, pages.demo)
    if ([...ofPages, ...ofDemo].some(({ problem }) => problem !== '')) return false
  } finally {
    await driver.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return runTests(engine.name)
}

/**
 * @param {import('./driver.ts').Driver} driver
 * @param {string} origin
 */
async function runDemo(driver, origin) {
  /** @type {Outcome[]} */
  const outcomes = []
  for (const [name, tryOut] of Object.entries(demoTrials(driver, origin))) {
    const outcome = await tryOut().then(
      (remark) => ({ name, problem: '', remark }),
      (problem) => ({ name, problem: String(problem), remark: '' }),
    )
    outcomes.push(outcome)
    print(outcome)
    // The next ones start where this one has ended.
    if (outcome.problem !== '') break
  }
  return outcomes
}

/** @param {string} name of an engine; `npm test` runs them in Chromium */
async function runTests(name) {
  if (name === 'Chromium') return true
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'engines/vitest.config.ts']
  const args = ['--experimental-websocket', ...vitest]
  return (await run(process.execPath, args, { env: { ENGINE: name } })) === 0
}

/** @param {Outcome} outcome */
function print({ name, problem, remark }) {
  console.log(`${problem === '' ? 'passed' : 'FAILED'}  ${name}  ${problem}${remark}`)
}
