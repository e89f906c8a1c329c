/**
 * `npm run soak:workers`: starts and ends 1,000 workers in a page, and fails if anything is left of them. The heap
 * may grow by 1 kB a cycle, fitted over the last 800.
 */
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../scripts/chromium-options.mjs'
import { bundle, serve } from './serve.mjs'

/**
 * @typedef {import('playwright').Page} Page
 * @typedef {import('playwright').CDPSession} Session
 * @typedef {Record<string, number>} Left
 */

const cycles = 1000
const step = 50
const fitted = 800
const maxSlope = 1000

const server = await serve({
  '/page.js': await bundle(new URL('./page.ts', import.meta.url)),
  '/worker.js': await bundle(
    new URL('../packages/core/src/tools/fixtures/faults.fixtures.worker.ts', import.meta.url),
  ),
})
const browser = await chromium.launch(chromiumLaunchOptions())
try {
  process.exitCode = (await soak()) ? 0 : 1
} finally {
  await browser.close()
  server.close()
}

async function soak() {
  const page = await browser.newPage()
  await page.goto(server.origin)
  const devtools = await page.context().newCDPSession(page)
  const targets = await browser.newBrowserCDPSession()
  const left = () => countLeft(devtools, targets)

  const before = await left()
  await requireSight(page, left)
  const heap = await measureHeap(page, devtools)
  const after = await left()
  const slope = slopeOf(heap.filter(({ cycle }) => cycle >= cycles - fitted))

  console.log(
    `\nslope over the last ${fitted} cycles: ${slope.toFixed(1)} bytes, at most ${maxSlope}`,
  )
  console.log('left of        before   after')
  const leaks = Object.entries(after).filter(([name, count]) => {
    console.log(
      `${name.padEnd(14)} ${String(before[name]).padStart(6)} ${String(count).padStart(7)}`,
    )
    return count > (before[name] ?? 0)
  })
  const holds = slope <= maxSlope && leaks.length === 0
  console.log(holds ? '\nNothing is left.' : '\nFAILED: something is left.')
  return holds
}

/**
 * First proves that the counters see one live worker and two ports; otherwise they would find nothing left of a
 * thousand.
 * @param {Page} page
 * @param {() => Promise<Left>} left
 */
async function requireSight(page, left) {
  await page.evaluate(`{
    const { port1, port2 } = new MessageChannel()
    seen = [new Worker('/worker.js', { type: 'module' }), port1, port2]
  }`)
  const there = await left()
  await page.evaluate('seen[0].terminate(), (seen = null)')
  if (there['worker targets'] !== 1 || there['Worker'] !== 1 || there['MessagePort'] !== 2) {
    throw new Error(`This browser does not show what is left: ${JSON.stringify(there)}`)
  }
}

/**
 * Starts and ends workers; returns the size of the heap on the way, in bytes.
 * @param {Page} page
 * @param {Session} devtools
 */
async function measureHeap(page, devtools) {
  const heap = []
  for (let cycle = step; cycle <= cycles; cycle += step) {
    await page.evaluate(`spawnAndKill(${step})`)
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize: bytes } = await devtools.send('Runtime.getHeapUsage')
    heap.push({ cycle, bytes })
    console.log(`${String(cycle).padStart(5)} cycles ${(bytes / 1000).toFixed(1).padStart(9)} kB`)
  }
  return heap
}

/**
 * @param {Session} devtools
 * @param {Session} targets
 * @returns {Promise<Left>} what is there after a collection
 */
async function countLeft(devtools, targets) {
  await devtools.send('HeapProfiler.collectGarbage')
  const { targetInfos } = await targets.send('Target.getTargets', { filter: [{}] })
  return {
    'worker targets': targetInfos.filter(({ type }) => type === 'worker').length,
    Worker: await countInstances(devtools, 'Worker'),
    MessagePort: await countInstances(devtools, 'MessagePort'),
  }
}

/**
 * @param {Session} devtools
 * @param {string} name of a class of the page
 */
async function countInstances(devtools, name) {
  const objectGroup = 'soak'
  const prototype = await devtools.send('Runtime.evaluate', {
    expression: `${name}.prototype`,
    objectGroup,
  })
  const { objects } = await devtools.send('Runtime.queryObjects', {
    prototypeObjectId: prototype.result.objectId ?? '',
    objectGroup,
  })
  const length = await devtools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length }',
    returnByValue: true,
  })
  await devtools.send('Runtime.releaseObjectGroup', { objectGroup })
  return Number(length.result.value)
}

/**
 * The line that fits best.
 * @param {readonly { cycle: number, bytes: number }[]} heap
 */
function slopeOf(heap) {
  const mean = (/** @type {readonly number[]} */ values) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = mean(heap.map(({ cycle }) => cycle))
  const level = mean(heap.map(({ bytes }) => bytes))
  const rise = heap.reduce((sum, { cycle, bytes }) => sum + (cycle - middle) * (bytes - level), 0)
  const run = heap.reduce((sum, { cycle }) => sum + (cycle - middle) ** 2, 0)
  return rise / run
}
