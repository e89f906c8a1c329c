import { expect, test } from 'vitest'
import type { AgentEvent } from '../kernel/events.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { call, fail, rawCall, say, scriptedModel, think, uses } from '../testing/scripted.ts'
import { catchReports, pageTools, passTime, sleeping, watchedAgent } from './agent.fixtures.ts'

/** A run with some of everything. */
async function play(
  listen: (event: AgentEvent) => unknown = () => {},
): Promise<readonly AgentEvent[]> {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, {
    nap: sleeping(environment, 40),
    long: sleeping(environment, 90),
    broken: () => {
      throw new Error('broken')
    },
  })
  const model = scriptedModel(
    [
      think('Hm.'),
      say('One moment.'),
      call('long'),
      call('nap'),
      rawCall('nap', '['),
      call('broken'),
    ],
    [say('Half'), fail('overloaded')],
    [call('nap', { n: 2 }), uses({ inputTokens: 70 })],
    [say('Done.')],
    [say('Sure.')],
  )
  const { agent, events } = watchedAgent(
    { model, tools, toolExecution: { type: 'batched', size: 3 } },
    environment,
  )
  agent.subscribe((event) => listen(event))
  const done = agent.prompt('Go.')
  agent.followUp('And then?')
  await passTime(environment, done)
  return events
}

test('[I35] the same plan gives the same log, byte for byte', async () => {
  expect(JSON.stringify(await play())).toBe(JSON.stringify(await play()))
})

test('[I30] a listener that throws or blocks at every event changes nothing in the log', async () => {
  const expected = JSON.stringify(await play())
  const reports = catchReports()

  const slow = await play(async () => quiet())
  const broken = await play(() => {
    throw new Error('no ears')
  })

  expect(JSON.stringify(slow)).toBe(expected)
  expect(JSON.stringify(broken)).toBe(expected)
  expect(reports.length).toBeGreaterThanOrEqual(broken.length)
})

/** Spoils a value at any depth: each field, and each list. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    spoil(field)
    Reflect.set(value, name, 7)
  }
  if (Array.isArray(value)) Reflect.apply(Array.prototype.splice, value, [0])
}

test('[I30] a listener that changes the events that it gets changes nothing in the log', async () => {
  const expected = JSON.stringify(await play())
  catchReports()

  expect(JSON.stringify(await play(spoil))).toBe(expected)
})

test('[I31] the usages of the turns sum to that of the run', async () => {
  const events = await play()

  const usages = events.flatMap((event) => (event.type === 'turn_end' ? [event.usage] : []))
  const [end] = events.flatMap((event) => (event.type === 'agent_end' ? [event.usage] : []))
  const sum = (key: 'inputTokens' | 'outputTokens') =>
    usages.reduce((all, usage) => all + usage[key], 0)
  expect(end).toEqual({ inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') })
  expect(end).toEqual({ inputTokens: 100, outputTokens: 20 })
})

test('[I5] of an answer that streams, the log holds nothing but deltas', async () => {
  const events = await play()

  const texts = new Map<string, string>()
  for (const event of events) {
    if (event.type !== 'message_update') continue
    const { assistantMessageEvent: step, messageId } = event
    const key = `${messageId} ${step.contentIndex}`
    if ('delta' in step) texts.set(key, (texts.get(key) ?? '') + step.delta)
  }
  for (const event of events) {
    if (event.type !== 'message_end' || event.message.role !== 'assistant') continue
    event.message.content.forEach((part, index) => {
      if (part.type === 'opaque') return
      const whole = part.type === 'toolCall' ? part.argsText : part.text
      expect(texts.get(`${event.message.id} ${index}`)).toBe(whole)
    })
  }
  expect(texts.size).toBe(10)
})
