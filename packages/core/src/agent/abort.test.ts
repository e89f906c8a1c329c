import { describe, expect, test } from 'vitest'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import type { FakeWorker } from '../testing/fake-workers.ts'
import { judgedWorkers } from '../testing/judged-workers.fixtures.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import type { ToolContext } from '../tools/worker/context.ts'
import { type PageCode, pageTools, resultsIn, watchedAgent } from './agent.fixtures.ts'

/** What a tool's worker does before and at the abort. */
const workers: {
  readonly [name: string]: { before: (it: FakeWorker) => void; asked: (it: FakeWorker) => void }
} = {
  'is not ready yet': { before: () => {}, asked: () => {} },
  'was handed its call and has not begun': { before: (it) => it.becomeReady(), asked: () => {} },
  'runs and obeys': { before: start, asked: (it) => it.answer('stopped') },
  'runs and ignores it': { before: start, asked: () => {} },
  'runs and throws': {
    before: start,
    asked: (it) => it.settle({ kind: 'threw', errorKind: 'cancelled', message: 'Stopped.' }),
  },
  'runs and crashes': { before: start, asked: (it) => it.crash('gone') },
  'runs and floods': {
    before: start,
    asked: (it) => {
      for (let i = 0; i < 100; i++) it.update(`${i}`)
    },
  },
}

describe('[I20] an abort ends the run within the grace period', () => {
  test.for(Object.entries(workers))('when a worker %s', async ([, { before, asked }]) => {
    const environment = createManualEnvironment()
    const { clock } = environment
    const host = judgedWorkers([workerTool('a'), workerTool('b')], { clock, readyAtOnce: false })
    const model = scriptedModel([call('a'), call('b')], [say('Never.')])
    const { agent, events } = watchedAgent({ model, tools: host, maxConcurrency: 1 }, environment)
    const done = agent.prompt('Go.')
    await quiet()
    before(host.worker('a'))
    await quiet()

    const abortedAt = events.length
    agent.abort()
    await quiet()
    if (host.worker('a').wasAskedToStop()) asked(host.worker('a'))
    await quiet()
    clock.advance(250)
    const { reason } = await done

    const later = events.slice(abortedAt).map(({ type }) => type)
    expect(reason).toBe('aborted')
    expect(later).not.toContain('tool_dispatched')
    expect(later.at(-1)).toBe('agent_end')
    expect(model.requests).toHaveLength(1)
    expect(host.alive()).toBe(0)
    expect(host.started).toHaveLength(1)
    expect(agent.getState().toolCalls.active).toEqual([])

    clock.advance(2000)
    expect(clock.pending()).toBe(0)
    expect(host.misuses).toEqual([])
    expect(await agent.prompt('Again.')).toMatchObject({ reason: 'stop', text: 'Never.' })
  })

  const codes: { readonly [name: string]: PageCode } = {
    'listens to its signal': untilAborted,
    'never answers': () => new Promise(() => {}),
    'answers only when it is stopped': (context) =>
      new Promise((resolve) => {
        context.signal.addEventListener('abort', () => resolve('late'))
      }),
    'reports on and on when it is stopped': (context) =>
      new Promise(() => {
        context.signal.addEventListener('abort', () => {
          for (let i = 0; i < 100; i++) context.onUpdate({ content: `${i}` })
        })
      }),
  }

  test.for(Object.entries(codes))('when a tool on the page %s', async ([, code]) => {
    const environment = createManualEnvironment()
    const model = scriptedModel([call('work')], [say('Never.')])
    const tools = pageTools(environment, { work: code })
    const { agent, events } = watchedAgent({ model, tools }, environment)
    const done = agent.prompt('Go.')
    await quiet()

    agent.abort()
    await quiet()
    environment.clock.advance(250)

    expect(await done).toMatchObject({ reason: 'aborted' })
    expect(events.at(-1)?.type).toBe('agent_end')
    expect(model.requests).toHaveLength(1)
    expect(environment.clock.pending()).toBe(0)
  })

  const phases = [
    'agent_start',
    'turn_start',
    'message_start',
    'message_update',
    'message_end',
    'tool_execution_start',
    'tool_prepared',
    'tool_dispatched',
    'tool_running',
    'tool_execution_update',
    'tool_execution_end',
    'tools_end',
    'turn_end',
  ] as const

  test.for(phases)('when a listener aborts on the first %s', async (phase) => {
    const environment = createManualEnvironment()
    const model = scriptedModel([say('Well.'), call('work'), call('work')], [say('Done.')])
    const tools = pageTools(environment, {
      work: async ({ onUpdate }) => {
        onUpdate({ content: 'halfway' })
        await Promise.resolve()
        return 'done'
      },
    })
    const { agent, events, types } = watchedAgent({ model, tools }, environment)
    agent.subscribe(({ type }) => {
      if (type === phase) agent.abort()
    })

    const done = agent.prompt('Go.')
    await quiet()
    environment.clock.advance(250)
    await done

    const abort = types().indexOf('abort_requested')
    const later = types().slice(abort)
    expect(later).not.toContain('tool_dispatched')
    expect(later).not.toContain('turn_start')
    expect(events.at(-1)).toMatchObject({ type: 'agent_end', reason: 'aborted' })
    expect(environment.clock.pending()).toBe(0)
  })
})

test('[I15] [I20] finished siblings keep their results, running ones are cancelled, unstarted ones did not run', async () => {
  const environment = createManualEnvironment()
  const { clock } = environment
  const tools = judgedWorkers(
    ['a', 'b', 'c'].map((name) => workerTool(name)),
    { clock },
  )
  const model = scriptedModel([call('a'), call('b'), call('c')], [say('Go on.')])
  const { agent, eventsOf } = watchedAgent({ model, tools, maxConcurrency: 1 }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  tools.worker('a').answer('done')
  await quiet()
  tools.worker('b').begin()

  agent.abort()
  await quiet()
  clock.advance(250)
  await done
  await agent.prompt('And now?')

  const ends = eventsOf('tool_execution_end').map(({ toolName, outcome, mayHaveRun, how }) => [
    toolName,
    outcome,
    mayHaveRun,
    how,
  ])
  expect(ends).toEqual([
    ['a', 'succeeded', true, undefined],
    ['c', 'cancelled', false, undefined],
    ['b', 'cancelled', true, 'terminated'],
  ])
  expect(resultsIn(model.requests[1])).toEqual([
    'done',
    'Cancelled by the user while running. It may have had partial effects.',
    'Cancelled by the user before it started. It did not run.',
  ])
})

test('[I20] abort twice, or at rest, writes nothing more', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { work: () => new Promise(() => {}) })
  const { agent, types } = watchedAgent(
    { model: scriptedModel([call('work')]), tools },
    environment,
  )
  agent.abort()
  const done = agent.prompt('Go.')
  await quiet()

  agent.abort()
  agent.abort()
  environment.clock.advance(250)
  await done
  agent.abort()

  expect(types().filter((type) => type === 'abort_requested')).toHaveLength(1)
})

test('[I25] a tool that disposes of the agent when it is stopped leaves nothing behind', async () => {
  const environment = createManualEnvironment()
  const host = judgedWorkers([workerTool('other')], { clock: environment.clock })
  const tools = pageTools(environment, {
    work: ({ signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => agent.dispose())
      }),
  })
  const model = scriptedModel([call('work'), call('other')])
  const { agent, events } = watchedAgent({ model, tools: [tools, host] }, environment)
  const done = agent.prompt('Go.')
  await quiet()

  agent.abort()
  const before = events.length
  await quiet()

  expect(await done).toMatchObject({ reason: 'interrupted' })
  expect(events).toHaveLength(before)
  expect(host.started).toHaveLength(1)
  expect(host.alive()).toBe(0)
  expect(environment.clock.pending()).toBe(0)
})

function start(it: FakeWorker): void {
  it.becomeReady()
  // It takes a few microtasks from ready to dispatched; only then can the call start.
  setTimeout(() => it.begin())
}

function untilAborted({ signal }: ToolContext): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
