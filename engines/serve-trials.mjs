import { serve } from '../soak/serve.mjs'

/** @typedef {{ readonly name: string, readonly problem: string, readonly remark: string }} Outcome */

/** Milliseconds a page has for all its trials. */
const patienceMs = 300_000

/**
 * Serves a page that runs trials and reports them.
 *
 * @param {Readonly<Record<string, string>>} scripts
 * @param {Readonly<Record<string, string>>} [headers]
 */
export async function serveTrials(scripts, headers = {}) {
  /** @type {Outcome[]} */
  let outcomes = []
  let end = () => {}
  const fail = (/** @type {string} */ problem) => {
    outcomes.push({ name: 'runs to its end', problem, remark: '' })
    end()
  }
  const listeners = {
    '/outcome': (/** @type {unknown} */ posted) => {
      const [name = '', problem = '', remark = ''] = Array.isArray(posted) ? posted.map(String) : []
      outcomes.push({ name, problem, remark })
    },
    '/end': (/** @type {unknown} */ posted) =>
      posted === null ? end() : fail(JSON.stringify(posted)),
  }
  const { origin, close } = await serve(scripts, listeners, headers)
  return {
    close,
    /**
     * Opens the page, and waits until all its trials have ended.
     *
     * @param {import('./driver.ts').Driver} driver
     * @param {string} query
     * @returns {Promise<readonly Outcome[]>}
     */
    run: async (driver, query) => {
      outcomes = []
      const ended = new Promise((resolve) => {
        end = () => resolve(null)
      })
      const late = setTimeout(fail, patienceMs, `it did not within ${patienceMs / 1000} s`)
      await driver.open(`${origin}?${query}`)
      await ended
      clearTimeout(late)
      return outcomes
    },
  }
}
