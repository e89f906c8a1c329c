/**
 * `npm run bench:texts`: how long a task the worst texts make of a frame of the built demo page. Each text comes as a
 * whole and in pieces, on a page of its own, and is scrolled through. Prints the longest tasks in milliseconds of the
 * thread's own time, so that other work of the machine does not count. `-- 300 SEED`: 300 generated texts more.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { preview } from 'vite'
import { chromiumLaunchOptions } from '../../scripts/chromium-options.mjs'
import { bundle } from '../../soak/serve.mjs'

const [count = 0, seed = Math.floor(Math.random() * 1e6)] = process.argv.slice(2).map(Number)
const demo = fileURLToPath(new URL('../../apps/demo/', import.meta.url))
const code = await bundle(new URL('./texts.ts', import.meta.url))
const { textsToTry } = /** @type {typeof import('./texts.ts')} */ (
  await import(`data:text/javascript,${encodeURIComponent(code)}`)
)

spawnSync('npm', ['run', '--silent', 'build'], { cwd: demo, stdio: 'ignore' })
const server = await preview({ root: demo, preview: { host: '127.0.0.1', port: 4700 } })
const browser = await chromium.launch({ headless: true, ...chromiumLaunchOptions() })
try {
  console.log(`seed ${seed}`)
  for (const { name, text } of textsToTry(count, seed)) {
    const whole = await longestTask(text, 1)
    const growing = await longestTask(text, 60)
    console.log(
      `whole ${whole.toFixed(0).padStart(4)}  growing ${growing.toFixed(0).padStart(4)}  ${name}`,
    )
  }
} finally {
  await browser.close()
  await server.close()
}

/**
 * @param {string} text
 * @param {number} pieces
 */
async function longestTask(text, pieces) {
  const page = await browser.newPage()
  try {
    await page.goto(`${server.resolvedUrls?.local[0]}?dev&delay=0`)
    await page.evaluate(play, { text: 'Warm **up**.', pieces: 3 })
    await page.evaluate((text) => Object.assign(window, { text }), text)
    await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
    await page.evaluate(play, { pieces })
    const trace = String(await browser.stopTracing())
    return longestOf(/** @type {Trace} */ (JSON.parse(trace)))
  } finally {
    await page.close()
  }
}

/**
 * Runs in the page: an answer streams, and is scrolled through. Without a text it is the one of the window.
 *
 * @param {{ text?: string, pieces: number }} played
 */
async function play({ text = String(Reflect.get(window, 'text')), pieces }) {
  const { agent } = /** @type {{ agent: import('../../packages/core/src/index.ts').Agent }} */ (
    Reflect.get(window, 'offthread')
  )
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const identity = { provider: 'bench', id: 'bench' }
  agent.configure({ model: { identity, stream } })
  await agent.prompt('go on')
  const scroller = document.querySelector('[role="log"]')
  for (let height = 0; scroller && height !== scroller.scrollHeight; ) {
    height = scroller.scrollHeight
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  for (let step = 10; scroller && step >= 0; step--) {
    scroller.scrollTop = (scroller.scrollHeight * step) / 10
    await frame()
    await frame()
  }

  /** @returns {AsyncGenerator<import('../../packages/core/src/index.ts').ModelChunk>} */
  async function* stream() {
    const size = Math.ceil(text.length / pieces)
    yield { type: 'text_start', contentIndex: 0 }
    for (let at = 0; at < text.length; at += size) {
      yield { type: 'text_delta', contentIndex: 0, delta: text.slice(at, at + size) }
      await frame()
    }
    yield { type: 'text_end', contentIndex: 0 }
    yield { type: 'finish', stopReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
  }
}

/**
 * @typedef {{ name: string, pid: number, tid: number, tdur?: number, args: { name?: string } }} TraceEvent
 * @typedef {{ traceEvents: TraceEvent[] }} Trace
 * @param {Trace} trace
 */
function longestOf({ traceEvents }) {
  const threadOf = (/** @type {TraceEvent} */ { pid, tid }) => `${pid} ${tid}`
  const pages = traceEvents
    .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
    .map(threadOf)
  const tasks = traceEvents.filter(
    (event) => event.name === 'RunTask' && pages.includes(threadOf(event)),
  )
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
