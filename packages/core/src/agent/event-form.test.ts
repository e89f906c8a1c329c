import { expect, test } from 'vitest'
import { z } from 'zod'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'
import { watchedAgent } from './agent.fixtures.ts'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  place: 'page',
  inputSchema: z.object({}),
})

const lookInPage = inPage([
  implement(look, (_, context) => {
    context.onProgress('half')
    context.onUpdate({ content: 'Some.' })
    context.log('a line')
    context.custom('kept', 1, { durable: true })
    context.custom('seen', 1)
    return 'All.'
  }),
])

async function eventsOfARun() {
  const model = scriptedModel([say('Let me see.'), call('look')], [say('Done.')])
  const { agent, events } = watchedAgent({ model, tools: lookInPage })
  await agent.prompt('Look.')
  return events
}

test('[G1] every event has its envelope, and is the same after a trip through JSON', async () => {
  const events = await eventsOfARun()

  expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  for (const { v, seq, ts, sessionId, runId, turn, type } of events) {
    const inRun = { runId: 'run_1', turn: expect.any(Number) }
    expect({ v, seq, ts, sessionId, runId, turn, type }).toEqual({
      ...{ v: 1, seq: expect.any(Number), ts: expect.any(Number), sessionId: 'session_1' },
      ...{ ...inRun, type: expect.any(String) },
    })
  }
})

test('[G2] only the types of the list are ephemeral, and a custom event unless it is durable', async () => {
  const events = await eventsOfARun()
  const ephemeral = events.filter(({ sub }) => sub !== undefined)

  expect(new Set(ephemeral.map(({ type }) => type))).toEqual(
    new Set([
      ...['message_update', 'tool_running', 'tool_execution_update'],
      ...['tool_progress', 'tool_log', 'tool_custom'],
    ]),
  )
  const customs = events.flatMap((event) => (event.type === 'tool_custom' ? [event] : []))
  expect(customs.map(({ name, sub }) => [name, sub === undefined])).toEqual([
    ['kept', true],
    ['seen', false],
  ])
})

test('[G3] durable events are numbered by seq, and ephemeral ones by sub after their durable one', async () => {
  const events = await eventsOfARun()
  let [seq, sub] = [events[0]?.seq ?? 0, 0]
  seq -= 1

  for (const event of events) {
    ;[seq, sub] = event.sub === undefined ? [seq + 1, 0] : [seq, sub + 1]
    expect([event.seq, event.sub ?? 0]).toEqual([seq, sub])
  }
})

test('[G5] the events of a run come in the order of the grammar', async () => {
  const events = await eventsOfARun()
  const types = events.map(({ type }) => type)

  const order = types.filter((type, at) => type !== types[at - 1] && type !== 'message_update')
  const message = ['message_start', 'message_end']
  expect(order).toEqual([
    ...['agent_start', 'turn_start', ...message, ...message],
    ...['tool_execution_start', 'tool_prepared', 'tool_dispatched', 'tool_running'],
    ...['tool_progress', 'tool_execution_update', 'tool_log', 'tool_custom'],
    ...['tool_execution_end', 'tools_end', ...message, 'turn_end'],
    ...['turn_start', ...message, 'turn_end', 'agent_end'],
  ])
})
