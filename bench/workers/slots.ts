import type { Agent, EventOf } from '../../packages/core/src/index.ts'
import { call, scriptedModel } from '../../packages/core/src/testing.ts'
import { watchedAgent } from './our-agent.ts'
import type { Report } from './report.ts'

const loops = 100
const slots = 8
/** A killed loop runs on for 2 s. After this time its slot is free even on a slow machine. */
const quietMs = 20_000

/** Whether every loop is settled, and none holds its slot too long or returns it too early. */
export async function benchSlots({ head, line, holds }: Report): Promise<void> {
  const calls = Array.from({ length: loops }, () => call('fault', { how: 'loop' }))
  const afterwards = Array.from({ length: slots }, () => call('fault', { how: 'wait' }))
  const model = scriptedModel(calls, afterwards)
  const { agent, most } = watchedAgent({ model, maxConcurrency: slots, abortGraceMs: 5 })
  const ends: EventOf<'tool_execution_end'>[] = []
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_end') ends.push(event)
    const isLoop = event.type === 'tool_execution_update' && ends.length < loops
    if (isLoop) agent.cancelTool(event.toolCallId)
  })
  const begun = performance.now()
  const done = agent.prompt('Loop.')
  const waitingAtOnce = await countWaiting(agent)
  const took = performance.now() - begun
  const mostAtOnce = most()
  const settled = ends.filter(({ how }) => how === 'terminated').length
  agent.abort()
  await done
  agent.dispose()

  head(`${loops} calls that loop for ever, with ${slots} slots`, [])
  line(`  settled as cut off: ${settled} of ${loops}, in ${(took / 1000).toFixed(1)} s`)
  line(
    `  slots taken at once, killed loops that run on among them: at most ${mostAtOnce} of ${slots}`,
  )
  line(`  calls that ran at the same time afterwards: ${waitingAtOnce} of ${slots}`)
  holds(`an endless loop is settled: ${settled} of ${loops}`, settled === loops)
  holds(`its slot is accounted for: ${mostAtOnce} of ${slots} taken at once`, mostAtOnce === slots)
  holds(`no slot is lost: ${waitingAtOnce} of ${slots} run afterwards`, waitingAtOnce === slots)
}

/**
 * How many calls wait at the same time. Resolves when every slot has one, or when nothing has happened for so long
 * that no more will come.
 */
function countWaiting(agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve(waitingIn(agent))
    }
    let timer = setTimeout(settle, quietMs)
    const unsubscribe = agent.store.subscribe(() => {
      clearTimeout(timer)
      if (waitingIn(agent) === slots) settle()
      else timer = setTimeout(settle, quietMs)
    })
  })
}

function waitingIn(agent: Agent): number {
  const { active } = agent.getState().toolCalls
  return active.filter(({ status, args }) => status === 'running' && isWait(args)).length
}

function isWait(args: unknown): boolean {
  return JSON.stringify(args).includes('wait')
}
