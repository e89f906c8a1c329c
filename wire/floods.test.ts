import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { forgetFailures } from '../packages/core/src/model/http/breaker.ts'
import type { Protocol } from './exchange.ts'
import { type FaultServer, startFaultServer } from './fault-server.ts'
import { endlessEvents, frame, manyOf } from './faults/floods.ts'
import { type Conversation, converse } from './page/conversation.ts'
import { modelAt } from './page/models.ts'
import { modelOver } from './streams/read.fixtures.ts'

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())
beforeEach(forgetFailures)

describe.each<Protocol>(['anthropic', 'openai'])('%s', (protocol) => {
  test.each(['G1-pings', 'G1-unknown', 'G1-deltas'] as const)(
    '[M8] %s that are always there hold neither the page nor its Stop',
    async (name) => {
      const model = modelOver(protocol, async () => endless(protocol, name))
      const { agent } = converse(model)
      onTestFinished(agent.dispose)
      const run = agent.prompt('What time is it?')
      for (let turn = 0; turn < 20; turn += 1) await setImmediate()
      agent.abort()

      expect(await run).toMatchObject({ reason: 'aborted' })
    },
  )

  test('50,000 deltas of one character are read', async () => {
    const { agent } = start('G2-deltas')

    const { reason, text } = await agent.prompt('What time is it?')

    expect({ reason, length: text.length }).toEqual({ reason: 'stop', length: 50_000 })
  })

  test.each([
    ['G2-blocks', /more than 4000 blocks/],
    ['G2-calls', /more than 1000 calls/],
  ])('[M9] %s in one answer are a failure that is not tried again', async (reply, says) => {
    const { agent, ran, eventsOf } = start(reply)

    const { reason, error } = await agent.prompt('What time is it?')

    expect({ reason, kind: error?.kind }).toEqual({ reason: 'error', kind: 'too_large' })
    expect(error?.message).toMatch(says)
    expect([ran, eventsOf('auto_retry_start')]).toEqual([[], []])
  })

  test('[M9] an endless answer ends', async () => {
    const { agent } = start('G1-long-deltas')

    const { reason, error } = await agent.prompt('What time is it?')

    expect({ reason, kind: error?.kind }).toEqual({ reason: 'error', kind: 'too_large' })
  })

  test('[M9] a thousand calls are settled, and 64 of them run', async () => {
    const { agent, ran, eventsOf } = start('G2-1000-calls,answer')

    expect(await agent.prompt('What time is it?')).toMatchObject({ reason: 'stop' })

    expect([ran.length, eventsOf('tool_execution_end').length]).toEqual([64, 1000])
  })

  test.each([
    ['G3-refusal', 'bad_request', false],
    ['G3-error-200', 'protocol', true],
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

/** A body of which more is always there: reading it needs no task of its own. */
function endless(protocol: Protocol, name: keyof typeof endlessEvents): Response {
  const encoder = new TextEncoder()
  const piece = encoder.encode(manyOf(endlessEvents[name](protocol)))
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode(frame(protocol)[0])),
    pull: (controller) => controller.enqueue(piece.slice()),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
