import { freePort } from '../consumers/serve-folder.mjs'
import { clickAt, keyOf, keysOf } from './actions.mjs'
import { startProgram } from './start-program.mjs'

/**
 * WebKitGTK, by the driver of Debian, which takes classic WebDriver. It has no headless mode.
 *
 * @param {string} folder
 * @returns {Promise<import('./driver.ts').Driver>}
 */
export async function driveWebKit(folder) {
  const port = await freePort()
  const { stop } = await startProgram(
    // It prints nothing when it listens: what is waited for is the first line of its shell.
    ['sh', '-c', `echo started; exec xvfb-run -a WebKitWebDriver --port=${port}`],
    { home: folder, says: /(started)/, env: { JSC_useSharedArrayBuffer: '1' } },
  )
  const origin = `http://127.0.0.1:${port}`
  await until(() => fetch(`${origin}/status`).then(({ ok }) => ok))
  const { sessionId, capabilities } = /** @type {import('./driver.ts').Session} */ (
    await send('POST', `${origin}/session`, { capabilities: {} })
  )
  const session = `${origin}/session/${sessionId}`
  const act = async (/** @type {readonly object[]} */ actions) => {
    await send('POST', `${session}/actions`, { actions })
  }
  return {
    engine: `WebKitGTK ${capabilities.browserVersion}`,
    open: async (url) => {
      await send('POST', `${session}/url`, { url })
    },
    reload: async () => {
      await send('POST', `${session}/refresh`, {})
    },
    evaluate: async (expression) => {
      const script = `return JSON.stringify((${expression}) ?? null)`
      return /** @type {unknown} */ (
        JSON.parse(String(await send('POST', `${session}/execute/sync`, { script, args: [] })))
      )
    },
    click: (place) => act(clickAt(place)),
    type: (text) => act(keysOf(text)),
    press: (key) => act(keyOf(key)),
    close: async () => {
      // Its browser is not in the group of its driver.
      await send('DELETE', session)
      stop()
    },
  }
}

/**
 * @param {'POST' | 'DELETE'} method
 * @param {string} url
 * @param {object} [body]
 * @returns {Promise<unknown>}
 */
async function send(method, url, body) {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { value } = /** @type {{ value: unknown }} */ (await response.json())
  if (response.ok) return value
  throw new Error(`${method} ${url}: ${JSON.stringify(value)}`)
}

/** @param {() => Promise<boolean>} holds */
async function until(holds) {
  for (let i = 0; i < 300; i++) {
    if (await holds().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('WebKitWebDriver did not answer within 30 s.')
}
