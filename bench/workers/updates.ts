import { textOf } from '../../packages/core/src/kernel/message.ts'
import { call, say, scriptedModel } from '../../packages/core/src/testing.ts'
import { createCards, watchFrames } from './frames.ts'
import { firstUpdates, watchedAgent } from './our-agent.ts'
import { startRawWorker } from './raw-worker.ts'
import { cells, type Report } from './report.ts'

const rates = [4000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
const windowMs = 1200
const longestFrameMs = 50
/** So many of three windows at a rate have to be good, because other programs cost frames, too. */
const windows = 3
const goodWindows = 2

interface Load {
  readonly workers: number
  /** Updates a second of all workers together. */
  readonly perSecond: number
}

/** The measurements of one window. */
interface Seen {
  readonly longestFrame: number
  readonly updatesPerSecond: number
}

/** The highest rate of updates without a long frame. */
export async function benchUpdates({ head, line }: Report): Promise<void> {
  head(
    `Updates a second that ${windows} windows of ${windowMs / 1000} s take, ${goodWindows} of them without a frame over ${longestFrameMs} ms (median of the longest frames, ms)`,
    [],
  )
  for (const workers of [1, 16]) {
    const best = { ours: 0, raw: 0 }
    line(cells(`${workers} workers`, ['updates/s', 'ours', 'updates/s', 'raw']))
    for (const perSecond of rates) {
      const seen = await measureRate({ workers, perSecond })
      for (const who of ['ours', 'raw'] as const) {
        if (isGood(seen[who], perSecond)) best[who] = perSecond
      }
      const shown = [seen.ours, seen.raw].flatMap(show)
      line(cells(`  ${perSecond.toLocaleString('en')} asked`, shown))
    }
    line(
      `  taken from ${workers}: ours ${best.ours.toLocaleString('en')}, raw ${best.raw.toLocaleString('en')} updates a second`,
    )
  }
}

async function measureRate(load: Load) {
  const ours: Seen[] = []
  const raw: Seen[] = []
  for (let i = 0; i < windows; i++) {
    ours.push(await oursTakes(load))
    raw.push(await rawTakes(load))
  }
  return { ours, raw }
}

/** A window in which workers send clearly fewer updates than the rate proves nothing. */
function isGood(seen: readonly Seen[], perSecond: number): boolean {
  const good = seen.filter(
    ({ longestFrame, updatesPerSecond }) =>
      longestFrame <= longestFrameMs && updatesPerSecond >= perSecond * 0.9,
  )
  return good.length >= goodWindows
}

function show(seen: readonly Seen[]): readonly string[] {
  const middle = seen.toSorted((x, y) => x.longestFrame - y.longestFrame)[1]
  return [
    Math.round(middle?.updatesPerSecond ?? 0).toLocaleString('en'),
    (middle?.longestFrame ?? 0).toFixed(0),
  ]
}

/** Through an agent and its store; every published snapshot is rendered. */
async function oursTakes({ workers, perSecond }: Load): Promise<Seen> {
  const how = (n: number) => ({ how: `report ${perSecond / workers} ${windowMs + n / 1000}` })
  const calls = Array.from({ length: workers }, (_, n) => call('fault', how(n)))
  const { agent } = watchedAgent({
    model: scriptedModel(calls, [say('Done.')]),
    maxConcurrency: workers,
  })
  const cards = createCards(workers)
  let updated = 0
  let frames: ReturnType<typeof watchFrames> | undefined
  let longestFrame = Number.NaN
  agent.store.subscribe(() => {
    for (const [n, { partial }] of agent.getState().toolCalls.active.entries()) {
      const card = cards[n]
      if (card && partial) card.textContent = textOf(partial.content)
    }
  })
  agent.subscribe((event) => {
    if (event.type !== 'tool_execution_end') return
    // The first call to end also ends the window.
    if (Number.isNaN(longestFrame)) longestFrame = frames?.longest() ?? Number.POSITIVE_INFINITY
    const { structuredContent } = event.result
    updated += typeof structuredContent === 'number' ? structuredContent : 0
  })
  const done = agent.prompt('Tell.')
  await firstUpdates(agent, workers)
  frames = watchFrames()
  await done
  frames.end()
  for (const card of cards) card.remove()
  agent.dispose()
  return { longestFrame, updatesPerSecond: (updated / windowMs) * 1000 }
}

/** Every update is a message; the latest is rendered in the next frame. */
async function rawTakes({ workers, perSecond }: Load): Promise<Seen> {
  const all = Array.from({ length: workers }, () => startRawWorker())
  await Promise.all(all.map(({ ready }) => ready))
  const cards = createCards(workers)
  const last = new Map<number, string>()
  let isAsked = false
  const paint = () => {
    isAsked = false
    for (const [n, text] of last) {
      const card = cards[n]
      if (card) card.textContent = text
    }
    last.clear()
  }
  const updated = new Set<number>()
  let frames: ReturnType<typeof watchFrames> | undefined
  const begun = performance.now()
  const counts = await Promise.all(
    all.map((worker, n) =>
      worker.call(`report ${perSecond / workers} ${windowMs}`, {
        onText: (text) => {
          last.set(n, text)
          if (!frames && updated.add(n).size === workers) frames = watchFrames()
          if (!isAsked) requestAnimationFrame(paint)
          isAsked = true
        },
      }),
    ),
  )
  // Measured now, because updates that were sent in the window may have arrived after it.
  const tookMs = performance.now() - begun
  frames?.end()
  for (const { terminate } of all) terminate()
  for (const card of cards) card.remove()
  const sum = counts.reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0)
  return {
    longestFrame: frames?.longest() ?? Number.POSITIVE_INFINITY,
    updatesPerSecond: (sum / tookMs) * 1000,
  }
}
