import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { run } from './child.mjs'
import { requireChromium } from './chromium.mjs'
import { install } from './install.mjs'
import { clearReports, countTests } from './reports.mjs'
import { sideBySide } from './side-by-side.mjs'

/**
 * The fastest rows come first. Each gate is a script of its own in package.json. Those of a row do not need each
 * other and run side by side; a gate that measures time, or needs the whole machine, runs alone.
 */
const rows = [
  ['types', 'pack', 'lint', 'layers', 'unused', 'size'],
  // The first one waits for most of its time: for servers that are killed, leases and credentials that end.
  ['test:fleet', 'test:unit', 'packages', 'test:bundlers', 'test:consumers', 'api'],
  ['test:browser'],
  ['test:e2e'],
]

/** Where the gate `pack` puts what the gates after it use. */
const packed = fileURLToPath(new URL('../.reports/packed/', import.meta.url))

/** @typedef {{ gate: string, code: number, seconds: number, printed: string }} Outcome */

/** Runs every gate; the first row in which one fails is the last. */
export async function runTests() {
  if (!(await install())) return 1
  clearReports()
  // No gate of the first row needs a browser, and to install one takes as long as they do.
  const browsers = requireChromium()
  /** @type {Outcome[]} */
  const outcomes = []
  for (const row of rows) {
    const env = { ...(row !== rows[0] && (await browsers)), PACKED: packed }
    outcomes.push(...(await runRow(row, env)))
    const failed = outcomes.filter(({ code }) => code !== 0)
    for (const { gate, code, printed } of failed) {
      show(gate, printed)
      console.error(`\nFAILED: ${gate} (exit code ${code}). Run it alone: npm run ${gate}`)
    }
    if (failed.length > 0) return 1
    if (!(await browsers)) {
      console.error('\nThe other gates need a Chromium. Why there is none is said further up.')
      return 1
    }
  }
  return closingLines(outcomes)
}

/**
 * A single gate prints as it works. Of several, each prints when it ends; what a failed one printed comes last, where
 * a log that is cut at its beginning still has it.
 *
 * @param {readonly string[]} row
 * @param {NodeJS.ProcessEnv} env
 */
function runRow(row, env) {
  if (row.length === 1) console.log(`\n── ${row[0]}`)
  return sideBySide(row, availableParallelism(), async (gate) => {
    const startedAt = performance.now()
    let printed = ''
    const onText = row.length === 1 ? undefined : (/** @type {string} */ text) => (printed += text)
    const code = await run('npm', ['run', '--silent', gate], { env, ...(onText && { onText }) })
    if (code === 0) show(gate, printed)
    return { gate, code, seconds: (performance.now() - startedAt) / 1000, printed }
  })
}

/**
 * @param {string} gate
 * @param {string} printed empty if it was shown as it came
 */
function show(gate, printed) {
  if (printed !== '') console.log(`\n── ${gate}\n${printed.trimEnd()}`)
}

/** @param {readonly Outcome[]} outcomes */
function closingLines(outcomes) {
  const times = outcomes.map(({ gate, seconds }) => `${gate} ${seconds.toFixed(0)}`)
  console.log(`\nSeconds: ${times.join(', ')}`)
  const { passed, failed, skipped } = countTests()
  if (skipped > 0) console.log(`\n${skipped} skipped`)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? 1 : 0
}
