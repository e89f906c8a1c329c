import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clickAt, keyOf, keysOf } from './actions.mjs'
import { startProgram } from './start-program.mjs'

/** It asks servers for experiments and settings otherwise. */
const quiet = `
user_pref('app.normandy.enabled', false);
user_pref('datareporting.policy.dataSubmissionEnabled', false);
user_pref('services.settings.server', 'data:,');
`

/**
 * Firefox, by WebDriver BiDi: it has that itself, without a program between.
 *
 * @param {string} path
 * @param {string} folder
 * @returns {Promise<import('./driver.ts').Driver>}
 */
export async function driveFirefox(path, folder) {
  writeFileSync(join(folder, 'user.js'), quiet)
  const profile = ['--no-remote', '--profile', folder]
  const { said, stop } = await startProgram(
    [path, '--headless', ...profile, '--remote-debugging-port', '0'],
    { home: folder, says: /WebDriver BiDi listening on (ws:\S+)/ },
  )
  const send = await connect(`${said}/session`)
  const { capabilities } = /** @type {import('./driver.ts').Session} */ (
    await send('session.new', { capabilities: {} })
  )
  const { contexts } = /** @type {{ contexts: [{ context: string }] }} */ (
    await send('browsingContext.getTree', {})
  )
  const [{ context }] = contexts
  const act = async (/** @type {readonly object[]} */ actions) => {
    await send('input.performActions', { context, actions })
  }
  return {
    engine: `Firefox ${capabilities.browserVersion}`,
    open: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    reload: async () => {
      await send('browsingContext.reload', { context, wait: 'complete' })
    },
    evaluate: async (expression) => {
      const given = { expression: `JSON.stringify((${expression}) ?? null)`, awaitPromise: false }
      const outcome = /** @type {Evaluated} */ (
        await send('script.evaluate', { ...given, target: { context } })
      )
      if (outcome.type === 'success')
        return /** @type {unknown} */ (JSON.parse(String(outcome.result.value)))
      throw new Error(outcome.exceptionDetails.text)
    },
    click: (place) => act(clickAt(place)),
    type: (text) => act(keysOf(text)),
    press: (key) => act(keyOf(key)),
    close: async () => stop(),
  }
}

/**
 * @typedef {{ type: 'success', result: { value: string } }
 *   | { type: 'exception', exceptionDetails: { text: string } }} Evaluated
 */

/**
 * @param {string} address
 * @returns {Promise<(method: string, params: object) => Promise<unknown>>}
 */
async function connect(address) {
  const socket = new WebSocket(address)
  /** @type {Map<number, (answer: Answer) => void>} */
  const waiting = new Map()
  socket.addEventListener('message', ({ data }) => {
    const answer = /** @type {Answer} */ (JSON.parse(String(data)))
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  await once(socket, 'open')
  let sent = 0
  return async (method, params) => {
    const id = ++sent
    /** @type {Promise<Answer>} */
    const answered = new Promise((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const answer = await answered
    if (answer.type === 'success') return answer.result
    throw new Error(`${method}: ${answer.message}`)
  }
}

/**
 * @typedef {{ id: number, type: 'success', result: unknown }
 *   | { id: number, type: 'error', message: string }} Answer
 */
