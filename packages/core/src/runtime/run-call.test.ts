import { expect, test } from 'vitest'
import { z } from 'zod'
import { pageTools, type Watched, watchedAgent } from '../agent/agent.fixtures.ts'
import type { AgentOptions } from '../agent/options.ts'
import { createDeferred } from '../internal/deferred.ts'
import { type JudgedWorkers, judgedWorkers } from '../testing/judged-workers.fixtures.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool, type Tool } from '../tools/definition.ts'
import type { ToolHost } from '../tools/host.ts'
import { inPage } from '../tools/page/page-host.ts'
import { toolResult } from '../tools/result/tool-result.ts'
import { implement } from '../tools/worker/implement.ts'
import { createManualEnvironment, quiet } from './environment.fixtures.ts'
import type { FinishedCall } from './hooks.ts'
import { workerTool } from './worker-tool.fixtures.ts'

test('[I33] a slot and a ready worker come first, then the fact, then the call', async () => {
  const { host, eventsOf } = running(['a'], { readyAtOnce: false })
  await quiet()
  expect(eventsOf('tool_prepared')).toHaveLength(1)
  expect(eventsOf('tool_dispatched')).toEqual([])

  host.worker('a').becomeReady()
  await quiet()

  expect(eventsOf('tool_dispatched')).toMatchObject([
    { toolCallId: 'call_1', attempt: 1, executionId: 'exec_1' },
  ])
  expect(host.worker('a').request()).toMatchObject({ executionId: 'exec_1', input: { of: 'a' } })
  await finish({ host })
})

test('[I33] [I34] one call is posted once, even if its worker sends everything twice', async () => {
  const { host, done, eventsOf, environment } = running(['a'])
  await quiet()
  const worker = host.worker('a')

  worker.begin()
  worker.begin()
  worker.update('half')
  worker.answer('first')
  worker.answer('second')
  worker.crash('third')
  worker.begin()
  worker.update('late')
  await done

  expect(host.started).toHaveLength(1)
  expect(eventsOf('tool_running')).toHaveLength(1)
  expect(eventsOf('tool_execution_update')).toHaveLength(1)
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'succeeded', result: { content: [{ text: 'first' }] } },
  ])
  expect(environment.clock.pending()).toBe(0)
})

test('[I10] [I21] a worker that sends an update before it says that it runs, runs', async () => {
  const { host, done, types, eventsOf, environment } = running(['a'])
  await quiet()

  host.worker('a').progress(5)
  environment.clock.advance(60_000)
  environment.clock.advance(250)
  await done

  expect(types().filter((type) => type === 'tool_running' || type === 'tool_progress')).toEqual([
    'tool_running',
    'tool_progress',
  ])
  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'timed_out' }])
})

test('[I21] a timeout counts from when the code runs, and ends what ignores it after the grace period', async () => {
  const { host, done, eventsOf, environment } = running(['a'], { timeoutMs: 3000 })
  await quiet()
  environment.clock.advance(2000)
  await quiet()
  host.worker('a').begin()

  environment.clock.advance(2999)
  expect(host.worker('a').wasAskedToStop()).toBe(false)
  environment.clock.advance(1)
  expect(host.worker('a').wasAskedToStop()).toBe(true)
  environment.clock.advance(249)
  await quiet()
  expect(eventsOf('tool_execution_end')).toEqual([])
  environment.clock.advance(1)
  await done

  expect(eventsOf('tool_execution_end')).toMatchObject([
    {
      outcome: 'timed_out',
      errorKind: 'timeout',
      how: 'terminated',
      mayHaveRun: true,
      result: {
        content: [
          { text: 'Timed out after 3 s and was stopped. It may have had partial effects.' },
        ],
      },
      timing: { queuedMs: 0, startMs: 2000, runMs: 3250 },
    },
  ])
  expect(host.worker('a').isClosed()).toBe(true)
})

test('[I21] a call whose code never starts times out too', async () => {
  const { done, eventsOf, environment } = running(['a'], { timeoutMs: 3000 })
  await quiet()

  environment.clock.advance(3250)
  await done

  expect(eventsOf('tool_running')).toEqual([])
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'timed_out', how: 'terminated', timing: { startMs: 3250, runMs: 0 } },
  ])
})

test('[I21] resources that take longer than the timeout end the call before it runs', async () => {
  const { agent, eventsOf, environment } = withResources(() => new Promise(() => {}))
  const done = agent.prompt('Go.')
  await quiet()

  environment.clock.advance(60_000)
  await done

  expect(eventsOf('tool_execution_end')).toMatchObject([
    {
      mayHaveRun: false,
      result: {
        content: [
          { text: 'The tool could not be started (its resources took too long). It did not run.' },
        ],
      },
    },
  ])
  expect(environment.clock.pending()).toBe(0)
})

test('the time in the queue ends, and the time of the start counts, when the slot is taken', async () => {
  const { host, done, eventsOf, environment } = running(['a', 'b'], {
    maxConcurrency: 1,
    readyAtOnce: false,
  })
  await quiet()
  environment.clock.advance(30)
  host.worker('a').becomeReady()
  await quiet()
  host.worker('a').answer('a')
  await quiet()
  environment.clock.advance(7)
  host.worker('b').becomeReady()
  await quiet()
  host.worker('b').begin()
  environment.clock.advance(5)
  host.worker('b').answer('b')
  await done

  expect(eventsOf('tool_execution_end').map(({ timing }) => timing)).toMatchObject([
    { queuedMs: 0, startMs: 30 },
    { queuedMs: 30, startMs: 7, runMs: 5 },
  ])
})

test('[I25] the slot of a worker that crashed is held until the worker is surely dead', async () => {
  const { host, done, environment } = running(['a', 'b'], { maxConcurrency: 1 })
  await quiet()
  host.worker('a').begin()
  host.worker('a').crash('out of memory')
  await quiet()

  environment.clock.advance(1999)
  await quiet()
  expect(host.started).toHaveLength(1)
  environment.clock.advance(1)
  await quiet()

  expect(host.started).toHaveLength(2)
  host.worker('b').answer('b')
  await done
})

test('a timeout of null is none', async () => {
  const { host, done, eventsOf, environment } = running(['a'], { timeoutMs: null })
  await quiet()
  host.worker('a').begin()

  environment.clock.advance(10_000_000)
  expect(environment.clock.pending()).toBe(0)
  host.worker('a').answer('at last')
  await done

  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'succeeded' }])
})

test('a call that timed out and ends within the grace period has ended by itself', async () => {
  const { host, done, eventsOf, environment } = running(['a'], { timeoutMs: 10 })
  await quiet()
  host.worker('a').begin()
  environment.clock.advance(10)

  host.worker('a').answer('I was stopped')
  await done

  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'timed_out', how: 'cooperative' },
  ])
  expect(environment.clock.pending()).toBe(0)
})

test('the first reason to stop counts', async () => {
  const { host, agent, done, eventsOf, environment } = running(['a'], { timeoutMs: 10 })
  await quiet()
  host.worker('a').begin()
  environment.clock.advance(10)

  agent.cancelTool('call_1')
  environment.clock.advance(250)
  await done

  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'timed_out' }])
  expect(host.misuses).toEqual([])
})

test('a worker that cannot be started did not run its call', async () => {
  const { host, done, eventsOf, types } = running(['a'], { readyAtOnce: false })
  await quiet()

  host.worker('a').failToStart('no such script')
  await done

  expect(types()).not.toContain('tool_dispatched')
  expect(eventsOf('tool_execution_end')).toMatchObject([
    {
      outcome: 'failed',
      errorKind: 'crashed',
      mayHaveRun: false,
      result: {
        content: [{ text: 'The tool could not be started (no such script). It did not run.' }],
      },
    },
  ])
})

test('[I33] a worker that breaks while its call waits for its resources did not run it', async () => {
  const resources = createDeferred<Record<string, ArrayBuffer>>()
  const tool = { ...workerTool('a'), resources: () => resources.promise }
  const environment = createManualEnvironment()
  const host = judgedWorkers([tool], { clock: environment.clock })
  const model = scriptedModel([call('a')], [say('Done.')])
  const { agent, eventsOf, types } = watchedAgent({ model, tools: host }, environment)
  const done = agent.prompt('Go.')
  await quiet()

  host.worker('a').crash('broken')
  resources.resolve({})
  await done

  expect(types()).not.toContain('tool_dispatched')
  expect(eventsOf('tool_execution_end')).toMatchObject([
    {
      mayHaveRun: false,
      result: { content: [{ text: 'The tool could not be started (broken). It did not run.' }] },
    },
  ])
})

test('a worker that crashes may have run its call', async () => {
  const { host, done, eventsOf, environment } = running(['a'])
  await quiet()
  host.worker('a').begin()

  host.worker('a').crash('out of memory')
  await done

  expect(eventsOf('tool_execution_end')).toMatchObject([
    {
      outcome: 'failed',
      errorKind: 'crashed',
      mayHaveRun: true,
      result: {
        content: [{ text: 'The tool crashed (out of memory). It may have had partial effects.' }],
      },
    },
  ])
  // Only the timer of its slot is left.
  expect(environment.clock.pending()).toBe(1)
  environment.clock.advance(2000)
  expect(environment.clock.pending()).toBe(0)
})

const rude: readonly (readonly [string, () => never])[] = [
  [
    'throws',
    () => {
      throw new Error('broken host')
    },
  ],
  [
    'throws what has no text',
    () => {
      throw Object.create(null)
    },
  ],
]

test.for(rude)('[I25] a host whose run %s ends its call as crashed', async ([, run]) => {
  const environment = createManualEnvironment()
  const tool = workerTool('a')
  const host: ToolHost = {
    tools: [tool],
    check: () => Promise.resolve(),
    open: () => ({
      ready: Promise.resolve(),
      run: (_, listener) => {
        listener({ type: 'running' })
        return run()
      },
      stop: () => {},
      close: () => {},
    }),
  }
  const { agent, eventsOf } = watchedAgent(
    { model: scriptedModel([call('a')], [say('Oh.')]), tools: host },
    environment,
  )

  const { reason } = await agent.prompt('Go.')

  expect(reason).toBe('stop')
  const [end] = eventsOf('tool_execution_end')
  expect(end).toMatchObject({ errorKind: 'crashed', mayHaveRun: true })
  expect(JSON.stringify(end?.result)).toContain('It may have had partial effects.')
  environment.clock.advance(2000)
  expect(environment.clock.pending()).toBe(0)
})

test('[I20] [I25] a call that was cancelled before it was dispatched leaves no worker', async () => {
  const watched = running(['a'])
  const { host, agent, done } = watched
  agent.subscribe((event) => {
    if (event.type === 'tool_prepared') agent.abort()
  })

  expect(await done).toMatchObject({ reason: 'aborted' })
  await quiet()

  expect(host.alive()).toBe(0)
  expect(host.started.map((worker) => worker.request())).toEqual([null])
})

test('[I14] slots are taken first come, first served', async () => {
  const { host, done, eventsOf } = running(['a', 'b', 'c', 'd'], { maxConcurrency: 2 })
  await quiet()
  expect(host.started.map(({ toolName }) => toolName)).toEqual(['a', 'b'])

  host.worker('b').answer('b')
  await quiet()
  expect(host.started.map(({ toolName }) => toolName)).toEqual(['a', 'b', 'c'])
  host.worker('c').answer('c')
  await quiet()
  host.worker('d').answer('d')
  host.worker('a').answer('a')
  await done

  expect(eventsOf('tool_execution_end').map(({ toolName }) => toolName)).toEqual([
    'b',
    'c',
    'd',
    'a',
  ])
  expect(eventsOf('tools_end')).toMatchObject([
    { toolCallIds: ['call_1', 'call_2', 'call_3', 'call_4'] },
  ])
})

test('[I14] all calls run at once if there are slots enough', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `t${index}`)
  const { host, done, eventsOf } = running(names)
  await quiet()

  expect(host.alive()).toBe(8)
  expect(eventsOf('tool_dispatched')).toHaveLength(8)
  await finish({ host })
  await done
})

test('[I25] the slot of a killed worker is held until the worker is surely dead', async () => {
  const { host, agent, done, environment } = running(['a', 'b'], { maxConcurrency: 1 })
  await quiet()
  host.worker('a').begin()
  agent.cancelTool('call_1')

  environment.clock.advance(250)
  await quiet()
  expect(host.worker('a').isClosed()).toBe(true)
  environment.clock.advance(1999)
  await quiet()
  expect(host.started).toHaveLength(1)
  environment.clock.advance(1)
  await quiet()

  expect(host.started).toHaveLength(2)
  host.worker('b').answer('b')
  await done
  expect(environment.clock.pending()).toBe(0)
})

test('[I25] the slot of a worker that ended by itself is free at once', async () => {
  const { host, agent, done } = running(['a', 'b'], { maxConcurrency: 1 })
  await quiet()
  host.worker('a').begin()
  agent.cancelTool('call_1')

  host.worker('a').answer('stopped')
  await quiet()

  expect(host.started).toHaveLength(2)
  await finish({ host })
  await done
})

test('[I25] dispose leaves no timer, not even that of a killed worker', async () => {
  const { host, agent, done, environment } = running(['a', 'b'])
  await quiet()
  host.worker('a').begin()
  host.worker('b').begin()
  agent.cancelTool('call_1')
  environment.clock.advance(250)
  await quiet()

  agent.dispose()

  // At once, because a page that is being left may have no later.
  expect(host.alive()).toBe(0)
  expect(await done).toMatchObject({ reason: 'interrupted' })
  expect(environment.clock.pending()).toBe(0)
})

test('[I34] a call that was not cut off is not called interrupted, whatever its worker posts', async () => {
  const { host, done, eventsOf } = running(['a'])
  await quiet()
  host.worker('a').begin()

  host.worker('a').settle({ kind: 'threw', errorKind: 'interrupted', message: 'Forged.' })
  await done

  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'failed', errorKind: 'failed', result: { content: [{ text: 'Forged.' }] } },
  ])
})

test('[I34] messages of a worker that was killed change nothing', async () => {
  const { host, agent, done, events, environment } = running(['a'])
  await quiet()
  host.worker('a').begin()
  agent.abort()
  environment.clock.advance(250)
  await done
  const before = JSON.stringify(events)

  host.worker('a').update('late')
  host.worker('a').answer('late')
  host.worker('a').crash('late')
  await quiet()

  expect(JSON.stringify(events)).toBe(before)
  expect(host.misuses).toEqual([])
})

test('[I20] a call that was dispatched and stopped in the same moment never runs', async () => {
  const { host, agent, done, eventsOf } = running(['a'])
  agent.subscribe((event) => {
    if (event.type === 'tool_dispatched') agent.cancelTool(event.toolCallId)
  })
  await done

  expect(host.worker('a').request()).toBeNull()
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'cancelled', how: 'cooperative' },
  ])
})

test('messages of a running call become events, in order', async () => {
  const { host, done, events } = running(['a'])
  await quiet()
  const worker = host.worker('a')

  worker.begin()
  worker.update('half')
  worker.progress(50)
  worker.log('a line')
  worker.custom('drawn')
  worker.answer('all')
  await done

  const received = events.filter((event) => 'toolCallId' in event)
  expect(received).toMatchObject([
    { type: 'tool_execution_start' },
    { type: 'tool_prepared' },
    { type: 'tool_dispatched' },
    { type: 'tool_running', executionId: 'exec_1', attempt: 1 },
    { type: 'tool_execution_update', partialResult: { content: [{ text: 'half' }] } },
    { type: 'tool_progress', value: 50, total: 100, toolName: 'a' },
    { type: 'tool_log', lines: [{ text: 'a line' }], dropped: 0 },
    { type: 'tool_custom', name: 'drawn', data: { of: 'a' } },
    { type: 'tool_execution_end' },
  ])
})

test('[I20] resources that never come do not hold up the run', async () => {
  const { agent, eventsOf, types } = withResources(() => new Promise(() => {}))
  const done = agent.prompt('Go.')
  await quiet()

  agent.abort()

  expect(await done).toMatchObject({ reason: 'aborted' })
  expect(types()).not.toContain('tool_dispatched')
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'cancelled', mayHaveRun: false },
  ])
})

test.for([
  ['an error', new Error('no such file')],
  ['a result', { content: 'no such file', details: { page: 1 } }],
] as const)(
  '[T2] resources that fail with %s, fail the call before it runs',
  async ([, thrown]) => {
    const { agent, eventsOf, types } = withResources(() => {
      throw thrown
    })

    await agent.prompt('Go.')

    expect(types()).not.toContain('tool_dispatched')
    expect(eventsOf('tool_execution_end')).toMatchObject([
      {
        outcome: 'failed',
        errorKind: 'failed',
        mayHaveRun: false,
        result: { content: [{ text: 'no such file' }] },
      },
    ])
  },
)

test.for([
  ['a view of bytes', { bytes: new Uint8Array(3) }],
  ['a list', [new ArrayBuffer(3)]],
  ['nothing', undefined],
] as const)('resources that no code can get fail the call in a sentence: %s', async ([, given]) => {
  const { agent, eventsOf, types } = withResources(() => given as never)

  await agent.prompt('Go.')

  expect(types()).not.toContain('tool_dispatched')
  const text = expect.stringMatching(/^The resources of "read" must be .* It did not run\.$/)
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'failed', mayHaveRun: false, result: { content: [{ text }] } },
  ])
})

test('[I25] a worker whose call got no resources is closed', async () => {
  const environment = createManualEnvironment()
  const tool: Tool = {
    ...workerTool('a'),
    resources: () => Promise.reject(new Error('no such file')),
  }
  const host = judgedWorkers([tool], { clock: environment.clock })
  const model = scriptedModel([call('a')], [say('Oh.')])
  const { agent } = watchedAgent({ model, tools: host }, environment)

  await agent.prompt('Go.')

  expect(host.started).toHaveLength(1)
  expect(host.alive()).toBe(0)
})

test('[I1] [L7] resources get the checked input, and their changes to it change no event', async () => {
  const inputs: string[] = []
  const { agent, eventsOf } = withResources((input) => {
    inputs.push(JSON.stringify(input))
    if (Array.isArray(input.list)) input.list.push('mine')
    return { bytes: new ArrayBuffer(3) }
  })

  const { text } = await agent.prompt('Go.')

  expect(inputs).toEqual(['{"list":["a"],"size":1}'])
  expect(eventsOf('tool_prepared').map(({ effectiveArgs }) => effectiveArgs)).toEqual([
    { list: ['a'] },
  ])
  expect(text).toBe('["a"] 3')
})

test('too many files fail their call, and the run continues', async () => {
  const make = workerTool('make')
  const environment = createManualEnvironment()
  const host = judgedWorkers([make], environment)
  const model = scriptedModel([call('make'), call('make')], [say('One was too large.')])
  const { agent, eventsOf } = watchedAgent(
    { model, tools: host, maxArtifactBytes: 10 },
    environment,
  )
  const done = agent.prompt('Go.')
  await quiet()
  const file = (text: string) => ({ name: 'a.txt', mediaType: 'text/plain', data: text })

  await host.worker('make', 0).returns(toolResult({ artifacts: [file('123456')] }))
  await host.worker('make', 1).returns(toolResult({ artifacts: [file('12345')] }))

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'succeeded', result: { artifacts: [{ bytes: 6 }] } },
    { outcome: 'failed', errorKind: 'limit' },
  ])
  expect(JSON.stringify(model.requests[1])).toContain('Return less, or raise maxArtifactBytes.')
})

test('[W15] what is cut from a result is kept whole, if there is room, and fails no call', async () => {
  const make = workerTool('make')
  const environment = createManualEnvironment()
  const host = judgedWorkers([make], environment)
  const model = scriptedModel([call('make'), call('make')], [say('Long.')])
  const { agent, eventsOf } = watchedAgent(
    { model, tools: host, maxArtifactBytes: 2_000_000 },
    environment,
  )
  const done = agent.prompt('Go.')
  await quiet()
  const long = 'x'.repeat(1_500_000)

  await host.worker('make', 0).returns(long)
  await host.worker('make', 1).returns(long)
  await done

  const [first, second] = eventsOf('tool_execution_end')
  expect(first).toMatchObject({
    outcome: 'succeeded',
    truncatedForModel: true,
    result: { artifacts: [{ name: 'content.txt', mediaType: 'text/plain', bytes: 1_500_000 }] },
  })
  const artifactId = first?.result.artifacts?.[0]?.artifactId ?? ''
  expect(await (await agent.getArtifact(artifactId))?.text()).toBe(long)
  expect(second).toMatchObject({ outcome: 'succeeded' })
  expect(second?.result).not.toHaveProperty('artifacts')
  const read = JSON.stringify(model.requests[1])
  expect(read.match(/characters cut/g)).toHaveLength(2)
  expect(read.match(/500\.1 KB of the result were cut out of it/g)).toHaveLength(2)
})

test('[W15] a result that a hook has replaced is not kept whole', async () => {
  const make = workerTool('make')
  const environment = createManualEnvironment()
  const host = judgedWorkers([make], environment)
  const found: (string | undefined)[] = []
  const hooks = {
    afterToolCall: ({ result }: FinishedCall) => {
      found.push(result.artifacts?.[0]?.artifactId)
      return { content: '[redacted]' }
    },
  }
  const model = scriptedModel([call('make')], [say('Done.')])
  const { agent, eventsOf } = watchedAgent({ model, tools: host, hooks }, environment)
  const done = agent.prompt('Go.')
  await quiet()

  await host.worker('make', 0).returns('x'.repeat(1_500_000))
  await done

  const [end] = eventsOf('tool_execution_end')
  expect(end?.result).toEqual({ content: [{ type: 'text', text: '[redacted]' }] })
  expect(found).toEqual([expect.any(String)])
  expect(await agent.getArtifact(found[0] ?? '')).toBeUndefined()
})

test('artifacts are kept beside the log, and named in it', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, {
    export: () =>
      toolResult({
        content: 'exported',
        artifacts: [{ name: 'a.csv', mediaType: 'text/csv', data: 'a,b' }],
      }),
  })
  const { agent, eventsOf } = watchedAgent(
    { model: scriptedModel([call('export')], [say('Done.')]), tools },
    environment,
  )

  await agent.prompt('Export.')

  const artifact = { artifactId: 'artifact_1', name: 'a.csv', mediaType: 'text/csv', bytes: 3 }
  expect(eventsOf('tool_execution_end')).toMatchObject([{ result: { artifacts: [artifact] } }])
  expect(await (await agent.getArtifact('artifact_1'))?.text()).toBe('a,b')
  expect(await agent.getArtifact('artifact_2')).toBeUndefined()
})

interface RunningCalls extends Watched {
  readonly host: JudgedWorkers
  readonly done: ReturnType<Watched['agent']['prompt']>
}

interface RunningOptions extends Partial<AgentOptions> {
  readonly readyAtOnce?: boolean
  readonly timeoutMs?: number | null
}

/** A run whose first answer calls these tools, one call each, in workers that the test plays. */
function running(
  names: readonly string[],
  { readyAtOnce = true, timeoutMs = 60_000, ...options }: RunningOptions = {},
): RunningCalls {
  const environment = createManualEnvironment()
  const { clock } = environment
  const tools = names.map((name) => workerTool(name, { timeoutMs }))
  const host = judgedWorkers(tools, { clock, readyAtOnce })
  const model = scriptedModel(
    names.map((name) => call(name, { of: name })),
    [say('Done.')],
  )
  const watched = watchedAgent({ model, tools: host, ...options }, environment)
  return { ...watched, host, done: watched.agent.prompt('Go.') }
}

async function finish({ host }: Pick<RunningCalls, 'host'>): Promise<void> {
  for (const worker of host.started) {
    worker.answer('done')
    await quiet()
  }
}

function withResources(
  resources: (input: { list: unknown }) => Record<string, ArrayBuffer> | Promise<never>,
): Watched {
  const environment = createManualEnvironment()
  const tool = defineTool({
    name: 'read',
    description: 'Reads.',
    place: 'page',
    inputSchema: z.object({ list: z.unknown(), size: z.number().default(1) }),
    resources,
  })
  const tools = inPage(
    [
      implement(tool, ({ list }, context) => {
        const { bytes } = context.resources
        return `${JSON.stringify(list)} ${bytes instanceof ArrayBuffer ? bytes.byteLength : '?'}`
      }),
    ],
    { clock: environment.clock },
  )
  const model = scriptedModel([call('read', { list: ['a'] })], ({ messages }) => {
    const last = messages.at(-1)
    const [part] = last?.role === 'toolResult' ? last.content : []
    return [say(part?.type === 'text' ? part.text : '')]
  })
  return watchedAgent({ model, tools }, environment)
}
