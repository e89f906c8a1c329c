import { call, say, scriptedModel } from '../../packages/core/src/testing.ts'
import { firstUpdates, watchedAgent } from './our-agent.ts'
import { type OurWorkers, ourWorkers, returnedBy, since } from './our-worker.ts'
import { startRawWorker } from './raw-worker.ts'
import type { Report } from './report.ts'
import { type Contestant, inTurns, quantile } from './statistics.ts'
import { stamp } from './ways.ts'

const rounds = 30
/** Shorter than the 2 s for which a killed loop runs on, so that there are always some. */
const paceMs = 600

/** From the end of an endless loop to the first line of the next tool. */
export async function benchKill({ head, row, line, atMost, atMostBare }: Report): Promise<void> {
  const fresh = ourWorkers('fresh')
  const spare = ourWorkers('spare')
  const of = await inTurns(
    {
      fresh: own(fresh),
      spare: own(spare),
      agent: inAgent,
      raw: raw('/raw.js'),
      same: raw('/checking-raw.js'),
    },
    { rounds, warmUps: 2 },
  )
  spare.release()
  head(
    `From terminate() in an endless loop to the first line of the next tool, ms (one each ${paceMs} ms)`,
  )
  row("keep: 'fresh' / raw terminate and spawn", { ours: of('fresh'), raw: of('raw') })
  row('  / the same, checks its input', { ours: of('fresh'), raw: of('same') })
  row("keep: 'spare' / raw terminate and spawn", { ours: of('spare'), raw: of('raw') })
  row('an agent, next turn / raw', { ours: of('agent'), raw: of('raw') })
  row('  / the same, checks its input', { ours: of('agent'), raw: of('same') })
  line(
    'An agent writes how the call ended, asks its model, starts a worker and writes that the call may run.',
  )
  const tail = (name: Parameters<typeof of>[0]) => quantile(of(name), 0.9)
  for (const name of ['fresh', 'agent'] as const) {
    const what = `p90 of kill to next tool running, ${name === 'agent' ? 'an agent' : 'fresh'}`
    atMost(what, {
      limit: 1.5,
      got: tail(name) / tail('same'),
      than: 'a raw worker that checks its input',
    })
    atMostBare(what, { limit: 1.5, got: tail(name) / tail('raw'), than: 'a raw worker' })
  }
}

function raw(url: string): Contestant {
  return async () => {
    const looping = startRawWorker()
    await new Promise<void>((resolve) => void looping.call('loop', { onText: () => resolve() }))
    await pass(paceMs)
    const begun = stamp()
    looping.terminate()
    const next = startRawWorker(url)
    const took = since(begun, await next.call('stamp'))
    next.terminate()
    return took
  }
}

function own({ call: run, loop, lastReady, lastKill }: OurWorkers): Contestant {
  return async () => {
    const looping = await loop()
    await pass(paceMs)
    await lastReady()
    const { kind } = await looping.kill()
    if (kind !== 'stopped') throw new Error(`A loop was ${kind}.`)
    const begun = lastKill()
    return since(begun, returnedBy(await run('stamp')))
  }
}

async function inAgent(): Promise<number> {
  const model = scriptedModel(
    [call('fault', { how: 'loop' })],
    [call('fault', { how: 'stamp' })],
    [say('Done.')],
  )
  const { agent, lastKill } = watchedAgent({ model, abortGraceMs: 5 })
  let begun = 0
  let stamped: unknown
  agent.subscribe((event) => {
    if (event.type !== 'tool_execution_end') return
    if (event.outcome === 'cancelled') begun = lastKill()
    else stamped = event.result.structuredContent
  })
  const done = agent.prompt('Go.')
  await firstUpdates(agent, 1)
  await pass(paceMs)
  for (const { toolCallId } of agent.getState().toolCalls.active) agent.cancelTool(toolCallId)
  await done
  agent.dispose()
  return since(begun, stamped)
}

function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
