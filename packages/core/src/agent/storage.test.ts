import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDeferred } from '../internal/deferred.ts'
import { type DurableEvent, isDurable } from '../kernel/events.ts'
import {
  createManualEnvironment,
  type ManualEnvironment,
  quiet,
} from '../runtime/environment.fixtures.ts'
import {
  type AppendOutcome,
  createPuppetStorage,
  storageWith,
} from '../runtime/puppet-storage.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { type SessionStorage, StorageError } from '../storage/port.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, hold, say, scriptedModel } from '../testing/scripted.ts'
import { pageTools, resultsIn, saidIn, watchedAgent } from './agent.fixtures.ts'
import { type Agent, createAgent, createAgentIn } from './create-agent.ts'

const sessionId = 'session_1'

/** An agent whose model calls `a` once, over a storage whose appends end as the test says. */
function storing(
  outcomeOf?: (batch: readonly DurableEvent[], number: number) => AppendOutcome,
  storage = createPuppetStorage(outcomeOf),
  environment = createManualEnvironment(),
) {
  const ran: string[] = []
  const tools = pageTools(environment, {
    a: ({ toolCallId }) => {
      ran.push(toolCallId)
      return 'from a'
    },
  })
  const model = scriptedModel([call('a')], [say('Done.')], [say('More.')])
  const watched = watchedAgent({ model, tools, storage, sessionId }, environment)
  return { ...watched, model, storage, ran }
}

const has = (type: DurableEvent['type']) => (batch: readonly DurableEvent[]) =>
  batch.some((event) => event.type === type)

describe('what is stored', () => {
  test('[I1] [S002-9] is every durable event, in order, and no other', async () => {
    const { agent, events, storage } = storing()
    await agent.ready

    await agent.prompt('Go.')

    expect(events.some((event) => !isDurable(event))).toBe(true)
    expect(await storage.log()).toEqual(events.filter(isDurable))
  })

  test('[J1] of one step is one append: what follows from a fact is never stored without it', async () => {
    const { agent, storage } = storing()
    await agent.prompt('Go.')

    const steps = storage.appends.map((batch) => batch.map(({ type }) => type))
    expect(steps[0]?.slice(0, 3)).toEqual(['session_opened', 'agent_start', 'turn_start'])
    // An answer and the start of its calls; the last end, what the model will read of it, and the end of the turn.
    const answered = steps.find((types) => types.includes('tool_execution_start'))
    expect(answered).toContain('message_end')
    const ended = steps.find((types) => types.includes('tools_end'))
    expect(ended?.slice(0, 4)).toEqual([
      'tool_execution_end',
      'tools_end',
      'message_start',
      'message_end',
    ])
    expect(ended).toContain('turn_end')
    expect(steps.at(-1)?.at(-1)).toBe('agent_end')
  })

  test('one append runs at a time; what is written meanwhile is the next one', async () => {
    let going = 0
    let most = 0
    const memory = memoryStorage()
    const storage: SessionStorage = {
      ...memory,
      append: async (...args) => {
        going += 1
        most = Math.max(most, going)
        await quiet()
        await memory.append(...args)
        going -= 1
      },
    }
    const model = scriptedModel([say('A long answer, in some pieces.')])
    const { agent } = watchedAgent({ model, storage, sessionId })
    const done = agent.prompt('Go.')
    await agent.ready
    agent.followUp('One.')
    agent.followUp('Two.')
    agent.clearQueues()

    expect(await done).toMatchObject({ reason: 'stop' })
    expect(most).toBe(1)
  })

  test('a prompt resolves when its end is stored', async () => {
    const gate = createDeferred<void>()
    const { agent } = storing((batch) => (has('agent_end')(batch) ? gate.promise : 'stored'))
    let isDone = false
    const done = agent.prompt('Go.').then((result) => {
      isDone = true
      return result
    })
    await quiet()
    expect(isDone).toBe(false)

    gate.resolve()

    expect(await done).toMatchObject({ reason: 'stop', text: 'Done.' })
  })
})

describe('a call', () => {
  test('[I33] is not run before its dispatch is stored', async () => {
    const gate = createDeferred<void>()
    const { agent, ran, eventsOf } = storing((batch) =>
      has('tool_dispatched')(batch) ? gate.promise : 'stored',
    )
    const done = agent.prompt('Go.')
    await quiet()
    expect(eventsOf('tool_dispatched')).toHaveLength(1)
    expect(ran).toEqual([])

    gate.resolve()
    await done

    expect(ran).toEqual(['call_1'])
  })

  test('[I33] is not run when its dispatch cannot be stored', async () => {
    const { agent, ran, model } = storing((batch) =>
      has('tool_dispatched')(batch) ? 'lost' : 'stored',
    )

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'error', error: { kind: 'storage' } })

    await quiet()
    expect(ran).toEqual([])
    expect(model.requests).toHaveLength(1)
  })

  test('[I33] that is cancelled while its dispatch is being stored does not run', async () => {
    const gate = createDeferred<void>()
    const { agent, ran, eventsOf } = storing((batch) =>
      has('tool_dispatched')(batch) ? gate.promise : 'stored',
    )
    const done = agent.prompt('Go.')
    await quiet()
    agent.cancelTool('call_1')
    gate.resolve()
    await done

    expect(ran).toEqual([])
    expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'cancelled' }])
  })
})

describe('an append that fails', () => {
  test('[J2] is tried once more', async () => {
    const { agent, storage, events } = storing((_, number) => (number === 3 ? 'lost' : 'stored'))

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })

    expect(storage.appends[3]).toEqual(storage.appends[2])
    expect(await storage.log()).toEqual(events.filter(isDurable))
  })

  test('[J2] though it was stored is not stored twice', async () => {
    const { agent, storage, events } = storing(() => 'unacknowledged')

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })

    expect(await storage.log()).toEqual(events.filter(isDurable))
  })

  // The append at which the disk fails: each append once.
  test.for([1, 2, 3, 4, 5, 6])(
    '[I3] [I25] [J2] for good stops the writer and everything it does: append %i',
    async (lost) => {
      const environment = createManualEnvironment()
      const host = fakeWorkers([workerTool('a')], { clock: environment.clock })
      const storage = createPuppetStorage((_, number) => (number >= lost ? 'lost' : 'stored'))
      const model = scriptedModel([call('a')], [say('Done.')])
      const { agent, events } = watchedAgent(
        { model, tools: host, storage, sessionId },
        environment,
      )
      const done = agent.prompt('Go.')
      await quiet()
      if (host.started[0]?.request()) host.worker('a').answer('from a')

      const result = await done
      expect(result).toMatchObject({
        reason: 'error',
        error: { kind: 'storage', retryable: false },
      })
      expect(result.error?.message).toContain('could not be stored (The disk is gone).')
      const written = events.length
      const asked = model.requests.length
      expect(host.alive()).toBe(0)
      // The slot of a worker that was ended by force is held for as long as it may run on.
      environment.clock.advance(2000)
      expect(environment.clock.pending()).toBe(0)
      expect(await agent.prompt('Again.')).toMatchObject({ error: { kind: 'storage' } })
      expect(() => agent.steer('Hello?')).toThrow(StorageError)
      expect(() => agent.moveHead(null)).toThrow('could not be stored')
      await expect(agent.addToolResult('call_1', 5)).rejects.toThrow(StorageError)
      agent.abort()
      await quiet()
      environment.clock.advance(100_000)
      await quiet()

      expect(events).toHaveLength(written)
      expect(model.requests).toHaveLength(asked)
      expect(await storage.log()).toHaveLength(
        storage.appends.slice(0, lost - 1).reduce((sum, batch) => sum + batch.length, 0),
      )
      expect(agent.getState()).toMatchObject({ status: 'error', error: { kind: 'storage' } })
    },
  )

  test('never leaves a hole: what came later is not stored either', async () => {
    const { agent, storage, events } = storing((batch) =>
      has('tool_prepared')(batch) ? 'lost' : 'stored',
    )

    await agent.prompt('Go.')

    const stored = await storage.log()
    expect(stored).toEqual(events.filter(isDurable).slice(0, stored.length))
    expect(stored.some(({ type }) => type === 'tool_prepared')).toBe(false)
  })

  test('and never settles: the run does not wait for it for ever', async () => {
    const { agent, environment } = storing((_, number) =>
      number >= 3 ? new Promise<void>(() => {}) : 'stored',
    )
    const done = agent.prompt('Go.')
    for (let waits = 0; waits < 4; waits += 1) {
      await quiet()
      environment.clock.advance(10_000)
    }

    expect(await done).toMatchObject({ reason: 'error', error: { kind: 'storage' } })
  })
})

describe('a log', () => {
  test('[I6] continues where it stopped', async () => {
    const storage = createPuppetStorage()
    const before = storing(undefined, storage)
    await before.agent.prompt('Go.')
    const shown = before.agent.getState().messages
    before.agent.dispose()

    const model = scriptedModel([say('Hello again.')])
    const after = watchedAgent({ model, storage, sessionId }, before.environment)
    await after.agent.ready
    await quiet()
    expect(after.agent.getState()).toMatchObject({ status: 'ready', messages: shown })
    expect(after.agent.getState().toolCalls.get('call_1')?.status).toBe('succeeded')

    await after.agent.prompt('Still there?')

    expect(saidIn(model.requests[0])).toEqual(['Go.', 'Still there?'])
    expect(resultsIn(model.requests[0])).toEqual(['from a'])
    const received: DurableEvent[] = []
    const stop = new AbortController()
    for await (const event of after.agent.events({ signal: stop.signal })) {
      if (isDurable(event)) received.push(event)
      if (event.type === 'agent_end' && event.runId === 'run_2') stop.abort()
    }
    expect(received).toEqual(await storage.log())
  })

  test('that is not loaded yet makes commands wait, in their order', async () => {
    const gate = createDeferred<void>()
    const memory = createPuppetStorage()
    const storage: SessionStorage = {
      ...memory,
      read: async (id) => {
        await gate.promise
        return memory.read(id)
      },
    }
    const model = scriptedModel([say('One.')], [say('Two.')])
    const { agent, events, eventsOf } = watchedAgent({ model, storage, sessionId })
    agent.followUp('Later.')
    const done = agent.prompt('Go.')
    agent.steer('Sooner.')
    await quiet()
    expect(events).toEqual([])
    expect(agent.getState().status).toBe('ready')

    gate.resolve()
    await agent.ready

    expect(await done).toMatchObject({ reason: 'stop', text: 'Two.' })
    expect(eventsOf('session_opened')).toMatchObject([{ seq: 0 }])
    expect(model.requests.map(saidIn)).toEqual([
      ['Go.', 'Sooner.'],
      ['Go.', 'Sooner.', 'Later.'],
    ])
  })

  test('[I20] that is not loaded yet: a stop reaches the prompt that waits for it', async () => {
    const model = scriptedModel([say('Never.')])
    const storage = createPuppetStorage()
    const { agent, eventsOf } = watchedAgent({ model, storage, sessionId })
    const done = agent.prompt('Go.')

    agent.abort()

    expect(await done).toMatchObject({ reason: 'aborted' })
    expect(model.requests).toEqual([])
    expect(eventsOf('agent_end')).toMatchObject([{ reason: 'aborted' }])
  })

  const damages: readonly (readonly [string, (log: readonly DurableEvent[]) => DurableEvent[]])[] =
    [
      ['has a hole', (log) => log.filter(({ seq }) => seq !== 3)],
      [
        'is of another version',
        (log) => log.map((event) => Object.assign(structuredClone(event), { v: 2 })),
      ],
      ['is out of order', (log) => log.toReversed()],
      ['does not begin with its opening', (log) => log.slice(1).map((e, seq) => ({ ...e, seq }))],
    ]

  /** What a storage may give in place of one event. */
  const spoils = fc.oneof(
    fc.constantFrom<unknown>(null, undefined, 7, 'event', [], {}).map((value) => () => value),
    fc
      .record({
        field: fc.constantFrom('type', 'v', 'seq'),
        value: fc.constantFrom<unknown>(null, undefined, -1, 'tool_running', 'unknown', [], {}),
      })
      .map(({ field, value }) => (event: DurableEvent) => ({ ...event, [field]: value })),
    fc.constant((event: DurableEvent) =>
      event.type === 'message_end'
        ? { ...event, message: { ...event.message, role: 'missing' } }
        : { ...event, type: 'unknown' },
    ),
  )

  test('[D62] [I1] of which one event is damaged is shown up to it, and the reason names the event', async () => {
    const good = storing()
    await good.agent.prompt('Go.')
    const log = await good.storage.log()
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: log.length - 1 }), spoils, async (at, spoil) => {
        const storage = storageThatGives(
          log.map((event, seq) => (seq === at ? spoil(event) : event)),
        )
        const agent = createAgentIn(
          { model: scriptedModel(), storage, sessionId },
          createManualEnvironment(),
        )

        await agent.ready
        expect(agent.getState()).toMatchObject({
          access: 'read-only',
          storage: expect.stringMatching(/damaged|newer/),
        })
        expect(await firstEvents(agent, at)).toEqual(log.slice(0, at))
        await expect(agent.prompt('Go.')).rejects.toThrow(
          new RegExp(`at event ${at}\\b|from event ${at} on`),
        )
        agent.dispose()
      }),
      { seed: 62, numRuns: 200 },
    )
  })

  test.for([null, undefined, 'log', { events: [] }, 7])(
    '[I1] that is no list is refused: %j',
    async (given) => {
      const storage = storageThatGives(given)
      const agent = createAgentIn({ model: scriptedModel(), storage }, createManualEnvironment())

      await expect(agent.ready).rejects.toBeInstanceOf(StorageError)
      await expect(agent.ready).rejects.toThrow('The stored session is no list of events.')
    },
  )

  test.for(damages)('[D62] [I1] that %s is shown, and nothing is written', async ([, damage]) => {
    const good = storing()
    await good.agent.prompt('Go.')
    const memory = memoryStorage()
    await memory.append(sessionId, { head: 0, epoch: 0 }, damage(await good.storage.log()))
    const model = scriptedModel([say('Never.')])
    const agent = createAgentIn({ model, storage: memory, sessionId }, createManualEnvironment())
    const before = await memory.read(sessionId)

    await agent.ready
    await expect(agent.prompt('Go.')).rejects.toMatchObject({
      code: 'read_only',
      message: expect.stringMatching(/damaged at event \d|by a newer version/),
    })
    await expect(agent.takeOver()).rejects.toBeInstanceOf(StorageError)
    await quiet()
    expect(agent.getState()).toMatchObject({
      status: 'ready',
      access: 'read-only',
      storage: expect.stringMatching(/^(damaged|newer)$/),
    })
    expect(await memory.read(sessionId)).toEqual(before)
    expect(model.requests).toEqual([])
    agent.dispose()
    await agent.stored()
    expect(await memory.claim(sessionId, 'if-free')).toMatchObject({ unconfirmed: 0 })
  })

  test('that cannot be loaded is a failure, not an exception', async () => {
    const storage: SessionStorage = {
      ...memoryStorage(),
      read: () => Promise.reject(new Error('No permission.')),
    }
    const agent = createAgentIn({ model: scriptedModel(), storage }, createManualEnvironment())

    expect(await agent.prompt('Go.')).toMatchObject({
      reason: 'error',
      error: {
        kind: 'storage',
        message:
          'The session could not be read (No permission). Nothing of it was changed. Reload to try again.',
      },
    })
    await expect(agent.ready).rejects.toThrow('No permission.')
  })
})

describe('a reload', () => {
  /** The whole log of a run with two calls of which one hangs, until the page goes away. */
  async function broken(): Promise<readonly DurableEvent[]> {
    const environment = createManualEnvironment()
    const host = fakeWorkers([workerTool('a'), workerTool('b')], { clock: environment.clock })
    const storage = createPuppetStorage()
    const model = scriptedModel([say('Let me see.'), call('a'), call('b')])
    const { agent } = watchedAgent({ model, tools: host, storage, sessionId }, environment)
    void agent.prompt('Go.')
    await quiet()
    host.worker('a').answer('from a')
    await quiet()
    agent.dispose()
    return storage.log()
  }

  /** Another page: its ids follow those of the first one. */
  function laterPage(): ManualEnvironment {
    const environment = createManualEnvironment()
    for (const prefix of ['boot', 'run', 'msg', 'exec', 'call']) {
      for (let used = 0; used < 20; used += 1) environment.newId(prefix)
    }
    return environment
  }

  test('[I28] [I29] [I33] [I38] after any event keeps what is finished, settles what is lost once, and runs nothing twice', async () => {
    const whole = await broken()
    const ended = whole.findIndex(({ type }) => type === 'tool_execution_end')
    expect(ended).toBeGreaterThan(0)
    for (let cut = 1; cut <= whole.length; cut += 1) {
      const prefix = whole.slice(0, cut)
      const storage = await storageWith(prefix)
      const environment = laterPage()
      const host = fakeWorkers([workerTool('a'), workerTool('b')], {
        clock: environment.clock,
      })
      const model = scriptedModel([say('Back.')])
      const { agent } = watchedAgent({ model, tools: host, storage, sessionId }, environment)
      await agent.ready
      await quiet()

      const log = await storage.log()
      expect(log.slice(0, cut)).toEqual(prefix)
      expect(host.started).toEqual([])
      expect(model.requests).toEqual([])
      const wasRunning = prefix.some(({ type }) => type === 'agent_start')
      expect(agent.getState().lastReason).toBe(wasRunning ? 'interrupted' : null)
      expect(agent.getState().toolCalls.active).toEqual([])
      const ends = log.filter((event) => event.type === 'tool_execution_end')
      const starts = prefix.filter((event) => event.type === 'message_end').length > 1 ? 2 : 0
      expect(ends).toHaveLength(starts)
      for (const end of ends) {
        const isFinished = cut > ended && end.toolName === 'a'
        const wasDispatched = prefix.some(
          (event) => event.type === 'tool_dispatched' && event.toolCallId === end.toolCallId,
        )
        expect(end).toMatchObject(
          isFinished
            ? { outcome: 'succeeded' }
            : { outcome: 'interrupted', mayHaveRun: wasDispatched },
        )
      }

      expect(await agent.prompt('Next.')).toMatchObject({ reason: 'stop', text: 'Back.' })
      agent.dispose()
    }
  })

  test('[I29] twice settles nothing twice', async () => {
    const storage = await storageWith(await broken())
    const lengths: number[] = []
    const environment = laterPage()
    for (let boot = 0; boot < 3; boot += 1) {
      const { agent } = watchedAgent({ model: scriptedModel(), storage, sessionId }, environment)
      await agent.ready
      await quiet()
      lengths.push((await storage.log()).length)
      agent.dispose()
    }

    expect(lengths[2]).toBe((lengths[1] ?? 0) + 1)
    const opened = (await storage.log()).filter(({ type }) => type === 'session_opened')
    expect(opened).toHaveLength(4)
    expect((await storage.log()).filter(({ type }) => type === 'agent_end')).toHaveLength(1)
  })

  test('[I26] keeps what is queued, and continue() delivers it', async () => {
    const storage = createPuppetStorage()
    const first = watchedAgent({ model: scriptedModel([say('So'), hold()]), storage, sessionId })
    void first.agent.prompt('Go.')
    await quiet()
    first.agent.steer('S')
    first.agent.followUp('F')
    await quiet()
    first.agent.dispose()

    const model = scriptedModel([say('1')], [say('2')])
    const { agent } = watchedAgent({ model, storage, sessionId }, first.environment)
    await agent.ready
    await quiet()
    expect(agent.getState().queues).toMatchObject({ steering: [[{ text: 'S' }]] })

    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: '2' })
    expect(saidIn(model.requests[1])).toEqual(['Go.', 'S', 'F'])
  })

  test('[I32] in manual mode finds its calls open, with the answers that were given', async () => {
    const environment = createManualEnvironment()
    const storage = createPuppetStorage()
    const tools = pageTools(environment, { a: () => 'never' })
    const shared = { storage, sessionId, tools, toolMode: 'manual' } as const
    const first = watchedAgent(
      { ...shared, model: scriptedModel([call('a'), call('a')]) },
      environment,
    )
    await first.agent.prompt('Go.')
    await first.agent.addToolResult('call_1', 'one')
    await quiet()
    first.agent.dispose()

    const model = scriptedModel([say('Thanks.')])
    const { agent } = watchedAgent({ ...shared, model }, environment)
    await agent.ready
    await expect(agent.addToolResult('call_1', 'again')).rejects.toMatchObject({
      code: 'settled_call',
    })
    await agent.addToolResult('call_2', 'two')

    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Thanks.' })
    expect(resultsIn(model.requests[0])).toEqual(['one', 'two'])
  })

  test('[I37] [I20] counts a request to stop that was stored, and a moved head', async () => {
    const storage = createPuppetStorage()
    const first = storing(undefined, storage)
    await first.agent.prompt('Go.')
    first.agent.moveHead('msg_1')
    await quiet()
    first.agent.dispose()

    const model = scriptedModel([say('Other.')])
    const { agent } = watchedAgent({ model, storage, sessionId }, first.environment)
    await agent.continue()

    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user'])
    expect(agent.getState().branches.tips).toHaveLength(1)
  })
})

describe('a session that is read', () => {
  test('[I1] is given whole to an iteration that was started before', async () => {
    const storage = memoryStorage()
    const environment = createManualEnvironment()
    const first = storing(undefined, createPuppetStorage(), environment)
    await first.agent.prompt('Go.')
    await storage.append(sessionId, { head: 0, epoch: 0 }, await first.storage.read(sessionId))

    const { agent } = watchedAgent({ model: scriptedModel(), storage, sessionId }, environment)
    const seen: number[] = []
    const controller = new AbortController()
    for await (const event of agent.events({ signal: controller.signal })) {
      seen.push(event.seq)
      if (event.type === 'session_opened' && event.seq > 0) controller.abort()
    }

    expect(seen).toEqual(seen.map((_, index) => index))
    expect(seen.length).toBe((await storage.read(sessionId)).length)
  })

  test('may be very long', async () => {
    const log = Array.from(
      { length: 200_000 },
      (_, seq): DurableEvent =>
        seq > 0
          ? warningAt(seq)
          : Object.assign(warningAt(0), { type: 'session_opened', bootId: 'boot_0' } as const),
    )
    const storage = memoryStorage()
    await storage.append(sessionId, { head: 0, epoch: 0 }, log)

    const agent = createAgent({ model: scriptedModel(), storage, sessionId })
    await agent.ready
    await agent.stored()

    expect(await storage.read(sessionId)).toHaveLength(200_001)
    agent.dispose()
  })

  test('that never loads is abandoned after 10 s, and a prompt says so', async () => {
    const environment = createManualEnvironment()
    const storage = { ...memoryStorage(), read: () => new Promise<never>(() => {}) }
    const agent = createAgentIn({ model: scriptedModel(), storage, sessionId }, environment)
    agent.ready.catch(() => {})
    const done = agent.prompt('Go.')
    await quiet()

    environment.clock.advance(10_000)

    expect(await done).toMatchObject({
      reason: 'error',
      error: {
        message:
          'The session could not be read (it did not answer in time). Nothing of it was changed. Reload to try again.',
      },
    })
    expect(environment.clock.pending()).toBe(0)
  })
})

test('the session of an agent cannot be changed', () => {
  const { agent } = watchedAgent({ model: scriptedModel() })
  const changes: object = { storage: memoryStorage() }

  expect(() => agent.configure(changes)).toThrow('Create a new agent')
})

function warningAt(seq: number): DurableEvent {
  const place = { v: 1, seq, ts: 0, sessionId, runId: null, turn: 0 } as const
  return { ...place, type: 'warning', code: 'test', message: 'Something.' }
}

/** The first events of an agent's log. */
async function firstEvents(agent: Agent, count: number): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = []
  if (count === 0) return events
  for await (const event of agent.events()) {
    if (isDurable(event)) events.push(event)
    if (events.length === count) break
  }
  return events
}

/** A storage of the application's own, in JavaScript. */
function storageThatGives(given: unknown): SessionStorage {
  return Object.assign(memoryStorage(), { read: async () => given })
}
