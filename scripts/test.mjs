import { run } from './child.mjs'
import { requireChromium } from './chromium.mjs'
import { install } from './install.mjs'
import { clearReports, countTests } from './reports.mjs'

/** In the order of what answers soonest. Each is a script of its own in package.json. */
const steps = ['types', 'lint', 'layers', 'unused', 'size', 'test:unit', 'test:browser', 'test:e2e']

/** Runs every gate; the first that fails ends the run. */
export async function runTests() {
  if (!(await install())) return 1
  const chromium = await requireChromium()
  if (!chromium) return 1
  clearReports()
  for (const step of steps) {
    console.log(`\n── ${step}`)
    const code = await run('npm', ['run', '--silent', step], { env: { CHROMIUM_PATH: chromium } })
    if (code !== 0) {
      console.error(`\nFAILED: ${step} (exit code ${code}). Run it alone: npm run ${step}`)
      return 1
    }
  }
  return closingLine()
}

function closingLine() {
  const { passed, failed, skipped } = countTests()
  if (skipped > 0) console.log(`\n${skipped} skipped`)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? 1 : 0
}
