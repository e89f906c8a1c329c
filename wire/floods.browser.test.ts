import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { forgetFailures } from '../packages/core/src/model/http/breaker.ts'
import { type Conversation, converse } from './page/conversation.ts'
import { modelAt } from './page/models.ts'
import { beginVisit, protocols } from './page/visit.fixtures.ts'
import { expectSound } from './streams/soup.fixtures.ts'

beforeEach(forgetFailures)

/** Milliseconds that a task may take, on a machine that has much more to do; without turns it is several times as long. */
const heldMs = 600

describe.each(protocols)('%s', (protocol) => {
  test.each(['G1-pings', 'G1-unknown', 'G1-deltas'])(
    '[M8] %s as fast as they can be read hold neither the page nor its Stop',
    async (reply) => {
      const visit = beginVisit(protocol)
      const { agent } = start(visit.model(reply))
      const longest = watchTasks()
      const run = agent.prompt('What time is it?')
      await expect.poll(async () => (await visit.journal()).requests).toHaveLength(1)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const stopped = performance.now()
      agent.abort()

      expect(await run).toMatchObject({ reason: 'aborted' })

      expect(performance.now() - stopped).toBeLessThan(heldMs)
      expect(longest()).toBeLessThan(heldMs)
      await expect.poll(async () => (await visit.journal()).requests[0]?.state).toBe('closed')
    },
  )

  test.each(['G2-blocks', 'G2-calls'])('[M9] %s are a failure, and hold no task', async (reply) => {
    const { agent } = start(beginVisit(protocol).model(reply))
    const longest = watchTasks()

    const { error } = await agent.prompt('What time is it?')

    expect(error?.kind).toBe('too_large')
    expect(longest()).toBeLessThan(heldMs)
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

/** The longest task from now on, in milliseconds. The browser reports those of 50 and more. */
function watchTasks(): () => number {
  let longest = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  })
  observer.observe({ type: 'longtask' })
  onTestFinished(() => observer.disconnect())
  return () => longest
}
