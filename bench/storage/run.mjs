/**
 * `npm run bench:storage`: what it costs to open a stored session, from IndexedDB in Chromium, beside the bare reading of
 * its events. Prints the goals as ratios of one run, and fails when one is missed by far. Three minutes.
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
 * @typedef {{
 *   events: number, read: Work[], folded: Work[], kept: Work[], append: number[],
 *   snapshotBytes: number, plainBytes: number, foldedBytes: number, keptBytes: number,
 * }} Times `folded`: opened without a snapshot. `kept`: opened with one.
 */

/** Interleaved, so that other load of the machine affects all alike. Each piece of work has a page of its own. */
async function measure() {
  /** @type {Map<string, Times>} */
  const times = new Map()
  for (const session of sessions) {
    const events = Number(await call('fill', session))
    const plainBytes = await bytesAfter('read', session)
    const foldedBytes = await bytesAfter('open', session)
    const snapshotBytes = events > 2_000 ? Number(await call('keep', session)) : 0
    const keptBytes = await bytesAfter('open', session)
    times.set(session, {
      ...{ read: [], folded: [], kept: [], append: [], events },
      ...{ snapshotBytes, plainBytes, foldedBytes, keptBytes },
    })
  }
  for (let round = 0; round < rounds; round++) {
    for (const [session, known] of times) {
      known.read.push(await timed('read', session))
      known.kept.push(await timed('open', session))
      await call('forget', session)
      known.folded.push(await timed('open', session))
      if (known.snapshotBytes > 0) await call('keep', session)
      if (sizes.includes(session)) known.append.push(Number(await call('append', session)))
    }
  }
  return times
}

/**
 * @param {string} name
 * @param {string} session
 * @returns {Promise<unknown>}
 */
function call(name, session) {
  return onPage((page) => page.evaluate(expressionOf(name, session)))
}

/**
 * @param {string} name
 * @param {string} session
 * @returns {Promise<Work>}
 */
function timed(name, session) {
  return onPage((page) => page.evaluate(expressionOf(name, session)))
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
    await page.evaluate(expressionOf(name, session))
    return (await used()) - before
  })
}

function expressionOf(/** @type {string} */ name, /** @type {string} */ session) {
  return `benchStorage.${name}(${JSON.stringify(session)})`
}

/** @param {Map<string, Times>} times */
function report(times) {
  const of = (/** @type {string} */ session) => summaryOf(session, times)
  console.log(`${browser.version()}, ${rounds} rounds, medians; "kept": with a snapshot`)
  table(
    [
      'session',
      'events',
      'read ms',
      'open ms',
      '× read',
      'longest',
      'kept ms',
      '× read',
      'longest',
    ],
    sessions.map((session) => {
      const { events, readMs, folded, kept } = of(session)
      return [
        ...[session, events, readMs.toFixed(0)],
        ...[folded, kept].flatMap(({ ms, longest }) => [
          ...[ms.toFixed(0), (ms / readMs).toFixed(2), longest.toFixed(0)],
        ]),
      ]
    }),
  )
  table(
    ['session', 'µs/append', 'snapshot MB', 'plain MB', 'open × plain', 'kept × plain'],
    sessions.map((session) => {
      const { append, snapshotBytes, plainBytes, foldedBytes, keptBytes } = of(session)
      return [
        ...[session, append.toFixed(0), (snapshotBytes / 1e6).toFixed(1)],
        (plainBytes / 1e6).toFixed(1),
        ...[foldedBytes, keptBytes].map((bytes) => (bytes / plainBytes).toFixed(2)),
      ]
    }),
  )
  return judgeAll(of)
}

/**
 * @param {string} session
 * @param {Map<string, Times>} times
 */
function summaryOf(session, times) {
  const known = times.get(session)
  if (!known) throw new Error(`"${session}" was not measured.`)
  const medians = (/** @type {Work[]} */ works) => ({
    ms: median(works.map(({ ms }) => ms)),
    longest: median(works.map(({ longest }) => longest)),
  })
  return {
    ...known,
    readMs: medians(known.read).ms,
    folded: medians(known.folded),
    kept: medians(known.kept),
    append: median(known.append),
  }
}

/** @param {(session: string) => ReturnType<typeof summaryOf>} of */
function judgeAll(of) {
  const [messages, calls] = [of('10,000 messages'), of('20,000 tool calls')]
  const [small, middle, large] = [of('1,000 events'), of('10,000 events'), of('100,000 events')]
  const perEvent = (/** @type {ReturnType<typeof summaryOf>} */ one) => one.kept.ms / one.events
  return [
    judge(
      'opening 10,000 messages, × reading their events',
      messages.folded.ms / messages.readMs,
      1.5,
    ),
    judge('… with a snapshot', messages.kept.ms / messages.readMs, 1.5),
    judge('longest task of it, ms', messages.folded.longest, 50),
    judge('… with a snapshot', messages.kept.longest, 50),
    judge('opening 20,000 calls, × reading their events', calls.folded.ms / calls.readMs, 1.5),
    judge('… with a snapshot', calls.kept.ms / calls.readMs, 1.5),
    judge('longest task of it, ms', calls.folded.longest, 50),
    judge('… with a snapshot', calls.kept.longest, 50),
    judge('opening, per event, 100,000 × 10,000', perEvent(large) / perEvent(middle), 1.5),
    judge('an append, 100,000 × 1,000 events', large.append / small.append, 1.25),
    judge('memory of 20,000 calls, × their plain data', calls.foldedBytes / calls.plainBytes, 1.5),
    judge('… with a snapshot', calls.keptBytes / calls.plainBytes, 1.5),
  ].every(Boolean)
}

/**
 * @param {readonly string[]} heads
 * @param {readonly (readonly (string | number)[])[]} rows
 */
function table(heads, rows) {
  for (const [first = '', ...cells] of [heads, ...rows]) {
    console.log(String(first).padEnd(18), ...cells.map((cell) => String(cell).padStart(12)))
  }
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
