import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const folder = new URL('../.reports/', import.meta.url)

/** What writes each report, and how that is read. */
const readers = {
  'unit.json': vitestCounts,
  'browser.json': vitestCounts,
  'consumers.json': vitestCounts,
  'fleet.json': vitestCounts,
  'packages.json': checkCounts,
  'bundlers.json': checkCounts,
  'e2e.json': playwrightCounts,
}

/** Old reports must not be counted again. Other files in the folder may be in use. */
export function clearReports() {
  mkdirSync(folder, { recursive: true })
  for (const name of Object.keys(readers)) rmSync(new URL(name, folder), { force: true })
}

/**
 * Writes the findings of the project's own checks, as test runners write theirs.
 *
 * @param {'packages.json' | 'bundlers.json'} name
 * @param {readonly { readonly problems: readonly string[] }[]} outcomes
 */
export function reportChecks(name, outcomes) {
  const passed = outcomes.filter(({ problems }) => problems.length === 0).length
  mkdirSync(folder, { recursive: true })
  const text = JSON.stringify({ passed, failed: outcomes.length - passed, skipped: 0 })
  writeFileSync(new URL(name, folder), text)
}

/**
 * Writes that tests could not run, as Vitest would.
 *
 * @param {'fleet.json'} name
 */
export function reportNoTests(name) {
  const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(name, folder), JSON.stringify(none))
}

/**
 * The counts of all reports. A missing report throws, so that no number is made up.
 *
 * @returns {Counts}
 */
export function countTests() {
  const counts = Object.entries(readers).map(([name, read]) => read(readReport(name)))
  return counts.reduce((sum, one) => ({
    passed: sum.passed + one.passed,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }))
}

/**
 * @param {string} name
 * @returns {unknown}
 */
function readReport(name) {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
}

/**
 * @typedef {Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number>} VitestReport
 *
 * @param {unknown} report
 * @returns {Counts}
 */
function vitestCounts(report) {
  const counts = /** @type {VitestReport} */ (report)
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests,
    skipped: counts.numPendingTests + counts.numTodoTests,
  }
}

/**
 * @typedef {Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>} PlaywrightStats
 *
 * @param {unknown} report
 * @returns {Counts}
 */
function playwrightCounts(report) {
  const { stats } = /** @type {{ stats: PlaywrightStats }} */ (report)
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
}

/**
 * @param {unknown} report
 * @returns {Counts}
 */
function checkCounts(report) {
  return /** @type {Counts} */ (report)
}
