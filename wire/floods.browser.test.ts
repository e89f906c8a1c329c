import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { forgetFailures } from '../packages/core/src/model/http/breaker.ts'
import { type Conversation, converse } from './page/conversation.ts'
import { modelAt } from './page/models.ts'
import { beginVisit, protocols } from './page/visit.fixtures.ts'
import { expectSound } from './streams/soup.fixtures.ts'

beforeEach(forgetFailures)

/** Turns of the page beside a flood: it has hardly any if reading never yields. */
const fewestTurns = 5

describe.each(protocols)('%s', (protocol) => {
  test.each(['G1-pings', 'G1-unknown', 'G1-deltas'])(
    '[M8] %s as fast as they can be read hold neither the page nor its Stop',
    async (reply) => {
      const visit = beginVisit(protocol)
      const { agent } = start(visit.model(reply))
      const run = agent.prompt('What time is it?')
      await expect.poll(async () => (await visit.journal()).requests).toHaveLength(1)
      const turns = countTurns()
      // It never would, if reading never yields. That it yields often enough has a test of its own.
      await expect.poll(turns).toBeGreaterThan(fewestTurns)
      const before = turns()
      agent.abort()

      expect(await run).toMatchObject({ reason: 'aborted' })

      expect(turns() - before).toBeLessThan(fewestTurns)
      await expect.poll(async () => (await visit.journal()).requests[0]?.state).toBe('closed')
    },
  )

  test.each(['G2-blocks', 'G2-calls'])('[M9] %s are a failure, and hold no task', async (reply) => {
    const { agent } = start(beginVisit(protocol).model(reply))
    const turns = countTurns()

    const { error } = await agent.prompt('What time is it?')

    expect(error?.kind).toBe('too_large')
    expect(turns()).toBeGreaterThan(fewestTurns)
  })

  test('generated streams are whole answers or typed failures', async () => {
    // Always the same: a failure belongs to the change under test.
    const first = 1
    console.log(`${protocol}: streams of the seeds from ${first}`)
    for (let seed = first; seed < first + 30; seed += 1) {
      forgetFailures()
      const model = modelAt(`${inject('faults')}/soup/open/soup-${seed}`, protocol)
      await expectSound(model, protocol, seed)
    }
  })
})

function start(model: Parameters<typeof converse>[0]): Conversation {
  const conversation = converse(model)
  onTestFinished(conversation.agent.dispose)
  return conversation
}

/** How many turns the page has had from now on. */
function countTurns(): () => number {
  let turns = 0
  let timer = setTimeout(turn)
  function turn(): void {
    turns += 1
    timer = setTimeout(turn)
  }
  onTestFinished(() => clearTimeout(timer))
  return () => turns
}
