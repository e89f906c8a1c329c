import { mkdirSync, readFileSync, rmSync } from 'node:fs'

const folder = new URL('../.reports/', import.meta.url)
const reports = ['unit.json', 'browser.json', 'e2e.json']

/** Yesterday's numbers must not be counted today. What else lies there may be in use. */
export function clearReports() {
  mkdirSync(folder, { recursive: true })
  for (const name of reports) rmSync(new URL(name, folder), { force: true })
}

/**
 * What the runners themselves wrote down. A missing report throws: no report, no number.
 *
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @returns {Counts}
 */
export function countTests() {
  const counts = [vitestCounts('unit.json'), vitestCounts('browser.json'), playwrightCounts()]
  return counts.reduce((sum, one) => ({
    passed: sum.passed + one.passed,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }))
}

/**
 * @typedef {Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number>} VitestReport
 *
 * @param {string} name
 * @returns {Counts}
 */
function vitestCounts(name) {
  const report = /** @type {VitestReport} */ (readReport(name))
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * @typedef {Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>} PlaywrightStats
 *
 * @returns {Counts}
 */
function playwrightCounts() {
  const { stats } = /** @type {{ stats: PlaywrightStats }} */ (readReport('e2e.json'))
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
}

/**
 * @param {string} name
 * @returns {unknown}
 */
function readReport(name) {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
}
