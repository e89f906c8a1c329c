/**
 * `npm run soak:memory`: what a page loses when a tool takes all the memory there is. No page can prevent it: this
 * shows what happens in Chromium, and fails when that changes. The log is stored outside the page here; in the page
 * there is only `memoryStorage` today, which is lost with it.
 */
import assert from 'node:assert/strict'
import { setTimeout as pass } from 'node:timers/promises'
import { chromium } from 'playwright'
import { chromiumArgs, chromiumLaunchOptions } from '../scripts/chromium-options.mjs'
import { bundle, serve } from './serve.mjs'

/** Chromium's own limit is near 4 GB, and takes a minute to reach. */
const heapMb = 512
/** Much longer than the tool's `maxSilenceMs`. */
const patienceMs = 15_000
/** Longer than it takes to fill the heap. */
const eatingMs = 60_000

const lost = 'The page is gone.'
const scripts = {
  '/page.js': await bundle(new URL('./memory-page.ts', import.meta.url)),
  '/worker.js': await bundle(new URL('./hungry.worker.ts', import.meta.url)),
}
const interrupted = {
  reason: 'stop',
  status: 'interrupted',
  mayHaveRun: true,
  reads:
    'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.',
}
const nothingKnown = {
  reason: 'stop',
  status: undefined,
  mayHaveRun: undefined,
  reads: undefined,
}
const starved = {
  reason: 'stop',
  outcome: 'failed',
  errorKind: 'crashed',
  reads:
    'The tool crashed (The worker gave no sign of life for 5 s. Its code blocks its thread (then let it await context.yield() now and then, or raise maxSilenceMs), or its process is gone). It may have had partial effects.',
}

await show('3 GB of buffers in a worker: nothing happens', {
  place: 'worker',
  how: 'take buffers',
  check: ({ crashed, result }) => {
    assert.equal(crashed, false)
    assert.deepEqual(result, {
      reason: 'stop',
      outcome: 'succeeded',
      reads: 'took 3221225472 bytes',
    })
  },
})
await show('objects in a worker: the page dies, its log says what was running', {
  place: 'worker',
  how: 'take objects',
  check: ({ crashed, result, beats, lastFact, outside, memory }) => {
    assert.equal(crashed, true)
    assert.equal(result, lost)
    assert.equal(beats, 0)
    assert.equal(lastFact, 'tool_dispatched')
    assert.deepEqual(outside, interrupted)
    assert.deepEqual(memory, nothingKnown)
  },
})
await show('objects in an isolated worker: only its frame dies, the run goes on', {
  place: 'isolated',
  how: 'take objects',
  check: ({ result, beats, lastFact }) => {
    assert.deepEqual(result, starved)
    assert.ok(beats > 0, 'The page has to live on.')
    assert.equal(lastFact, 'agent_end')
  },
})

/**
 * @typedef {object} Seen
 * @property {boolean} crashed what the browser says, of the page or a frame of it
 * @property {unknown} result what the run came to, and what the model read
 * @property {number} beats of the page's heart after the crash
 * @property {unknown} lastFact the last event of the log before it was opened again
 * @property {unknown} outside what another page finds in the log
 * @property {unknown} memory what another page finds in its own memory
 */

/**
 * @param {string} title
 * @param {{ place: string, how: string, check: (seen: Seen) => void }} scene
 */
async function show(title, { place, how, check }) {
  const seen = await observe(place, how)
  console.log(`\n${title}`)
  console.log(seen)
  check(seen)
}

/**
 * @param {string} place
 * @param {string} how
 * @returns {Promise<Seen>}
 */
async function observe(place, how) {
  /** @type {unknown[]} */
  const log = []
  let beats = 0
  /** @type {(result: unknown) => void} */
  let end = () => {}
  /** @type {Promise<unknown>} */
  const ended = new Promise((resolve) => {
    end = resolve
  })
  const server = await serve(scripts, {
    '/load': () => log,
    '/append': (posted) => {
      assert.equal(fieldOf(posted, 'head'), log.length)
      const events = fieldOf(posted, 'events')
      assert.ok(Array.isArray(events))
      for (const event of events) log.push(event)
    },
    '/beat': () => {
      beats += 1
    },
    '/ended': (result) => end(result),
  })
  const browser = await chromium.launch({
    ...chromiumLaunchOptions(),
    args: [...chromiumArgs, `--js-flags=--max-old-space-size=${heapMb}`],
  })
  try {
    const page = await browser.newPage()
    await page.goto(server.origin)
    const crash = new Promise((resolve) => page.on('crash', () => resolve('crash')))
    // A page that dies never answers.
    page.evaluate(`eat('${place}', '${how}')`).catch(() => {})
    /** @type {unknown} */
    const first = await Promise.race([crash, ended, pass(eatingMs, 'nothing', { ref: false })])
    assert.notEqual(first, 'nothing', 'It neither crashed nor ended.')
    beats = 0
    /** @type {unknown} */
    const result = await Promise.race([ended, pass(patienceMs, lost, { ref: false })])
    const lastFact = fieldOf(log.at(-1), 'type')
    // In place of a reload: Playwright drives no tab again that has crashed.
    const next = await browser.newPage()
    await next.goto(server.origin)
    /** @type {unknown} */
    const outside = await next.evaluate(`reopen('outside')`)
    /** @type {unknown} */
    const memory = await next.evaluate(`reopen('memory')`)
    return { crashed: first === 'crash', result, beats, lastFact, outside, memory }
  } finally {
    await browser.close()
    server.close()
  }
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
function fieldOf(value, name) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
