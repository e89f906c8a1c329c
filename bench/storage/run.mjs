/**
 * `npm run bench:storage`: what it costs to open a stored session, from IndexedDB in Chromium, beside the bare reading of
 * its events. Prints the goals as ratios of one run, and fails when one is missed by far. Two minutes.
 */
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/chromium-options.mjs'
import { bundle, serve } from '../../soak/serve.mjs'

const rounds = 5
const sizes = ['1,000 events', '10,000 events', '100,000 events']
const sessions = [...sizes, '10,000 messages', '20,000 tool calls']

const script = await bundle(new URL('./page.ts', import.meta.url), { minify: true })
const server = await serve({ '/page.js': script })
const browser = await chromium.launch({ headless: true, ...chromiumLaunchOptions() })
const context = await browser.newContext()
try {
  process.exitCode = report(await measure()) ? 0 : 1
} finally {
  await browser.close()
  server.close()
}

/**
 * @typedef {{ ms: number, longest: number }} Work
 * @typedef {{ read: Work[], open: Work[], append: number[], plainBytes: number, openBytes: number, events: number }} Times
 */

/** Interleaved, so that other load of the machine affects all alike. Each piece of work has a page of its own. */
async function measure() {
  /** @type {Map<string, Times>} */
  const times = new Map()
  for (const session of sessions) {
    const events = Number(await onPage((page) => page.evaluate(called('fill', session))))
    times.set(session, {
      ...{ read: [], open: [], append: [], events },
      plainBytes: await bytesAfter('read', session),
      openBytes: await bytesAfter('open', session),
    })
  }
  for (let round = 0; round < rounds; round++) {
    for (const [session, known] of times) {
      known.read.push(await onPage((page) => page.evaluate(called('read', session))))
      known.open.push(await onPage((page) => page.evaluate(called('open', session))))
      if (sizes.includes(session))
        known.append.push(await onPage((page) => page.evaluate(called('append', session))))
    }
  }
  return times
}

/**
 * @template Result
 * @param {(page: import('playwright').Page) => Promise<Result>} work
 */
async function onPage(work) {
  const page = await context.newPage()
  try {
    await page.goto(server.origin)
    return await work(page)
  } finally {
    await page.close()
  }
}

/** The bytes of memory that a piece of work leaves. */
function bytesAfter(/** @type {string} */ name, /** @type {string} */ session) {
  return onPage(async (page) => {
    const devtools = await page.context().newCDPSession(page)
    const used = async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    }
    const before = await used()
    await page.evaluate(called(name, session))
    return (await used()) - before
  })
}

function called(/** @type {string} */ name, /** @type {string} */ session) {
  return `benchStorage.${name}(${JSON.stringify(session)})`
}

/** @param {Map<string, Times>} times */
function report(times) {
  console.log(`${browser.version()}, ${rounds} rounds, medians`)
  console.log(
    'session'.padEnd(18),
    ...[
      'events',
      'read ms',
      'open ms',
      '× read',
      'longest ms',
      'µs/append',
      'plain MB',
      '× plain',
    ].map((name) => name.padStart(10)),
  )
  for (const session of sessions) {
    const one = of(session)
    const cells = [
      one.events,
      one.readMs.toFixed(0),
      one.openMs.toFixed(0),
      one.ratio.toFixed(2),
      one.longest.toFixed(0),
      one.append.toFixed(0),
      (one.plainBytes / 1e6).toFixed(1),
      one.memory.toFixed(2),
    ]
    console.log(session.padEnd(18), ...cells.map((cell) => String(cell).padStart(10)))
  }

  function of(/** @type {string} */ session) {
    const known = times.get(session)
    if (!known) throw new Error(`"${session}" was not measured.`)
    const readMs = median(known.read.map(({ ms }) => ms))
    const openMs = median(known.open.map(({ ms }) => ms))
    return {
      ...known,
      ...{ readMs, openMs, ratio: openMs / readMs },
      longest: median(known.open.map(({ longest }) => longest)),
      append: median(known.append),
      memory: known.openBytes / known.plainBytes,
    }
  }

  const [messages, calls] = [of('10,000 messages'), of('20,000 tool calls')]
  const [small, large] = [of('1,000 events'), of('100,000 events')]
  return [
    judge('opening 10,000 messages, × the bare read', messages.ratio, 1.5),
    judge('longest task of it, ms', messages.longest, 50),
    judge('opening 20,000 calls, × the bare read', calls.ratio, 1.5),
    judge('longest task of it, ms', calls.longest, 50),
    judge('an append after 100,000 events, × after 1,000', large.append / small.append, 1.25),
    judge('memory of 20,000 calls, × their plain data', calls.memory, 1.5),
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
    `${got <= limit ? 'met   ' : isFar ? 'MISSED' : 'missed'}  ${what}: ${got.toFixed(2)}, at most ${limit}`,
  )
  return !isFar
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
