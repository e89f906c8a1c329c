/**
 * @typedef {{ name: string, status: string, how?: string, value?: unknown, text: string }} Call
 * @typedef {{ reasons: string[], errors: string[], calls: Call[] }} Report
 * @typedef {{ runScenario: () => Promise<Report>, workers: { started: number, live: number } }} PageScope
 */

/**
 * Opens the page, runs the scenario in it, and reports what is not as expected.
 *
 * @param {import('playwright').Browser} browser
 * @param {string} url
 * @returns {Promise<string[]>} the problems; none is how it should be
 */
export async function checkPage(browser, url) {
  const page = await browser.newPage()
  /** @type {string[]} */
  const said = []
  page.on('pageerror', ({ message }) => said.push(`page error: ${message}`))
  page.on('console', (message) => {
    if (message.type() === 'error')
      said.push(`console: ${message.text()} (${message.location().url})`)
  })
  try {
    await page.addInitScript({ content: countWorkers })
    await page.goto(url)
    await page
      .waitForFunction(() => 'runScenario' in globalThis, undefined, { timeout: 30_000 })
      .catch(() => Promise.reject(new Error('The page was not ready within 30 s.')))
    const report = await page.evaluate(runAndCount)
    // In Chromium a killed thread that computes runs on for two seconds.
    const isEmpty = () => page.workers().length === 0
    for (let i = 0; i < 100 && !isEmpty(); i++) await page.waitForTimeout(100)
    return [...problemsOf(report), ...(isEmpty() ? [] : ['A worker is left.']), ...said]
  } catch (error) {
    return [error instanceof Error ? error.message : String(error), ...said]
  } finally {
    await page.close()
  }
}

/** Runs in the page, before its own scripts. */
const countWorkers = `
  globalThis.workers = { started: 0, live: 0 }
  globalThis.Worker = class extends Worker {
    isLive = true
    constructor(...given) {
      super(...given)
      workers.started++
      workers.live++
    }
    terminate() {
      if (this.isLive) workers.live--
      this.isLive = false
      super.terminate()
    }
  }
`

async function runAndCount() {
  const scope = /** @type {PageScope} */ (/** @type {unknown} */ (globalThis))
  /** @type {Promise<never>} */
  const tooLate = new Promise((_, reject) =>
    setTimeout(() => reject(new Error('The scenario did not end within 60 s.')), 60_000),
  )
  const report = await Promise.race([scope.runScenario(), tooLate])
  return { ...report, workers: scope.workers }
}

/** @param {Report & { workers: { started: number, live: number } }} report */
function problemsOf({ reasons, errors, calls, workers }) {
  const [sum, doubled, loop] = calls
  /** @type {[boolean, string][]} */
  const checks = [
    [hasSucceeded(sum, { sum: 499_500 }), `The tool that computes: ${JSON.stringify(sum)}`],
    [hasSucceeded(doubled, { doubled: 42 }), `The lazy tool: ${JSON.stringify(doubled)}`],
    [
      loop?.how === 'terminated' && reasons[1] === 'aborted',
      `The endless loop: ${JSON.stringify({ reasons, loop })}`,
    ],
    [calls.length === 3, `${calls.length} calls instead of 3.`],
    [workers.started === 3, `${workers.started} workers were started instead of 3.`],
    [workers.live === 0, `${workers.live} workers were not terminated.`],
  ]
  return [...errors, ...checks.flatMap(([holds, problem]) => (holds ? [] : [problem]))]
}

/**
 * @param {Call | undefined} call
 * @param {unknown} value
 */
function hasSucceeded(call, value) {
  return call?.status === 'succeeded' && JSON.stringify(call.value) === JSON.stringify(value)
}
