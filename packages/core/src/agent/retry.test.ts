import { describe, expect, test } from 'vitest'
import type { RunErrorKind } from '../kernel/run-error.ts'
import type { Model } from '../model/port.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import {
  breakOff,
  call,
  fail,
  hold,
  type ScriptedAnswer,
  say,
  scriptedModel,
  uses,
} from '../testing/scripted.ts'
import { ToolError } from '../tools/tool-error.ts'
import { pageTools, passTime, resultsIn, watchedAgent } from './agent.fixtures.ts'
import { createAgent } from './create-agent.ts'
import type { AgentOptions } from './options.ts'

function asking(answers: readonly ScriptedAnswer[], options: Partial<AgentOptions> = {}) {
  const environment = createManualEnvironment()
  const model = scriptedModel(...answers)
  const tools = pageTools(environment, { a: () => 'from a' })
  return { ...watchedAgent({ model, tools, ...options }, environment), model }
}

describe('a request', () => {
  test('[S002-12] [I31] [R1] is tried four times, with pauses that double, and counts what all attempts used', async () => {
    const busy = [fail('overloaded', 'Busy.')]
    const { agent, environment, eventsOf } = asking([busy, busy, busy, [say('There.')]])
    const done = agent.prompt('Go.')
    await quiet()
    expect(agent.getState().status).toBe('retrying')

    expect(await passTime(environment, done, 50)).toMatchObject({ reason: 'stop', text: 'There.' })

    // The random number of the test is always one half, so each pause is half of its maximum.
    expect(eventsOf('auto_retry_start')).toMatchObject([
      { scope: 'model', attempt: 2, maxAttempts: 4, delayMs: 500, error: { kind: 'overloaded' } },
      { attempt: 3, delayMs: 1000 },
      { attempt: 4, delayMs: 2000 },
    ])
    expect(eventsOf('auto_retry_end')).toMatchObject([
      { scope: 'model', success: true, attempt: 4 },
    ])
    expect(eventsOf('agent_end')).toMatchObject([{ durationMs: 3500, turns: 1 }])
    expect(eventsOf('turn_end')).toHaveLength(1)
  })

  test('[S002-7] [S004-10] that fails every time ends the run with the last error', async () => {
    const busy = [fail('network')]
    const { agent, environment, model, eventsOf } = asking([
      busy,
      busy,
      busy,
      busy,
      [say('Never.')],
    ])

    const result = await passTime(environment, agent.prompt('Go.'), 100)

    expect(result).toMatchObject({ reason: 'error', error: { kind: 'network' } })
    expect(model.requests).toHaveLength(4)
    expect(eventsOf('auto_retry_end')).toMatchObject([
      { success: false, attempt: 4, error: { kind: 'network' } },
    ])
    expect(environment.clock.pending()).toBe(0)
  })

  const hopeless: readonly RunErrorKind[] = [
    'auth',
    'billing',
    'permission',
    'bad_request',
    'too_large',
    'context_overflow',
    'internal',
  ]

  test.for(hopeless)('that fails with %s is not tried again', async (kind) => {
    const { agent, model, types } = asking([
      [fail(kind, 'No.', { retryable: true })],
      [say('Never.')],
    ])

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'error', error: { kind } })

    expect(types()).not.toContain('auto_retry_start')
    expect(model.requests).toHaveLength(1)
  })

  test('waits as long as the server asks for, up to a minute', async () => {
    const { agent, environment, model, eventsOf } = asking([
      [fail('rate_limited', 'Slow down.', { retryAfterMs: 45_000 })],
      [fail('rate_limited', 'Slower.', { retryAfterMs: 60_001 })],
    ])
    const done = agent.prompt('Go.')
    await quiet()
    environment.clock.advance(44_999)
    await quiet()
    expect(model.requests).toHaveLength(1)
    environment.clock.advance(1)

    expect(await done).toMatchObject({ reason: 'error', error: { retryAfterMs: 60_001 } })
    expect(eventsOf('auto_retry_start')).toMatchObject([{ delayMs: 45_000 }])
  })

  test('[I37] [R2] that broke off after something was seen is replaced as a whole', async () => {
    const half = [say('Half of'), breakOff()]
    const { agent, environment, model, eventsOf } = asking([half, [say('All of it.')]])

    const result = await passTime(environment, agent.prompt('Go.'), 100)

    expect(result).toMatchObject({ reason: 'stop', text: 'All of it.' })
    expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages)
    expect(
      eventsOf('message_end').map(({ message, excluded }) => [message.role, excluded === true]),
    ).toEqual([
      ['user', false],
      ['assistant', true],
      ['assistant', false],
    ])
  })

  test('[I37] [R2] that broke off after something was seen is replaced once, whole', async () => {
    const half = [say('Half of'), breakOff()]
    const { agent, environment, model, eventsOf } = asking([half, half, [say('Never.')]])

    const result = await passTime(environment, agent.prompt('Go.'), 100)

    expect(result).toMatchObject({ reason: 'error', error: { kind: 'truncated_stream' } })
    expect(model.requests).toHaveLength(2)
    expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages)
    expect(
      eventsOf('message_end').map(({ message, excluded }) => [message.role, excluded === true]),
    ).toEqual([
      ['user', false],
      ['assistant', true],
      ['assistant', true],
    ])
  })

  test('[I20] [I25] an abort in the pause ends the run at once', async () => {
    const { agent, environment, model, eventsOf } = asking([[fail('overloaded')], [say('Never.')]])
    const done = agent.prompt('Go.')
    await quiet()

    agent.abort()

    expect(await done).toMatchObject({ reason: 'aborted' })
    expect(eventsOf('auto_retry_end')).toMatchObject([{ success: false }])
    expect(environment.clock.pending()).toBe(0)
    environment.clock.advance(60_000)
    await quiet()
    expect(model.requests).toHaveLength(1)
  })

  test.for([
    ['null: not at all', null, 1],
    ['maxAttempts', { maxAttempts: 2 }, 2],
  ] as const)('is tried as often as the option says: %s', async ([, retry, attempts]) => {
    const busy = [fail('overloaded')]
    const { agent, environment, model } = asking([busy, busy, busy], { retry })

    await passTime(environment, agent.prompt('Go.'), 100)

    expect(model.requests).toHaveLength(attempts)
  })

  test('pauses no longer than capMs', async () => {
    const busy = [fail('overloaded')]
    const { agent, environment, eventsOf } = asking([busy, busy, busy, [say('There.')]], {
      retry: { baseMs: 100, capMs: 150 },
    })

    await passTime(environment, agent.prompt('Go.'))

    expect(eventsOf('auto_retry_start').map(({ delayMs }) => delayMs)).toEqual([50, 75, 75])
  })

  test('[I7] after the calls of a turn ran, only the next request is tried again', async () => {
    const { agent, environment, model, eventsOf } = asking([
      [call('a')],
      [fail('overloaded')],
      [say('Done.')],
    ])

    expect(await passTime(environment, agent.prompt('Go.'), 100)).toMatchObject({ reason: 'stop' })

    expect(eventsOf('tool_dispatched')).toHaveLength(1)
    expect(resultsIn(model.requests[2])).toEqual(['from a'])
  })

  test('[I31] the usage of a turn is that of all its attempts', async () => {
    const { agent, environment, eventsOf } = asking([
      [fail('overloaded')],
      [say('Hi.'), uses({ inputTokens: 7, outputTokens: 3 })],
    ])

    const { usage } = await passTime(environment, agent.prompt('Go.'), 100)

    expect(usage).toEqual({ inputTokens: 7, outputTokens: 3 })
    expect(eventsOf('turn_end').map((event) => event.usage)).toEqual([usage])
  })
})

describe('a stream that says nothing', () => {
  test('for 60 s has stalled, and is tried again', async () => {
    const { agent, environment, model, eventsOf } = asking([[say('So'), hold()], [say('Here.')]])
    const done = agent.prompt('Go.')
    await quiet()
    environment.clock.advance(59_999)
    await quiet()
    expect(eventsOf('auto_retry_start')).toEqual([])
    environment.clock.advance(1)
    await quiet()
    expect(eventsOf('auto_retry_start')).toMatchObject([{ error: { kind: 'stalled' } }])

    expect(await passTime(environment, done, 100)).toMatchObject({ reason: 'stop', text: 'Here.' })
    expect(model.requests).toHaveLength(2)
    expect(environment.clock.pending()).toBe(0)
  })

  test('now and then has not stalled, however long it takes', async () => {
    const environment = createManualEnvironment()
    const model: Model = {
      identity: { provider: 'test', id: 'slow' },
      stream: async function* () {
        yield { type: 'text_start', contentIndex: 0 }
        for (const delta of ['One', ', two', ', three.']) {
          await new Promise<void>((resolve) => void environment.clock.setTimer(59_000, resolve))
          yield { type: 'text_delta', contentIndex: 0, delta }
        }
        yield { type: 'text_end', contentIndex: 0 }
        yield { type: 'finish', stopReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
      },
    }
    const { agent, eventsOf } = watchedAgent({ model }, environment)

    const result = await passTime(environment, agent.prompt('Count.'), 1000)

    expect(result).toMatchObject({ reason: 'stop', text: 'One, two, three.' })
    expect(eventsOf('agent_end')).toMatchObject([{ durationMs: 177_000 }])
  })

  test('[M5] is not silent while its provider gives signs of life', async () => {
    const environment = createManualEnvironment()
    let alive = (): void => {}
    const model: Model = {
      identity: { provider: 'test', id: 'thinking' },
      stream: async function* (_, { onAlive = () => {} }) {
        alive = onAlive
        yield { type: 'text_start', contentIndex: 0 }
        await new Promise(() => {})
      },
    }
    const { agent, eventsOf } = watchedAgent({ model, retry: null }, environment)
    const done = agent.prompt('Think.')
    await quiet()

    for (let ping = 0; ping < 5; ping++) {
      environment.clock.advance(59_000)
      alive()
    }
    expect(eventsOf('agent_end')).toEqual([])
    environment.clock.advance(60_000)

    expect(await done).toMatchObject({ reason: 'error', error: { kind: 'stalled' } })
  })

  test('may be silent for streamIdleMs, or for ever', async () => {
    const soon = asking([[hold()]], { streamIdleMs: 100, retry: null })
    const done = soon.agent.prompt('Go.')
    await quiet()
    soon.environment.clock.advance(100)
    expect(await done).toMatchObject({
      reason: 'error',
      error: { kind: 'stalled', retryable: true },
    })

    const patient = asking([[hold()]], { streamIdleMs: null })
    const end = patient.agent.prompt('Go.')
    await quiet()
    expect(patient.environment.clock.pending()).toBe(0)
    patient.agent.abort()
    await end
  })
})

test('[M5] no time counts as silence in which the page stood still: a frozen tab, a breakpoint', async () => {
  const environment = createManualEnvironment()
  const { clock } = environment
  let stoodStill = 0
  let alive = (): void => {}
  const model: Model = {
    identity: { provider: 'own', id: 'frozen' },
    stream: async function* (_, { onAlive = () => {} }) {
      alive = onAlive
      yield { type: 'text_start', contentIndex: 0 }
      await new Promise(() => {})
    },
  }
  const { agent, eventsOf } = watchedAgent(
    { model, retry: null },
    { ...environment, clock: { ...clock, monotonic: () => clock.monotonic() + stoodStill } },
  )
  const done = agent.prompt('Think.')
  await quiet()

  // The timer is due, and what the provider sent meanwhile is read only after it.
  stoodStill += 600_000
  clock.advance(60_000)
  alive()
  clock.advance(59_999)
  expect(eventsOf('agent_end')).toEqual([])

  // It still has to say something.
  stoodStill += 600_000
  clock.advance(60_001)
  expect(await done).toMatchObject({ reason: 'error', error: { kind: 'stalled' } })
})

describe('a call', () => {
  const sessionId = 'session_1'

  function calling(
    code: (attempt: number) => unknown,
    retry?: { readonly maxAttempts: number },
    options: Partial<AgentOptions> = {},
  ) {
    const environment = createManualEnvironment()
    const model = scriptedModel([call('a')], [say('Done.')], [say('Again.')])
    const tools = pageTools(
      environment,
      { a: ({ attempt }) => code(attempt) },
      { ...(retry && { retry }) },
    )
    return { ...watchedAgent({ model, tools, ...options }, environment), model }
  }

  const failing = (until: number) => (attempt: number) => {
    if (attempt < until) throw new Error(`failure ${attempt}`)
    return `attempt ${attempt}`
  }

  test('[R4] that fails is not tried again, unless its tool says so', async () => {
    const { agent, model } = calling(failing(2))

    await agent.prompt('Go.')

    expect(resultsIn(model.requests[1])).toEqual(['failure 1'])
  })

  test('[S002-12] [I33] is dispatched again for every attempt, after a pause', async () => {
    const { agent, environment, model, eventsOf } = calling(failing(3), { maxAttempts: 3 })

    await passTime(environment, agent.prompt('Go.'), 50)

    expect(resultsIn(model.requests[1])).toEqual(['attempt 3'])
    expect(eventsOf('auto_retry_start')).toMatchObject([
      {
        scope: 'tool',
        toolCallId: 'call_1',
        attempt: 2,
        delayMs: 500,
        error: { message: 'failure 1' },
      },
      { scope: 'tool', toolCallId: 'call_1', attempt: 3, delayMs: 1000 },
    ])
    expect(eventsOf('auto_retry_end')).toMatchObject([{ scope: 'tool', success: true, attempt: 3 }])
    const dispatched = eventsOf('tool_dispatched')
    expect(dispatched.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(new Set(dispatched.map(({ executionId }) => executionId)).size).toBe(3)
    expect(eventsOf('tool_execution_end')).toMatchObject([{ attempt: 3, isError: false }])
  })

  test('that fails every time gives its last error', async () => {
    const { agent, environment, model, eventsOf } = calling(failing(9), { maxAttempts: 2 })

    await passTime(environment, agent.prompt('Go.'), 50)

    expect(resultsIn(model.requests[1])).toEqual(['failure 2'])
    expect(eventsOf('auto_retry_end')).toMatchObject([{ success: false, attempt: 2 }])
  })

  test('[R4] says why its earlier attempts failed, also after a reload, and not once that is redacted', async () => {
    const storage = memoryStorage()
    const { agent, environment } = calling(failing(3), { maxAttempts: 3 }, { storage, sessionId })
    await passTime(environment, agent.prompt('Go.'), 50)
    const shown = agent.getState().toolCalls.get('call_1')

    expect(shown).toMatchObject({
      ...{ status: 'succeeded', attempt: 3 },
      failedAttempts: [
        { attempt: 1, message: 'failure 1' },
        { attempt: 2, message: 'failure 2' },
      ],
    })
    agent.dispose()
    await agent.stored()
    const again = createAgent({ model: scriptedModel(), storage, sessionId })
    await again.ready
    const stored = again.getState().toolCalls.get('call_1')
    expect(stored?.failedAttempts).toEqual(shown?.failedAttempts)

    await again.redact(stored?.messageId ?? '')
    await quiet()
    expect(again.getState().toolCalls.get('call_1')?.failedAttempts).toEqual([
      { attempt: 1, message: '[redacted]' },
      { attempt: 2, message: '[redacted]' },
    ])
  })

  test('[R4] keeps why it failed before a person retried it apart from why it failed since', async () => {
    const { agent, environment } = calling(failing(4), { maxAttempts: 2 })
    await passTime(environment, agent.prompt('Go.'), 50)
    expect(agent.getState().toolCalls.get('call_1')).toMatchObject({ status: 'failed' })

    await passTime(environment, agent.retryTool('call_1'), 50)

    expect(agent.getState().toolCalls.get('call_1')).toMatchObject({
      status: 'succeeded',
      failedAttempts: [{ attempt: 3, message: 'failure 3' }],
      earlier: [{ status: 'failed', failedAttempts: [{ attempt: 1, message: 'failure 1' }] }],
    })
  })

  test('whose arguments its tool refuses is not tried again', async () => {
    const refuse = () => {
      throw ToolError.invalidArgs('No such path.')
    }
    const { agent, types } = calling(refuse, { maxAttempts: 3 })

    await agent.prompt('Go.')

    expect(types()).not.toContain('auto_retry_start')
  })

  test.for([
    [{ idempotent: false, effects: 'writes' }, 1],
    [{ idempotent: true, effects: 'writes' }, 2],
    [{ idempotent: false, effects: 'reads' }, 2],
  ] as const)(
    '[I33] [R4] that crashed is run again only if that does no harm: %j',
    async ([harm, attempts]) => {
      const environment = createManualEnvironment()
      const host = fakeWorkers([workerTool('a', { retry: { maxAttempts: 3 }, ...harm })], {
        clock: environment.clock,
      })
      const model = scriptedModel([call('a')], [say('Done.')])
      const { agent } = watchedAgent({ model, tools: host }, environment)
      const done = agent.prompt('Go.')
      await quiet()
      host.worker('a').crash('gone')
      await quiet()
      environment.clock.advance(2500)
      await quiet()

      expect(host.started).toHaveLength(attempts)
      if (attempts === 2) host.worker('a', 1).answer('second')
      await done
    },
  )

  test('[I20] an abort in its pause ends it, and says that it may have run', async () => {
    const { agent, environment, eventsOf } = calling(failing(9), { maxAttempts: 3 })
    const done = agent.prompt('Go.')
    await quiet()

    agent.abort()

    expect(await done).toMatchObject({ reason: 'aborted' })
    expect(eventsOf('tool_execution_end')).toMatchObject([
      { outcome: 'cancelled', mayHaveRun: true },
    ])
    expect(eventsOf('tool_dispatched')).toHaveLength(1)
    expect(environment.clock.pending()).toBe(0)
  })
})
