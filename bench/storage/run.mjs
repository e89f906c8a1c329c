/**
 * `npm run bench:storage`: what it costs to open a stored session, from IndexedDB in Chromium, beside the bare reading of
 * what has to be read: its events, or its snapshot. Prints the goals as ratios of one run, and fails when one is missed by
 * far. What the page has to do is measured in time of the processor, which other load of the machine does not change.
 */
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/chromium-options.mjs'
import { bundle, serve } from '../../soak/serve.mjs'
import { categories, tasksIn } from './tasks.mjs'

const rounds = 5
/** Opening calls from their events, × reading them: decision 023 says why it is not 1.5. */
const callsLimit = 2
const sizes = ['1,000 events', '10,000 events', '100,000 events']
const sessions = [
  '2 messages',
  ...sizes,
  '10,000 messages',
  '… and a long log',
  '20,000 tool calls',
]

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
 * @typedef {{ ms: number, cpu: number, longest: number }} Work Milliseconds: on the clock, on the processor, and of the
 *   longest task on the processor.
 * @typedef {{
 *   events: number, read: Work[], folded: Work[], readKept: Work[], kept: Work[], append: number[],
 *   snapshotBytes: number, plainBytes: number, foldedBytes: number, keptBytes: number,
 * }} Times `folded`: opened without a snapshot. `kept`: opened with one.
 * @typedef {ReturnType<typeof summaryOf>} Summary
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
      ...{ read: [], folded: [], readKept: [], kept: [], append: [], events },
      ...{ snapshotBytes, plainBytes, foldedBytes, keptBytes },
    })
  }
  for (let round = 0; round < rounds; round++) {
    for (const [session, known] of times) {
      known.read.push(await timed('read', session))
      known.readKept.push(await timed('readKept', session))
      known.kept.push(await timed('open', session))
      await call('forget', session)
      known.folded.push(await timed('open', session))
      if (known.snapshotBytes > 0) await call('keep', session)
    }
    const micros = /** @type {number[]} */ (await call('append', sizes))
    for (const [at, size] of sizes.entries()) times.get(size)?.append.push(micros[at] ?? Number.NaN)
  }
  return times
}

/**
 * @param {string} name
 * @param {string | readonly string[]} sessions
 * @returns {Promise<unknown>}
 */
function call(name, sessions) {
  return onPage((page) => page.evaluate(expressionOf(name, sessions)))
}

/**
 * @param {string} name
 * @param {string} session
 * @returns {Promise<Work>}
 */
function timed(name, session) {
  return onPage(async (page) => {
    await browser.startTracing(page, { categories })
    const ms = Number(await page.evaluate(expressionOf(name, session)))
    return { ms, ...tasksIn((await browser.stopTracing()).toString()) }
  })
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

function expressionOf(
  /** @type {string} */ name,
  /** @type {string | readonly string[]} */ sessions,
) {
  return `benchStorage.${name}(${JSON.stringify(sessions)})`
}

/** @param {Map<string, Times>} times */
function report(times) {
  const of = (/** @type {string} */ session) => summaryOf(session, times)
  console.log(`${browser.version()}, ${rounds} rounds, medians; ms of the processor`)
  for (const [title, bare, opened] of /** @type {const} */ ([
    ['opened from its events', 'read', 'folded'],
    ['opened from its snapshot', 'readKept', 'kept'],
  ])) {
    table(
      [title, 'read', 'open', '× read', 'longest task', '× read, clock'],
      sessions.map((session) => {
        const { [bare]: reading, [opened]: opening } = of(session)
        return [
          ...[session, reading.cpu.toFixed(0), opening.cpu.toFixed(0)],
          ...[(opening.cpu / reading.cpu).toFixed(2), opening.longest.toFixed(0)],
          (opening.ms / reading.ms).toFixed(2),
        ]
      }),
    )
  }
  table(
    ['', 'events', 'µs/append', 'snapshot MB', 'plain MB', 'open × plain', 'kept × plain'],
    sessions.map((session) => {
      const { events, append, snapshotBytes, plainBytes, foldedBytes, keptBytes } = of(session)
      return [
        ...[session, events, append.toFixed(0), (snapshotBytes / 1e6).toFixed(1)],
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
    cpu: median(works.map(({ cpu }) => cpu)),
    longest: median(works.map(({ longest }) => longest)),
  })
  return {
    ...known,
    read: medians(known.read),
    readKept: medians(known.readKept),
    folded: medians(known.folded),
    kept: medians(known.kept),
    append: median(known.append),
  }
}

/** @param {(session: string) => Summary} of */
function judgeAll(of) {
  const [messages, logged] = [of('10,000 messages'), of('… and a long log')]
  const calls = of('20,000 tool calls')
  const [small, middle, large] = [of('1,000 events'), of('10,000 events'), of('100,000 events')]
  const base = of('2 messages')
  const perEvent = (/** @type {Summary} */ one) => (one.kept.cpu - base.folded.cpu) / one.events
  return [
    ...judgeOpening('10,000 messages', messages, { base, limit: 1.5 }),
    ...judgeOpening('20,000 calls', calls, { base, limit: callsLimit }),
    judge('opening as many messages, a log 3 × as long', logged.kept.cpu / messages.kept.cpu, 1.25),
    judge('opening, per message: 25,000 × 2,500', perEvent(large) / perEvent(middle), 1.5),
    judge('an append, 100,000 × 1,000 events', large.append / small.append, 1.25),
    judge('memory of 20,000 calls, × their plain data', calls.foldedBytes / calls.plainBytes, 1.5),
    judge('… with a snapshot', calls.keptBytes / calls.plainBytes, 1.5),
  ].every(Boolean)
}

/**
 * Without what opening the shortest session costs: that is the same for each.
 * @param {string} what
 * @param {Summary} times
 * @param {{ base: Summary, limit: number }} judged `limit`: from its events.
 */
function judgeOpening(what, { read, folded, readKept, kept }, { base, limit }) {
  const opening = folded.cpu - base.folded.cpu
  const openingKept = kept.cpu - base.folded.cpu
  return [
    judge(`opening ${what}, × reading their events`, opening / read.cpu, limit),
    judge('… its longest task, ms', folded.longest, 50),
    judge('… with a snapshot, × reading that', openingKept / readKept.cpu, 1.5),
    judge('… its longest task, ms', kept.longest, 50),
  ]
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
