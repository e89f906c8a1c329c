/**
 * `npm run bench:stream`: what a piece of a streaming answer costs the page's thread, state and hook alone (nothing is
 * drawn), beside a store that only appends a string. Prints µs net per delta and the ratio to that floor at several
 * lengths of the history, and fails when a goal is missed by far. Three minutes. `-- 1000` measures that length only.
 */
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/chromium-options.mjs'
import { bundle, serve } from '../../soak/serve.mjs'

const deltas = 3_000
const rounds = 7
const lengths = process.argv.slice(2).map(Number)
if (lengths.length === 0) lengths.push(0, 1_000, 10_000)
const names = /** @type {const} */ (['none', 'floor', 'ours', 'ours, 50 ms'])

/** Goals, in multiples of the floor and of the shortest history. A miss by more than a quarter fails the run. */
const goals = { ratio: 4, growth: 1.3 }

const script = await bundle(new URL('./page.ts', import.meta.url), { minify: true })
const server = await serve({ '/page.js': script })
const browser = await chromium.launch({ headless: true, ...chromiumLaunchOptions() })
try {
  const times = await measure()
  process.exitCode = report(times) ? 0 : 1
} finally {
  await browser.close()
  server.close()
}

/** @typedef {{ micros: number[], renders: number[] }} Times */

/** Interleaved, so that other load of the machine affects all contestants alike. */
async function measure() {
  /** @type {Map<string, Times>} */
  const times = new Map()
  for (let round = 0; round < rounds; round++) {
    for (const length of lengths) {
      for (const name of names) {
        const { seconds, renders } = await playOnce(name, length)
        const known = times.get(key(name, length)) ?? { micros: [], renders: [] }
        known.micros.push((seconds * 1e6) / deltas)
        known.renders.push(renders)
        times.set(key(name, length), known)
      }
    }
  }
  return times
}

/**
 * One answer on a page of its own, after one that warms it up.
 *
 * @param {string} name
 * @param {number} length
 */
async function playOnce(name, length) {
  const page = await browser.newPage()
  try {
    await page.goto(server.origin)
    const devtools = await page.context().newCDPSession(page)
    // CPU time of the thread, without waiting for a core.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.evaluate(`benchStream.open(${JSON.stringify(name)}, ${length})`)
    await page.evaluate('benchStream.play()')
    await devtools.send('HeapProfiler.collectGarbage')
    const before = await taskSeconds(devtools)
    const renders = Number(await page.evaluate('benchStream.play()'))
    return { seconds: (await taskSeconds(devtools)) - before, renders }
  } finally {
    await page.close()
  }
}

/** Includes microtasks, which script time alone leaves out. */
async function taskSeconds(/** @type {import('playwright').CDPSession} */ devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

/** @param {Map<string, Times>} times */
function report(times) {
  const of = (/** @type {string} */ name, /** @type {number} */ length) =>
    times.get(key(name, length)) ?? { micros: [], renders: [] }
  // Net by round: the cost of the source in the same round is subtracted.
  const net = (/** @type {string} */ name, /** @type {number} */ length) =>
    median(of(name, length).micros.map((time, i) => time - (of('none', length).micros[i] ?? 0)))
  console.log(
    `${browser.version()}, ${rounds} rounds, medians; µs net per delta (renders), × floor`,
  )
  console.log('messages before'.padEnd(18), ...names.slice(1).map((name) => name.padStart(26)))
  for (const length of lengths) {
    const cells = names.slice(1).map((name) => {
      const micros = net(name, length)
      const renders = median(of(name, length).renders)
      const ratio = name === 'floor' ? '' : ` ${(micros / net('floor', length)).toFixed(2)} ×`
      return `${micros.toFixed(2)} (${renders})${ratio}`.padStart(26)
    })
    console.log(String(length).padEnd(18), ...cells)
  }
  const [first = 0] = lengths
  const last = lengths.at(-1) ?? 0
  return [
    ...lengths.map((length) =>
      judge(
        `a delta after ${length} messages`,
        net('ours', length) / net('floor', length),
        goals.ratio,
      ),
    ),
    ...(last === first
      ? []
      : [
          judge(
            `growth from ${first} to ${last}`,
            net('ours', last) / net('ours', first),
            goals.growth,
          ),
        ]),
  ].every(Boolean)
}

/**
 * @param {string} what
 * @param {number} got
 * @param {number} limit
 */
function judge(what, got, limit) {
  const isFar = !(got <= limit * 1.25)
  console.log(
    `${got <= limit ? 'met   ' : isFar ? 'MISSED' : 'missed'}  ${what}: ${got.toFixed(2)} ×, at most ${limit} ×`,
  )
  return !isFar
}

function key(/** @type {string} */ name, /** @type {number} */ length) {
  return `${name}, ${length}`
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
