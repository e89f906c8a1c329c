import { expect, test } from 'vitest'
import { pageTools, watchedAgent } from '../agent/agent.fixtures.ts'
import type { AgentEvent } from '../kernel/events.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import type { AgentState } from '../store/agent-state.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, say, scriptedModel, think } from '../testing/scripted.ts'
import { createReplay } from './replay.ts'

test('shows at each moment what the agent showed then, and its transcript', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a'), workerTool('b')], { clock: environment.clock })
  const model = scriptedModel(
    [think('Hm.'), say('Let me see.'), call('a'), call('b')],
    [say('Done.')],
    [say('Other.')],
  )
  const { agent } = watchedAgent({ model, tools: host }, environment)
  const log: AgentEvent[] = [...(await eventsSoFar(agent))]
  const shown: { readonly position: number; readonly state: object; transcript: object }[] = []
  agent.subscribe((event) => log.push(event))
  agent.store.subscribe((state) => {
    const transcript = agent.getTranscript()
    shown.push({ position: log.length, state: readable(state), transcript })
  })

  const done = agent.prompt('Go.')
  await quiet()
  environment.frame()
  host.worker('a').begin()
  host.worker('a').progress(50)
  environment.clock.advance(100)
  environment.frame()
  await quiet()
  host.worker('a').answer('A.')
  await quiet()
  host.worker('b').throws(new Error('No.'))
  await done
  agent.followUp('And?')
  await quiet()
  await agent.regenerate()
  await quiet()

  expect(shown.length).toBeGreaterThan(10)
  const replay = createReplay(log, { tools: agent.getTools() })
  // Not in order: what comes later is not known yet.
  for (const { position, state, transcript } of shown.toReversed()) {
    expect(readable(replay.at(position)), `after ${position} events`).toEqual(state)
    expect(replay.transcriptAt(position), `after ${position} events`).toEqual(transcript)
  }
})

test('is the same at a position, whichever way one came', async () => {
  const log = await longLog(40)
  const replay = createReplay(log)
  for (const position of [log.length, 0, 700, 256, 257, 255, 699, 701, log.length - 1]) {
    const fresh = createReplay(log.slice(0, position)).at(position)
    expect(readable(replay.at(position))).toEqual(readable(fresh))
  }
})

test('shows no call before it was made, and no end before it came', async () => {
  const log = await longLog(2)
  const replay = createReplay(log)
  const start = log.findIndex(
    (event) => event.type === 'message_start' && event.message.role === 'assistant',
  )
  const end = log.findIndex(({ type }) => type === 'tool_execution_end')

  expect(replay.at(log.length).toolCalls.get('call_1')?.status).toBe('succeeded')
  expect(replay.at(end).toolCalls.get('call_1')?.status).toBe('running')
  expect(replay.at(start).toolCalls.get('call_1')).toBeUndefined()
})

test('nothing can be done in it', async () => {
  const log = await longLog(1)
  const { access, can } = createReplay(log).at(log.length)
  expect(access).toBe('read-only')
  expect(Object.values(can)).toEqual([false, false, false, false, false])
})

test('a log may grow, and positions outside of it count as its ends', async () => {
  const whole = await longLog(2)
  const log = whole.slice(0, 5)
  const replay = createReplay(log)
  expect(replay.at(9)).toBe(replay.at(5))
  expect(replay.at(Number.NaN)).toBe(replay.at(-1))
  expect(createReplay([]).at(3).messages).toEqual([])

  log.push(...whole.slice(5))

  expect(replay.at(whole.length).messages).toHaveLength(6)
})

test('a step in a long log folds at most 256 events, once it was gone through', async () => {
  const events = await longLog(60)
  expect(events.length).toBeGreaterThan(1500)
  let read = 0
  const log = new Proxy(events, {
    get: (target, key, receiver): unknown => {
      if (typeof key === 'string' && /^\d+$/.test(key)) read += 1
      return Reflect.get(target, key, receiver)
    },
  })
  const replay = createReplay(log)
  replay.at(events.length)
  // The same pieces in an order that jumps.
  for (let step = 1; step <= 200; step += 1) {
    read = 0
    replay.at((step * 7919) % events.length)
    expect(read).toBeLessThanOrEqual(256)
  }
  const { messages } = replay.at(300)
  expect(replay.at(301).messages[0]).toBe(messages[0])
})

async function longLog(prompts: number): Promise<AgentEvent[]> {
  const environment = createManualEnvironment()
  const answers = Array.from({ length: prompts }, (_, index) => [
    [say('Well.'), call('work')],
    [say(`Answer ${index}.`)],
  ]).flat()
  const tools = pageTools(environment, { work: () => 'worked' })
  const { agent, events } = watchedAgent({ model: scriptedModel(...answers), tools }, environment)
  const opened = await eventsSoFar(agent)
  for (let prompt = 0; prompt < prompts; prompt += 1) await agent.prompt(`Question ${prompt}.`)
  await quiet()
  return [...opened, ...events]
}

async function eventsSoFar(agent: {
  readonly events: (options: { readonly signal: AbortSignal }) => AsyncIterable<AgentEvent>
}): Promise<readonly AgentEvent[]> {
  const stop = new AbortController()
  const events: AgentEvent[] = []
  for await (const event of agent.events({ signal: stop.signal })) {
    events.push(event)
    stop.abort()
  }
  return events
}

/** All that a view may read of a state, without what is different in a replay. */
function readable({ toolCalls, runs, branches, access: _a, can: _c, ...rest }: AgentState): object {
  const { messages } = rest
  const ids = messages.flatMap(({ content }) =>
    [...content].flatMap((part) => (part.type === 'toolCall' ? [part.toolCallId] : [])),
  )
  return {
    ...rest,
    active: toolCalls.active,
    calls: ids.map((id) => toolCalls.get(id)),
    ends: messages.map(({ id }) => runs.get(id)),
    tips: branches.tips,
    versions: messages.map(({ id }) => branches.get(id)),
  }
}
