import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { forgetFailures } from '../packages/core/src/model/http/breaker.ts'
import type { Protocol } from './exchange.ts'
import { type FaultServer, startFaultServer } from './fault-server.ts'
import { type Conversation, converse } from './page/conversation.ts'
import { modelAt } from './page/models.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())
beforeEach(forgetFailures)

describe.each<Protocol>(['anthropic', 'openai'])('%s', { timeout: 120_000 }, (protocol) => {
  test.each(['G1-pings', 'G1-unknown', 'G1-deltas'])(
    '[M8] %s as fast as they can be read hold neither the page nor its Stop',
    async (reply) => {
      const { agent, events } = start(reply)
      const page = watchPage()
      const run = agent.prompt('What time is it?')
      await page.turns(200)
      const stopped = performance.now()
      agent.abort()

      expect(await run).toMatchObject({ reason: 'aborted' })

      expect(performance.now() - stopped).toBeLessThan(500)
      expect(page.longestMs(), `${events.length} events`).toBeLessThan(heldMs)
    },
  )

  test('[M8] 200,000 deltas of one character hold no task of the page', async () => {
    const { agent } = start('G2-deltas')
    const page = watchPage()

    const { reason, text } = await agent.prompt('What time is it?')

    expect({ reason, length: text.length }).toEqual({ reason: 'stop', length: 200_000 })
    expect(page.longestMs()).toBeLessThan(heldMs)
  })

  test.each([
    ['G2-blocks', /more than 4000 blocks/],
    ['G2-calls', /more than 1000 calls/],
  ])('[M9] %s in one answer are a failure that is not tried again', async (reply, says) => {
    const { agent, ran, eventsOf } = start(reply)
    const page = watchPage()

    const { reason, error } = await agent.prompt('What time is it?')

    expect({ reason, kind: error?.kind }).toEqual({ reason: 'error', kind: 'too_large' })
    expect(error?.message).toMatch(says)
    expect([ran, eventsOf('auto_retry_start')]).toEqual([[], []])
    expect(page.longestMs()).toBeLessThan(heldMs)
  })

  test('[M9] an endless answer ends', async () => {
    const { agent } = start('G1-long-deltas')

    const { reason, error } = await agent.prompt('What time is it?')

    expect({ reason, kind: error?.kind }).toEqual({ reason: 'error', kind: 'too_large' })
  })

  test('[M8] of a thousand calls all are settled, and no task of the page is held', async () => {
    const { agent, ran, eventsOf } = start('G2-1000-calls,answer')
    const page = watchPage()

    expect(await agent.prompt('What time is it?')).toMatchObject({ reason: 'stop' })

    expect([ran.length, eventsOf('tool_execution_end').length]).toEqual([64, 1000])
    expect(page.longestMs()).toBeLessThan(2 * heldMs)
  })

  test.each([
    ['G3-refusal', 'bad_request', false],
    ['G3-block', 'protocol', true],
    ['G3-input', 'protocol', true],
  ] as const)('%s, nested without measure, is %s', async (reply, kind, isTriedAgain) => {
    const { agent, events, eventsOf } = start(reply)

    const { error } = await agent.prompt('What time is it?')

    expect(error?.kind).toBe(kind)
    expect(eventsOf('auto_retry_start').length > 0).toBe(isTriedAgain)
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  })

  function start(replies: string): Conversation {
    const visit = `flood-${crypto.randomUUID()}`
    const conversation = converse(modelAt(`${server.origin}/${visit}/open/${replies}`, protocol))
    onTestFinished(conversation.agent.dispose)
    return conversation
  }
})

/** Milliseconds that a task may take, on a machine that has more to do. */
const heldMs = 150

interface Page {
  /** Resolves after so many tasks. */
  readonly turns: (count: number) => Promise<void>
  /** The longest task so far, in milliseconds of CPU. */
  readonly longestMs: () => number
}

/** Has tasks of its own, as a page has, and looks how long they have to wait. */
function watchPage(): Page {
  let longest = 0
  let count = 0
  let last = process.cpuUsage()
  let timer = setImmediate(turn)
  onTestFinished(() => clearImmediate(timer))
  function turn(): void {
    const { user } = process.cpuUsage(last)
    longest = Math.max(longest, user / 1000)
    last = process.cpuUsage()
    count += 1
    timer = setImmediate(turn)
  }
  return {
    longestMs: () => longest,
    turns: (wanted) =>
      new Promise((resolve) => {
        const until = count + wanted
        const look = (): void => void (count >= until ? resolve() : setImmediate(look))
        look()
      }),
  }
}
