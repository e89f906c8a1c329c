import type { Agent } from '../../packages/core/src/index.ts'
import { isDurable } from '../../packages/core/src/kernel/events.ts'
import { call, say, scriptedModel } from '../../packages/core/src/testing.ts'
import type { Counted } from './count-messages.ts'
import { watchFrames } from './frames.ts'
import { watchedAgent } from './our-agent.ts'
import { cells, type Report } from './report.ts'

const updates = 200_000
const maxUnread = 8
/** Where the browser draws no frames, a timer replaces one after this time. */
const noFrameMs = 240

interface Flood {
  readonly how: 'at-once' | 'patiently'
  readonly workers: number
}

const floods: readonly Flood[] = [
  { how: 'at-once', workers: 1 },
  { how: 'patiently', workers: 1 },
  { how: 'patiently', workers: 16 },
]

/** How many of each worker's 200,000 updates arrive. */
export async function benchFlood({ head, line, holds }: Report): Promise<void> {
  head(`A flood of ${updates.toLocaleString('en')} updates from each worker`, [])
  line(cells('', ['messages', 'unread', 'updates', 'frames', 'publ.', 'a frame', 'longest']))
  let mostUnread = 0
  let mostInFrame = 0
  for (const flood of floods) {
    const { counted, ...seen } = await takeFlood(flood)
    const unread = Math.max(...counted.map((one) => one.mostUnread))
    const sent = Math.max(...counted.map((one) => one.sent))
    mostUnread = Math.max(mostUnread, unread)
    mostInFrame = Math.max(mostInFrame, seen.mostInFrame)
    line(
      cells(`  ${flood.workers} workers, ${flood.how}`, [
        ...[sent, unread, seen.updates, seen.frames, seen.published, seen.mostInFrame].map(String),
        `${seen.longestFrame.toFixed(0)} ms`,
      ]),
    )
  }
  line(
    '  messages, unread: of the worker with the most, without its result (which is posted without waiting).',
  )
  line(
    '  publ., a frame: publications, without those for a durable event; the most between two frames.',
  )
  holds(
    `a flood: at most ${maxUnread} unacknowledged messages per worker: ${mostUnread}, and the last word`,
    mostUnread <= maxUnread,
  )
  holds(`a flood: at most one publication a frame: ${mostInFrame}`, mostInFrame <= 1)
}

async function takeFlood({ how, workers }: Flood) {
  const calls = Array.from({ length: workers }, () => call('fault', { how: `${how} ${updates}` }))
  const { agent } = watchedAgent(
    { model: scriptedModel(calls, [say('Done.')]), maxConcurrency: workers },
    '/counted-tools.js',
  )
  const publications = watchPublications(agent)
  const counted: Counted[] = []
  let acknowledged = 0
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_update') acknowledged += 1
    if (event.type === 'tool_execution_end') counted.push(countedIn(event.result.structuredContent))
  })
  await agent.prompt('Flood.')
  const seen = { counted, updates: acknowledged, ...publications() }
  agent.dispose()
  return seen
}

/**
 * Publications between two frames. A durable fact is published at once, so publications that one caused do not
 * count.
 */
function watchPublications(agent: Agent) {
  const frames = watchFrames()
  let frame = 0
  let inFrame = 0
  let mostInFrame = 0
  let last = 0
  let published = 0
  let isExplained = false
  agent.subscribe((event) => {
    isExplained ||= isDurable(event)
  })
  agent.store.subscribe(() => {
    const explained = isExplained
    isExplained = false
    if (explained) return
    published += 1
    const now = performance.now()
    if (frame !== frames.count() || now - last >= noFrameMs) inFrame = 0
    frame = frames.count()
    last = now
    inFrame += 1
    mostInFrame = Math.max(mostInFrame, inFrame)
  })
  return () => {
    frames.end()
    return { frames: frames.count(), longestFrame: frames.longest(), published, mostInFrame }
  }
}

function countedIn(value: unknown): Counted {
  if (typeof value === 'object' && value !== null && 'sent' in value && 'mostUnread' in value) {
    return { sent: Number(value.sent), mostUnread: Number(value.mostUnread) }
  }
  throw new Error(`A flood was not counted: ${JSON.stringify(value)}`)
}
