import { inWorkers } from '../packages/core/src/index.ts'
import { callTo, createRecorder } from '../packages/core/src/tools/fixtures/calls.fixtures.ts'
import { evil } from '../packages/core/src/tools/fixtures/evil.fixtures.ts'
import { require } from './run-trials.ts'

const kinds = [
  ...['alive', 'running', 'ready', 'update', 'progress', 'log', 'custom'],
  ...['settled, unreadable', 'settled, of another call', 'its own'],
]

/**
 * A worker floods the page with each kind of message, and each flood ends its call. Returns how long the page pauses
 * meanwhile, in units of its longest pause while nothing runs: on a shared machine only that says something.
 */
export async function floodWithAll(): Promise<string> {
  const ratios: number[] = []
  for (const kind of kinds) {
    const idle = watchPauses()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const usual = idle()
    const flooded = watchPauses()
    const host = inWorkers([evil], () => new Worker('/evil.js', { type: 'module' }))
    const execution = host.open(evil, { graceMs: 250 })
    const settlement = await execution.run(callTo('evil', { flood: kind }), createRecorder())
    require(settlement.kind === 'crashed' && settlement.message.includes('posted'), [
      kind,
      settlement,
    ])
    ratios.push(flooded() / usual)
  }
  const sorted = ratios.toSorted((a, b) => a - b).map((ratio) => ratio.toFixed(1))
  return `longest pause: ${sorted[kinds.length / 2]} × that of an idle page, ${sorted.at(-1)} × at most`
}

/** Starts a clock that returns the longest time, in ms, in which the page had no turn. */
export function watchPauses(): () => number {
  let last = performance.now()
  let longest = 0
  const beat = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(beat, 5)
  return () => {
    clearInterval(timer)
    beat()
    return longest
  }
}
