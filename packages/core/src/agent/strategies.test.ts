import { expect, test } from 'vitest'
import type { AgentEvent, ToolExecution } from '../kernel/events.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import type { FakeWorkers } from '../testing/fake-workers.ts'
import { judgedWorkers } from '../testing/judged-workers.fixtures.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import {
  catchReports,
  pageTools,
  passTime,
  resultsIn,
  saidIn,
  sleeping,
  watchedAgent,
} from './agent.fixtures.ts'
import type { AgentOptions } from './options.ts'

const batchedByTwo: ToolExecution = { type: 'batched', size: 2 }

test.for([
  ['parallel', 50],
  ['sequential', 150],
  [batchedByTwo, 100],
] as const)(
  '[I14] [S003-11] [S003-12] [S000-5] three tools of 50 ms: %j takes %i ms',
  async ([toolExecution, ms]) => {
    const environment = createManualEnvironment()
    const nap = sleeping(environment, 50)
    const tools = pageTools(environment, { a: nap, b: nap, c: nap })
    const model = scriptedModel([call('a'), call('b'), call('c')], [say('Rested.')])
    const { agent, eventsOf } = watchedAgent({ model, tools, toolExecution }, environment)

    await passTime(environment, agent.prompt('Sleep.'))

    expect(eventsOf('agent_end')).toMatchObject([{ reason: 'stop', durationMs: ms }])
    expect(resultsIn(model.requests[1])).toEqual(['a slept', 'b slept', 'c slept'])
  },
)

test('[S003-12] tools of the application run beside given ones', async () => {
  const environment = createManualEnvironment()
  const given = judgedWorkers([workerTool('given')], { clock: environment.clock })
  const own = pageTools(environment, { own: () => 'of my own' })
  const model = scriptedModel([call('own'), call('given')], [say('Both.')])
  const { agent } = watchedAgent({ model, tools: [given, own] }, environment)
  const done = agent.prompt('Use both.')
  await quiet()

  given.worker('given').begin()
  given.worker('given').answer('as given')

  expect(await done).toMatchObject({ reason: 'stop', text: 'Both.' })
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['given', 'own'])
  expect(resultsIn(model.requests[1])).toEqual(['of my own', 'as given'])
})

/** Four calls; reports at every step which of them run. */
function fourCalls(options: Partial<AgentOptions>, alone: readonly string[] = []) {
  const environment = createManualEnvironment()
  const names = ['a', 'b', 'c', 'd']
  const host = judgedWorkers(
    names.map((name) =>
      workerTool(name, { executionMode: alone.includes(name) ? 'sequential' : 'parallel' }),
    ),
    { clock: environment.clock },
  )
  const model = scriptedModel(
    names.map((name) => call(name)),
    [say('Done.')],
  )
  const watched = watchedAgent({ model, tools: host, ...options }, environment)
  return { ...watched, host, model, names }
}

function atWork({ started }: FakeWorkers): string {
  return started
    .filter((puppet) => puppet.request() && !puppet.isClosed())
    .map(({ toolName }) => toolName)
    .join('')
}

/** Ends the first running call until none runs; returns the running calls of each step. */
async function answerOneByOne(host: FakeWorkers): Promise<readonly string[]> {
  const seen: string[] = []
  for (;;) {
    await quiet()
    const working = atWork(host)
    const [first] = working
    if (first === undefined) return seen
    seen.push(working)
    host.worker(first).answer(`from ${first}`)
  }
}

const overlaps: readonly (readonly [string, Partial<AgentOptions>, string, readonly string[]])[] = [
  ['all at once', { toolExecution: 'parallel' }, 'abcd bcd cd d', []],
  ['no more than maxConcurrency', { maxConcurrency: 2 }, 'ab bc cd d', []],
  ['one by one', { toolExecution: 'sequential' }, 'a b c d', []],
  [
    'in groups, the next after the last of the one before',
    { toolExecution: batchedByTwo },
    'ab b cd d',
    [],
  ],
  [
    'in groups with room for more',
    { toolExecution: { type: 'batched', size: 9 } },
    'abcd bcd cd d',
    [],
  ],
  ['a tool that is sequential by itself', {}, 'ab b c d', ['c']],
  ['two such tools', {}, 'a b cd d', ['a', 'b']],
  ['such a tool in a group', { toolExecution: batchedByTwo }, 'a b cd d', ['b']],
]

test.for(overlaps)(
  '[I14] [I9] [S003-11] [S002-12] calls overlap as they may: %s',
  async ([, options, expected, alone]) => {
    const { agent, host, model } = fourCalls(options, alone)
    const done = agent.prompt('Go.')

    const seen = await answerOneByOne(host)

    expect(seen.join(' ')).toBe(expected)
    expect(await done).toMatchObject({ reason: 'stop' })
    expect(host.misuses).toEqual([])
    expect(resultsIn(model.requests[1])).toEqual(['from a', 'from b', 'from c', 'from d'])
  },
)

test('[I9] [S000-4] [S000-10] every call of a unit has its start before any of it runs', async () => {
  const { agent, host, types } = fourCalls({ toolExecution: batchedByTwo })
  const done = agent.prompt('Go.')
  await answerOneByOne(host)
  await done

  const received = types().filter(
    (type) => type === 'tool_execution_start' || type === 'tool_dispatched',
  )

  const unit = [
    'tool_execution_start',
    'tool_execution_start',
    'tool_dispatched',
    'tool_dispatched',
  ]
  expect(received).toEqual([...unit, ...unit])
})

test('[I11] [I12] [S000-7] [S000-8] ends are written as calls end, results in call order', async () => {
  const { agent, host, model, eventsOf } = fourCalls({})
  const done = agent.prompt('Go.')
  await quiet()
  for (const name of ['d', 'b', 'a', 'c']) {
    host.worker(name).answer(`from ${name}`)
    await quiet()
  }
  await done

  expect(
    eventsOf('tool_execution_end')
      .map(({ toolName }) => toolName)
      .join(''),
  ).toBe('dbac')
  expect(resultsIn(model.requests[1])).toEqual(['from a', 'from b', 'from c', 'from d'])
  expect(eventsOf('tools_end')).toMatchObject([
    {
      executionResults: [
        { toolName: 'a' },
        { toolName: 'b' },
        { toolName: 'c' },
        { toolName: 'd' },
      ],
    },
  ])
})

test('[I11] [S000-7] a listener may get the ends in call order, after all calls have ended', async () => {
  const { agent, host } = fourCalls({})
  const received: string[] = []
  agent.subscribe(
    (event) => {
      if (event.type === 'tool_execution_end') received.push(event.toolName)
      else if (event.type === 'tools_end') received.push('tools_end')
    },
    { endOrder: 'call' },
  )
  const done = agent.prompt('Go.')
  await quiet()
  for (const name of ['d', 'b', 'a']) host.worker(name).answer(name)
  await quiet()
  expect(received).toEqual([])

  host.worker('c').answer('c')
  await done

  expect(received).toEqual(['a', 'b', 'c', 'd', 'tools_end'])
})

test('[I11] [I30] so does a listener that throws at each', async () => {
  const reports = catchReports()
  const { agent, host } = fourCalls({})
  const received: string[] = []
  const listener = (event: AgentEvent) => {
    if (event.type !== 'tool_execution_end' && event.type !== 'tools_end') return
    received.push('toolName' in event ? event.toolName : event.type)
    throw new Error('bad listener')
  }
  agent.subscribe(listener, { endOrder: 'call' })
  const done = agent.prompt('Go.')
  await quiet()
  for (const name of ['d', 'b', 'a', 'c']) host.worker(name).answer(name)
  await done

  expect(received).toEqual(['a', 'b', 'c', 'd', 'tools_end'])
  expect(reports).toHaveLength(5)
})

test('[I11] one that leaves at the first gets none of the others', async () => {
  const { agent, host } = fourCalls({})
  const received: string[] = []
  const leave = agent.subscribe(
    (event) => {
      if (event.type !== 'tool_execution_end') return
      received.push(event.toolName)
      leave()
    },
    { endOrder: 'call' },
  )
  const done = agent.prompt('Go.')
  await quiet()
  for (const name of ['d', 'b', 'a', 'c']) host.worker(name).answer(name)
  await done

  expect(received).toEqual(['a'])
})

const skipping: readonly (readonly [ToolExecution, string, readonly string[]])[] = [
  ['sequential', 'a', ['b', 'c', 'd']],
  [batchedByTwo, 'ab', ['c', 'd']],
  ['parallel', 'abcd', []],
]

test.for(skipping)(
  '[I16] [S003-11] [S000-9] %j: steering lets %s finish and skips what has not started',
  async ([toolExecution, started, skipped]) => {
    const { agent, host, model, eventsOf } = fourCalls({ toolExecution })
    const done = agent.prompt('Go.')
    await quiet()
    agent.steer('Rather do this.')
    await quiet()
    expect(atWork(host)).toBe(started)
    expect(host.started.some((puppet) => puppet.wasAskedToStop())).toBe(false)

    await answerOneByOne(host)

    expect(await done).toMatchObject({ reason: 'stop' })
    expect(saidIn(model.requests[1])).toEqual(['Go.', 'Rather do this.'])
    expect(resultsIn(model.requests[1])).toEqual(
      ['a', 'b', 'c', 'd'].map((name) =>
        skipped.includes(name) ? 'Not run: the user sent a new message.' : `from ${name}`,
      ),
    )
    expect(
      eventsOf('tool_execution_end').flatMap(({ toolName, outcome }) =>
        outcome === 'skipped' ? [toolName] : [],
      ),
    ).toEqual(skipped)
    expect(host.started).toHaveLength(started.length)
  },
)

test.for([
  ['parallel', 'abcd'],
  ['sequential', 'a'],
] as const)(
  '[I16] %s: steering that came while the answer streamed skips nothing of the first unit (%s)',
  async ([toolExecution, started]) => {
    const { agent, host, model } = fourCalls({ toolExecution })
    let hasSpoken = false
    agent.subscribe((event) => {
      if (event.type !== 'message_update' || hasSpoken) return
      hasSpoken = true
      agent.steer('Rather do this.')
    })
    const done = agent.prompt('Go.')

    await answerOneByOne(host)

    expect(await done).toMatchObject({ reason: 'stop' })
    expect(host.started.map(({ toolName }) => toolName).join('')).toBe(started)
    expect(saidIn(model.requests[1])).toEqual(['Go.', 'Rather do this.'])
  },
)
