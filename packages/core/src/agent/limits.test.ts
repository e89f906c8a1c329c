import { describe, expect, test } from 'vitest'
import type { Summarize } from '../runtime/compact.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import {
  call,
  fail,
  finish,
  hold,
  type ScriptedAnswer,
  say,
  scriptedModel,
  uses,
} from '../testing/scripted.ts'
import { pageTools, passTime, resultsIn, saidIn, sleeping, watchedAgent } from './agent.fixtures.ts'
import { createAgent } from './create-agent.ts'
import type { AgentOptions } from './options.ts'
import type { RunResult } from './run.ts'

function limited(answers: readonly ScriptedAnswer[], options: Partial<AgentOptions> = {}) {
  const environment = createManualEnvironment()
  const model = scriptedModel(...answers)
  const tools = pageTools(environment, { a: () => 'from a', nap: sleeping(environment, 1000) })
  return { ...watchedAgent({ model, tools, ...options }, environment), model }
}

describe('a deadline', () => {
  test('[I20] [L9] stops the run with its effects, and says so', async () => {
    const { agent, environment, eventsOf } = limited([[call('nap')], [say('Never.')]], {
      deadlineMs: 500,
    })

    const result = await passTime(environment, agent.prompt('Go.'), 50)

    expect(result).toMatchObject({ reason: 'aborted', error: { kind: 'timeout' } })
    expect(eventsOf('abort_requested')).toMatchObject([{ by: 'deadline' }])
    expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'cancelled' }])
    expect(eventsOf('agent_end')[0]?.durationMs).toBeLessThanOrEqual(750)
  })

  test('[I25] leaves no timer behind, and starts again with every run', async () => {
    const { agent, environment } = limited([[say('One.')], [call('nap')], [say('Two.')]], {
      deadlineMs: 1500,
    })
    await agent.prompt('Go.')
    expect(environment.clock.pending()).toBe(0)
    environment.clock.advance(1400)

    expect(await passTime(environment, agent.prompt('Go.'), 100)).toMatchObject({ reason: 'stop' })
  })

  test('counts the pauses between attempts', async () => {
    const { agent, environment, model } = limited([[fail('overloaded')], [say('Never.')]], {
      deadlineMs: 300,
    })

    const result = await passTime(environment, agent.prompt('Go.'), 50)

    expect(result).toMatchObject({ reason: 'aborted', error: { kind: 'timeout' } })
    expect(model.requests).toHaveLength(1)
  })
})

test('a deadline does not wait for a person either', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'a' }, { needsApproval: true })
  const model = scriptedModel([call('a')], [say('Never.')])
  const { agent, eventsOf } = watchedAgent({ model, tools, deadlineMs: 500 }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  environment.clock.advance(500)

  expect(await done).toMatchObject({ reason: 'aborted', error: { kind: 'timeout' } })
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'cancelled', mayHaveRun: false },
  ])
  expect(environment.clock.pending()).toBe(0)
})

describe('a budget', () => {
  test('[S002-12] of tokens ends the run before the request after it is used', async () => {
    const { agent, model, eventsOf } = limited(
      [[call('a', { n: 1 })], [call('a', { n: 2 })], [say('Never.')]],
      { budget: { maxTokens: 30 } },
    )

    expect(await agent.prompt('Go.')).toMatchObject({
      reason: 'budget',
      usage: { inputTokens: 20, outputTokens: 10 },
    })

    expect(model.requests).toHaveLength(2)
    expect(eventsOf('tool_execution_end')).toHaveLength(2)
    expect(eventsOf('agent_end')).toMatchObject([{ maxTurnsReached: false, turns: 2 }])
  })

  test('counts cached tokens and failed attempts, and starts again with every run', async () => {
    const { agent } = limited([[call('a'), uses({ cacheReadTokens: 500 })], [say('Second.')]], {
      budget: { maxTokens: 500 },
    })

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'budget' })
    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Second.' })
  })

  test('does not fail an answer that needs no further request', async () => {
    const { agent } = limited([[say('Done.')]], { budget: { maxTokens: 1 } })

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })
  })

  test('[S002-12] of money ends the run the same way', async () => {
    const model = scriptedModel(
      { reportsCost: true },
      [call('a', { n: 1 }), uses({ cost: 0.06 })],
      [call('a', { n: 2 }), uses({ cost: 0.06 })],
      [say('Never.')],
    )
    const { agent } = limited([], { model, budget: { maxCost: 0.1 } })

    const { reason, usage } = await agent.prompt('Go.')

    expect(reason).toBe('budget')
    expect(usage.cost).toBeCloseTo(0.12)
    expect(model.requests).toHaveLength(2)
  })

  test('of money is refused for a model without prices, at once and by configure', () => {
    const model = scriptedModel()
    const { agent } = limited([])

    expect(() => createAgent({ model, budget: { maxCost: 1 } })).toThrow(
      'budget.maxCost needs a model that says what its answers cost.',
    )
    expect(() => agent.configure({ budget: { maxCost: 1 } })).toThrow(
      'budget.maxCost needs a model that says what its answers cost.',
    )
  })

  test('of money ends a run whose model stops reporting its cost', async () => {
    const model = { ...scriptedModel([call('a')], [say('Never.')]), reportsCost: true }
    const { agent } = limited([], { model, budget: { maxCost: 1 } })

    expect(await agent.prompt('Go.')).toMatchObject({
      reason: 'error',
      error: { kind: 'bad_request', message: expect.stringContaining('maxCost') },
    })
  })
})

describe('equal calls', () => {
  const same = Array.from({ length: 7 }, () => [call('a', { n: 1 })])

  test('[L8] [T1] are noted at the third and stopped at the sixth, which does not run', async () => {
    const { agent, model, eventsOf } = limited([...same], { maxTurns: null })

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'loop_detected' })

    expect(eventsOf('loop_detected')).toMatchObject([
      { toolName: 'a', repetitions: 3, aborted: false },
      { toolName: 'a', repetitions: 6, aborted: true },
    ])
    expect(model.requests).toHaveLength(6)
    expect(eventsOf('tool_dispatched')).toHaveLength(5)
    expect(eventsOf('tool_execution_end').at(-1)).toMatchObject({
      errorKind: 'limit',
      result: { content: [{ text: 'Not run: limit of 6 equal calls reached.' }] },
    })
  })

  test('in one answer count once: many dice at once are no loop', async () => {
    const { agent, eventsOf } = limited(
      [
        Array.from({ length: 8 }, () => call('a', { n: 0 })),
        [call('a', { n: 1 }), call('a', { n: 0 })],
        [call('a', { n: 0 })],
        [say('Done.')],
      ],
      { loopDetection: { noteAt: 3, stopAt: 4 } },
    )

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })

    expect(eventsOf('loop_detected')).toMatchObject([{ turn: 3, repetitions: 3, aborted: false }])
    expect(eventsOf('tool_execution_end').every(({ outcome }) => outcome === 'succeeded')).toBe(
      true,
    )
  })

  test('null: are never a loop; a new run counts from the start', async () => {
    const free = limited([...same, [say('Done.')]], { maxTurns: null, loopDetection: null })
    const twice = limited([...same.slice(0, 4), [say('1')], ...same.slice(0, 4), [say('2')]], {
      maxTurns: null,
    })

    expect(await free.agent.prompt('Go.')).toMatchObject({ reason: 'stop' })
    await twice.agent.prompt('Go.')
    expect(await twice.agent.prompt('Again.')).toMatchObject({ reason: 'stop', text: '2' })
  })
})

describe('an answer that ends otherwise', () => {
  test('[L1] pause_turn is followed by another turn', async () => {
    const { agent, model, eventsOf } = limited([
      [say('Wait'), finish('pause_turn')],
      [say(' here it is.')],
    ])

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: ' here it is.' })

    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(eventsOf('turn_start')).toHaveLength(2)
  })

  test('a refusal ends the run, with the words of the provider if there are any', async () => {
    const { agent } = limited([
      [say('I'), finish('refusal', 'This is about weapons.')],
      [finish('refusal')],
    ])

    expect(await agent.prompt('Go.')).toMatchObject({
      reason: 'refusal',
      error: { kind: 'refusal', message: 'This is about weapons.', retryable: false },
    })
    expect(await agent.prompt('Go.')).toMatchObject({
      reason: 'refusal',
      error: { kind: 'refusal' },
    })
    expect(agent.getState()).toMatchObject({ lastReason: 'refusal', error: { kind: 'refusal' } })
  })

  test.for([
    ['is empty', [], 'empty_answer'],
    ['is cut off', [say('So far'), finish('max_tokens')], 'cut_off'],
  ] as const)('[I23] one that %s ends the run with a warning', async ([, answer, code]) => {
    const { agent, eventsOf } = limited([answer])

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })

    expect(eventsOf('warning')).toMatchObject([{ code }])
  })

  test('[I7] [I18] [S002-10] calls of a cut-off answer are all answered, and the model may try again', async () => {
    const { agent, model, eventsOf } = limited([
      [say('Let me'), call('a'), call('a', { n: 2 }), finish('max_tokens')],
      [say('Shorter.')],
    ])

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Shorter.' })

    expect(resultsIn(model.requests[1])).toEqual(
      Array(2).fill('Not run: the answer was cut off before this call was complete.'),
    )
    expect(eventsOf('tool_execution_end')).toMatchObject([
      { errorKind: 'truncated_call', mayHaveRun: false },
      { errorKind: 'truncated_call', mayHaveRun: false },
    ])
  })
})

test('[L6] calls beyond maxCallsPerTurn are answered, not run', async () => {
  const { agent, model, eventsOf } = limited(
    [[call('a', { n: 1 }), call('a', { n: 2 }), call('a', { n: 3 })], [say('Done.')]],
    { maxCallsPerTurn: 2 },
  )

  await agent.prompt('Go.')

  expect(eventsOf('tool_dispatched')).toHaveLength(2)
  expect(resultsIn(model.requests[1])[2]).toBe('Not run: limit of 2 tool calls per turn reached.')
})

test('[I22] [S002-5] [S004-10] [S004-12] a limit of 3 turns makes exactly 3 requests and runs their calls', async () => {
  const { agent, model, eventsOf } = limited(
    [1, 2, 3, 4].map((n) => [call('a', { n })]),
    { maxTurns: 3 },
  )

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'max_turns' })

  expect(model.requests).toHaveLength(3)
  expect(eventsOf('tool_execution_end')).toHaveLength(3)
  expect(eventsOf('warning')).toMatchObject([
    { code: 'max_turns', message: 'Stopped after 3 turns; the model had not finished.' },
  ])
  expect(await agent.continue()).toMatchObject({ reason: 'error' })
  expect(resultsIn(model.requests[3])).toEqual(['from a', 'from a', 'from a'])
})

describe('a long history', () => {
  const long = 'x'.repeat(400)

  /** Sends long messages, and returns how the run ended in which the history was too long. */
  async function talk(summarize: Summarize, options: Partial<AgentOptions> = {}) {
    const watched = limited([[say(long)], [say(long)], [say('Short.')], [say('Shorter.')]], {
      compaction: { thresholdTokens: 250, keepTokens: 120, summarize },
      ...options,
    })
    await watched.agent.prompt('One.')
    await watched.agent.prompt('Two.')
    return { ...watched, done: watched.agent.prompt(`Three. ${long}`) }
  }

  test('[I37] [L11] is replaced by a summary before the request, and stays in the log', async () => {
    const seen: unknown[] = []
    const { agent, model, eventsOf, done } = await talk(({ messages }) => {
      seen.push(...messages.map(({ role }) => role))
      return 'They said x.'
    })

    expect(await done).toMatchObject({ reason: 'stop', text: 'Short.' })

    expect(eventsOf('compaction_start')).toMatchObject([{ reason: 'threshold' }])
    const [end] = eventsOf('compaction_end')
    expect(end).toMatchObject({ aborted: false, result: { summary: 'They said x.' } })
    expect(end?.result?.tokensAfter).toBeLessThan(end?.result?.tokensBefore ?? 0)
    expect(seen.slice(0, 2)).toEqual(['user', 'assistant'])
    const [summary, ...rest] = saidIn(model.requests[2])
    expect(summary).toBe('Summary of the conversation so far:\n\nThey said x.')
    expect(rest.at(-1)).toBe(`Three. ${long}`)
    expect(model.requests[2]?.messages.length).toBeLessThan(5 + 1)
    expect(JSON.stringify(model.requests[2])).not.toContain('One.')
    expect(agent.getState().messages).toHaveLength(6)
    await agent.prompt('Four.')
    expect(saidIn(model.requests[3])[0]).toContain('They said x.')
  })

  test.for([
    ['throws', (): Promise<string> => Promise.reject(new Error('no words')), 'no words'],
    ['says nothing', (): string => '  ', 'It was empty.'],
  ] as const)('continues without a summary if that %s', async ([, summarize, reason]) => {
    const { model, eventsOf, done } = await talk(summarize)

    expect(await done).toMatchObject({ reason: 'stop', text: 'Short.' })

    expect(eventsOf('compaction_end')).toMatchObject([
      { aborted: false, error: { kind: 'internal', message: expect.stringContaining(reason) } },
    ])
    expect(saidIn(model.requests[2])[0]).toBe('One.')
  })

  test('continues without a summary if that takes longer than a minute', async () => {
    let given: AbortSignal | undefined
    const { environment, eventsOf, done } = await talk((_, { signal }) => {
      given = signal
      return new Promise<never>(() => {})
    })
    await quiet()
    environment.clock.advance(60_000)

    expect(await done).toMatchObject({ reason: 'stop', text: 'Short.' })
    expect(given?.aborted).toBe(true)
    expect(eventsOf('compaction_end')).toMatchObject([{ error: { kind: 'internal' } }])
    expect(environment.clock.pending()).toBe(0)
  })

  test('[I20] an abort does not wait for the summary', async () => {
    let given: AbortSignal | undefined
    const { agent, model, eventsOf, done } = await talk((_, { signal }) => {
      given = signal
      return new Promise<never>(() => {})
    })
    await quiet()
    expect(agent.getState().status).toBe('compacting')
    agent.abort()

    expect(await done).toMatchObject({ reason: 'aborted' })
    expect(given?.aborted).toBe(true)
    expect(eventsOf('compaction_end')).toMatchObject([{ aborted: true }])
    expect(model.requests).toHaveLength(2)
  })

  test.for([10, 60, 110, 160, 210, 260, 310])(
    '[I13] [I28] is never cut between calls and their results: %i tokens are kept',
    async (keepTokens) => {
      const environment = createManualEnvironment()
      const tools = pageTools(environment, { a: () => long })
      const calls = [call('a', { n: 1 }), call('a', { n: 2 }), call('a', { n: 3 })]
      const model = scriptedModel(
        [say('Hi.')],
        [say('So.'), ...calls],
        [say('Done.')],
        [say('Yes.')],
      )
      const compaction = { thresholdTokens: 250, keepTokens, summarize: () => 'They said x.' }
      const { agent, eventsOf } = watchedAgent({ model, tools, compaction }, environment)
      await agent.prompt('One.')
      await agent.prompt('Two.')

      expect(await agent.prompt('Three.')).toMatchObject({ reason: 'stop', text: 'Yes.' })

      expect(eventsOf('compaction_end')[0]).toMatchObject({ result: { summary: 'They said x.' } })
      const kept = eventsOf('compaction_end')[0]?.result?.firstKeptMessageId
      const first = eventsOf('message_end').find(({ message }) => message.id === kept)
      expect(['user', 'assistant']).toContain(first?.message.role)
      const results = resultsIn(model.requests[3]).length
      expect([0, 3]).toContain(results)
    },
  )

  test('[L11] that the model refuses as too long is summarised, and requested once more', async () => {
    const { agent, model, eventsOf } = limited(
      [[say(long)], [fail('context_overflow')], [say('Now.')]],
      {
        compaction: { thresholdTokens: 100_000, keepTokens: 0, summarize: () => 'They said x.' },
      },
    )
    await agent.prompt('One.')

    const result: RunResult = await agent.prompt('Two.')

    expect(result).toMatchObject({ reason: 'stop', text: 'Now.' })
    expect(eventsOf('compaction_start')).toMatchObject([{ reason: 'overflow' }])
    expect(saidIn(model.requests[2])).toEqual([
      'Summary of the conversation so far:\n\nThey said x.',
      'Two.',
    ])
  })
})

test('a run that waits without limit has no timer of its own', async () => {
  const { agent, environment } = limited([[hold()]], { streamIdleMs: null })
  const done = agent.prompt('Go.')
  await quiet()

  expect(environment.clock.pending()).toBe(0)
  agent.abort()
  await done
})
