import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { requireChromium } from '../scripts/chromium.mjs'
import { chromiumArgs } from '../scripts/chromium-options.mjs'
import { reportChecks } from '../scripts/reports.mjs'
import { sideBySide } from '../scripts/side-by-side.mjs'
import { checkPage } from './check-page.mjs'
import { consumers } from './consumers.mjs'
import { installWithPnpm } from './install-with-pnpm.mjs'
import { packedPackages } from './pack.mjs'
import { versions } from './versions.mjs'

/**
 * `npm run consumers`: the packed packages in a fresh app of each bundler, opened in Chromium.
 *
 * @typedef {import('./consumer.ts').Consumer} Consumer
 * @typedef {{ consumer: Consumer, seconds: number, problems: string[] }} Outcome
 */

const { values } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'boolean', default: false } },
})
const wanted = values.only?.split(',')
const names = new Set(consumers.map(({ name }) => name))
const unknown = wanted?.find((name) => !names.has(name))
const chromiums = unknown === undefined ? await requireChromium() : undefined

if (unknown !== undefined) {
  console.error(`There is no consumer "${unknown}". There are: ${[...names].join(', ')}.`)
  process.exitCode = 2
} else if (!chromiums) {
  process.exitCode = 1
} else {
  const chosen = consumers.filter(({ name }) => !wanted || wanted.includes(name))
  const outcomes = await runAll(chosen, chromiums.CHROMIUM_PATH)
  reportChecks('bundlers.json', outcomes)
  printTable(outcomes)
  process.exitCode = outcomes.every(({ problems }) => problems.length === 0) ? 0 : 1
}

/**
 * @param {readonly Consumer[]} chosen
 * @param {string} executablePath
 */
async function runAll(chosen, executablePath) {
  const workshop = mkdtempSync(join(tmpdir(), 'offthread-consumers-'))
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  try {
    console.log(`Working in ${workshop}`)
    const tarballs = await packedPackages(join(workshop, 'tarballs'))
    return await sideBySide(chosen, availableParallelism(), async (consumer) => {
      const startedAt = performance.now()
      const folder = join(workshop, `${consumer.name}-${consumer.mode}`)
      const problems = await tryOut(consumer, { folder, tarballs, browser })
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      console.log(`${problems.length === 0 ? 'passed' : 'FAILED'}  ${nameOf(consumer)}`)
      return { consumer, seconds, problems }
    })
  } finally {
    await browser.close()
    if (!values.keep) rmSync(workshop, { recursive: true, force: true })
  }
}

/**
 * @param {Consumer} consumer
 * @param {{ folder: string, tarballs: Record<string, string>, browser: import('playwright').Browser }} place
 */
async function tryOut(consumer, { folder, tarballs, browser }) {
  try {
    await installApp(consumer, folder, tarballs)
    const served = await consumer.serve(folder, consumer)
    if (!served) return []
    try {
      return await checkPage(browser, served.url)
    } finally {
      await served.stop()
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/**
 * A new app: nothing is linked, and nothing is found by accident.
 *
 * @param {Consumer} consumer
 * @param {string} folder
 * @param {Record<string, string>} tarballs
 */
async function installApp({ name, template, packages, ...own }, folder, tarballs) {
  const apps = fileURLToPath(new URL('apps/', import.meta.url))
  mkdirSync(folder)
  cpSync(join(apps, template), folder, { recursive: true })
  cpSync(join(apps, 'shared'), join(folder, 'src'), { recursive: true })
  /** @type {Record<string, string>} */
  const dependencies = {}
  for (const [key, path] of Object.entries(tarballs)) {
    if (key === '@offthread/core' || packages.includes('react')) dependencies[key] = `file:${path}`
  }
  for (const [key, version] of Object.entries({ ...versions, ...own.versions })) {
    if (packages.includes(key)) dependencies[key] = version
  }
  await installWithPnpm(folder, { name: `consumer-${name}`, dependencies })
}

/** @param {readonly Outcome[]} outcomes */
function printTable(outcomes) {
  const rows = outcomes.map(({ consumer: { name, mode, csp }, seconds, problems }) => [
    name,
    mode,
    csp,
    problems.length === 0 ? 'passed' : 'FAILED',
    `${seconds} s`,
  ])
  const table = [['bundler', 'mode', 'CSP', 'result', 'time'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((i) => Math.max(...table.map((row) => row[i]?.length ?? 0)))
  console.log()
  for (const row of table) {
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
  for (const { consumer, problems } of outcomes) {
    for (const problem of problems) console.log(`\n${nameOf(consumer)}: ${problem}`)
  }
}

/** @param {Consumer} consumer */
function nameOf({ name, mode }) {
  return `${name} (${mode})`
}
