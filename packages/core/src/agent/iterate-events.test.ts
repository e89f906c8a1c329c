import { expect, test } from 'vitest'
import { type AgentEvent, type DurableEvent, isDurable } from '../kernel/events.ts'
import {
  createManualEnvironment,
  type ManualEnvironment,
  quiet,
} from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { catchReports, pageTools, watchedAgent } from './agent.fixtures.ts'
import type { Agent } from './create-agent.ts'
import { iterateEvents } from './iterate-events.ts'

test('[I1] events gives the log from its first event, then the live ones, none missing, none twice', async () => {
  const { agent, events } = watchedAgent({ model: scriptedModel([say('One.')], [say('Two.')]) })
  await agent.prompt('First.')
  const first = events.filter(isDurable)
  const read = reading(agent)
  await quiet()

  await agent.prompt('Second.')
  await quiet()

  const live = events.slice(events.findLastIndex((event) => event.type === 'agent_start'))
  expect(read.events[0]).toMatchObject({ seq: 0, type: 'session_opened' })
  expect(read.events.slice(1)).toEqual([...first, ...live])
  agent.dispose()
})

test('[I1] a reader that starts inside a listener misses nothing at the border', async () => {
  const { agent, events } = watchedAgent({ model: scriptedModel([say('One.')]) })
  let read: ReturnType<typeof reading> | undefined
  agent.subscribe(({ type }) => {
    if (type === 'turn_start') read ??= reading(agent)
  })

  await agent.prompt('First.')
  await quiet()

  expect(read?.events.filter(isDurable).slice(1)).toEqual(events.filter(isDurable))
  agent.dispose()
})

test.for([
  [3, 4],
  [-1, 0],
  [-5, 0],
] as const)('events after %d start with %d', async ([after, first]) => {
  const { agent } = watchedAgent({ model: scriptedModel([say('One.')]) })
  await agent.prompt('First.')

  const read = reading(agent, { after })
  await quiet()

  expect(read.events[0]?.seq).toBe(first)
  expect(read.events.at(-1)?.type).toBe('agent_end')
  agent.dispose()
})

test('a reader ends with its signal or with the agent, and leaves nothing behind', async () => {
  const { agent } = watchedAgent({ model: scriptedModel([say('One.')], [say('Two.')]) })
  const controller = new AbortController()
  const [stopped, disposed] = [reading(agent, { signal: controller.signal }), reading(agent)]
  await agent.prompt('First.')
  await quiet()

  controller.abort()
  await quiet()
  expect([stopped.hasEnded(), disposed.hasEnded()]).toEqual([true, false])
  const before = stopped.events.length
  await agent.prompt('Second.')
  agent.dispose()
  await quiet()

  expect(disposed.hasEnded()).toBe(true)
  expect(stopped.events).toHaveLength(before)
})

test.for(['leaves', 'is stopped'] as const)('a reader that %s gets nothing more', async (how) => {
  const log: readonly DurableEvent[] = [warning(0), warning(1)]
  let listeners = 0
  const subscribe = () => {
    listeners += 1
    return () => {
      listeners -= 1
    }
  }
  const controller = new AbortController()

  for await (const { seq } of iterateEvents({
    opened: null,
    past: () => undefined,
    log,
    after: -1,
    subscribe,
    signal: controller.signal,
  })) {
    expect({ seq, listeners }).toEqual({ seq: 0, listeners: 1 })
    if (how === 'leaves') break
    controller.abort()
  }

  expect(listeners).toBe(0)
})

test('a reader whose signal has aborted reads nothing', async () => {
  const { agent } = watchedAgent({ model: scriptedModel() })

  const read = reading(agent, { signal: AbortSignal.abort() })
  await quiet()

  expect(read.events).toEqual([])
  expect(read.hasEnded()).toBe(true)
})

test('a reader may be slow and may leave', async () => {
  const { agent, events } = watchedAgent({ model: scriptedModel([say('One.')]) })
  await agent.prompt('First.')
  const seen: string[] = []

  for await (const event of agent.events()) {
    await quiet()
    seen.push(event.type)
    if (event.type === 'agent_end') break
  }

  expect(seen.slice(1)).toEqual(events.filter(isDurable).map(({ type }) => type))
})

const listeners: readonly (readonly [string, (agent: Agent) => (event: AgentEvent) => unknown])[] =
  [
    [
      'throws',
      () => () => {
        throw new Error('bad listener')
      },
    ],
    ['returns a promise that never settles', () => () => new Promise(() => {})],
    [
      'dawdles',
      () => () => {
        const until = performance.now() + 0.2
        while (performance.now() < until);
      },
    ],
    [
      'asks and changes its subscriptions',
      (agent) => () => {
        agent.getState()
        agent.subscribe(() => {})()
        agent.cancelTool('missing')
      },
    ],
    [
      'prompts in the middle of a run',
      (agent) =>
        ({ type }) => {
          if (type === 'message_update') agent.prompt('Me!').catch(() => {})
        },
    ],
  ]

test.for(listeners)(
  '[I30] [I35] a listener that %s changes nothing in the log',
  async ([, listener]) => {
    catchReports()
    const plain = await scriptedRun()

    const disturbed = await scriptedRun(listener)

    expect(disturbed).toBe(plain)
  },
)

test('[I35] the same script gives the same log, byte for byte', async () => {
  expect(await scriptedRun()).toBe(await scriptedRun())
})

test('[I2] a listener of agent_end may prompt: the next run starts after it', async () => {
  const { agent, eventsOf } = watchedAgent({
    model: scriptedModel([say('1')], [say('2')], [say('3')]),
  })
  agent.subscribe(({ type }) => {
    if (type === 'agent_end' && eventsOf('agent_start').length < 3) void agent.prompt('More.')
  })

  await agent.prompt('Go.')
  await quiet()

  expect(eventsOf('agent_end').map(({ runId, reason }) => [runId, reason])).toEqual([
    ['run_1', 'stop'],
    ['run_2', 'stop'],
    ['run_3', 'stop'],
  ])
})

test('[I25] nothing is written after agent_end, whatever still arrives', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a'), workerTool('b')], { clock: environment.clock })
  const model = scriptedModel([call('a'), call('b')])
  const { agent, events } = watchedAgent({ model, tools: host }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  for (const puppet of host.started) puppet.begin()
  agent.abort()
  environment.clock.advance(250)
  await done
  const log = JSON.stringify(events)

  for (const puppet of host.started) {
    puppet.begin()
    puppet.update('late')
    puppet.progress(1)
    puppet.log('late')
    puppet.custom('late')
    puppet.answer('late')
  }
  environment.clock.advance(100_000)
  await quiet()

  expect(JSON.stringify(events)).toBe(log)
  expect(environment.clock.pending()).toBe(0)
  expect(environment.pendingFrames()).toBe(0)
})

/** One run with everything in it, as the bytes of its log. */
async function scriptedRun(
  listener?: (agent: Agent) => (event: AgentEvent) => unknown,
): Promise<string> {
  const environment = createManualEnvironment()
  const model = scriptedModel(
    [say('Let me see.'), call('good', { n: 1 }), call('bad'), call('missing'), call('good')],
    [say('Once more.'), call('slow')],
    [say('Done.')],
  )
  const { agent } = watchedAgent({ model, tools: mixedTools(environment) }, environment)
  if (listener) agent.subscribe(listener(agent))
  const log: string[] = []
  agent.subscribe((event) => log.push(JSON.stringify(event)))
  const done = agent.prompt('Go.')
  for (let i = 0; i < 20; i++) {
    await quiet()
    environment.clock.advance(50)
    environment.frame()
  }
  await done
  return log.join('\n')
}

function mixedTools(environment: ManualEnvironment) {
  return pageTools(environment, {
    good: ({ onUpdate, onProgress, log }) => {
      onUpdate({ content: 'half' })
      onProgress({ value: 1, total: 2 })
      log('a line')
      return { done: true }
    },
    bad: () => {
      // The engine's own stack differs from run to run.
      throw Object.assign(new TypeError('No.'), { stack: 'TypeError: No.' })
    },
    slow: () => new Promise((resolve) => environment.clock.setTimer(120, () => resolve('slowly'))),
  })
}

/** Reads an agent's events as they come. */
function reading(agent: Agent, options: Parameters<Agent['events']>[0] = {}) {
  const events: AgentEvent[] = []
  let ended = false
  const read = async () => {
    for await (const event of agent.events(options)) events.push(event)
    ended = true
  }
  void read()
  return { events, hasEnded: () => ended }
}

function warning(seq: number): DurableEvent {
  const envelope = { v: 1, seq, ts: 0, sessionId: 's', runId: null, turn: 0 } as const
  return { ...envelope, type: 'warning', code: 'test', message: 'It happened.' }
}
