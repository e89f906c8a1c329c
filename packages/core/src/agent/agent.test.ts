import { expect, test } from 'vitest'
import { z } from 'zod'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, fail, finish, hold, rawCall, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import type { ToolHost } from '../tools/host.ts'
import { inPage } from '../tools/page/page-host.ts'
import { toolResult } from '../tools/result/tool-result.ts'
import { ToolError } from '../tools/tool-error.ts'
import { implement } from '../tools/worker/implement.ts'
import { pageTools, resultsIn, watchedAgent } from './agent.fixtures.ts'
import { createAgent } from './create-agent.ts'
import type { AgentOptions } from './options.ts'
import { AgentBusyError } from './usage-errors.ts'

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  place: 'page',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
})
const adding = inPage([implement(add, ({ a, b }) => a + b)])

test('[I3] [I8] [I10] [I12] [S003-6] answers a question with the help of tools', async () => {
  const model = scriptedModel(
    [say('Let me see.'), call('add', { a: 2, b: 3 }), call('add', { a: 4, b: 5 })],
    [say('5 and 9.')],
  )
  const { agent, events, types } = watchedAgent({ model, tools: adding })

  const result = await agent.prompt('What are 2 + 3 and 4 + 5?')

  expect(result).toMatchObject({
    reason: 'stop',
    text: '5 and 9.',
    usage: { inputTokens: 20, outputTokens: 10 },
  })
  expect(result.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'toolResult',
    'toolResult',
    'assistant',
  ])
  expect(resultsIn(model.requests[1])).toEqual(['5', '9'])
  const ofCalls = ['tool_prepared', 'tool_dispatched', 'tool_running']
  expect(types().filter((type) => ![...ofCalls, 'message_update'].includes(type))).toEqual([
    'agent_start',
    'turn_start',
    'message_start',
    'message_end',
    'message_start',
    'message_end',
    'tool_execution_start',
    'tool_execution_start',
    'tool_execution_end',
    'tool_execution_end',
    'tools_end',
    'message_start',
    'message_end',
    'message_start',
    'message_end',
    'turn_end',
    'turn_start',
    'message_start',
    'message_end',
    'turn_end',
    'agent_end',
  ])
  for (const id of ['call_1', 'call_2']) {
    const own = events.filter((event) => 'toolCallId' in event && event.toolCallId === id)
    expect(own.map(({ type }) => type)).toEqual([
      'tool_execution_start',
      ...ofCalls,
      'tool_execution_end',
    ])
  }
})

test('[I7] [L5] a call that cannot run is answered, and its siblings run', async () => {
  const model = scriptedModel(
    [
      call('missing'),
      call('constructor'),
      rawCall('add', '{"a": 1,'),
      rawCall('add', '[1]'),
      call('add', { a: 'one', b: 2 }),
      call('add', { a: 1, b: 2 }),
    ],
    [say('Sorry.')],
  )
  const { agent, eventsOf } = watchedAgent({ model, tools: adding })

  await agent.prompt('Go.')

  expect(resultsIn(model.requests[1])).toEqual([
    'No tool named "missing". Available: add. It did not run.',
    'No tool named "constructor". Available: add. It did not run.',
    'Invalid arguments: they are not valid JSON. It did not run.',
    'Invalid arguments: they are not an object. It did not run.',
    'Invalid arguments: a: Invalid input: expected number, received string. It did not run.',
    '3',
  ])
  expect(eventsOf('tool_dispatched')).toHaveLength(1)
  expect(
    eventsOf('tool_execution_end')
      .map(({ errorKind }) => errorKind)
      .toSorted(),
  ).toEqual(['invalid_args', 'invalid_args', 'invalid_args', 'not_found', 'not_found', undefined])
})

test('[L5] the empty input is an empty object', async () => {
  const environment = createManualEnvironment()
  const model = scriptedModel([rawCall('now', '')], [say('Noon.')])
  const tools = pageTools(environment, { now: () => 'noon' })
  const { agent } = watchedAgent({ model, tools }, environment)

  await agent.prompt('What time is it?')

  expect(resultsIn(model.requests[1])).toEqual(['noon'])
})

const validators: readonly (readonly [
  string,
  (value: unknown) => never | Promise<never>,
  string,
])[] = [
  [
    'throws',
    () => {
      throw new Error('no rules')
    },
    'no rules',
  ],
  ['rejects', () => Promise.reject(new Error('no rules')), 'no rules'],
  [
    'throws what has no text',
    () => {
      throw Object.create(null)
    },
    'no reason given',
  ],
]

test.for(validators)(
  '[I15] a schema that %s refuses the call, and its siblings run',
  async ([, validate, why]) => {
    const odd = defineTool({
      name: 'odd',
      description: 'Its schema is broken.',
      place: 'page',
      inputSchema: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate,
          jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
        },
      },
    })
    const model = scriptedModel([call('odd'), call('add', { a: 1, b: 1 })], [say('Sorry.')])
    const tools = [inPage([implement(odd, () => 'ran')]), adding]
    const { agent } = watchedAgent({ model, tools })

    await agent.prompt('Go.')

    const [first, second] = resultsIn(model.requests[1])
    expect(first).toContain(
      `The arguments could not be checked: the schema of "odd" failed (${why}).`,
    )
    expect(second).toBe('2')
  },
)

test('[I15] one call throws, one hangs, one crashes, one times out: the others are not touched', async () => {
  const environment = createManualEnvironment()
  const { clock } = environment
  const names = ['throws', 'hangs', 'crashes', 'slow', 'good']
  const host = fakeWorkers(
    names.map((name) => workerTool(name, { timeoutMs: name === 'slow' ? 1000 : null })),
    { clock },
  )
  const model = scriptedModel(
    names.map((name) => call(name)),
    [say('Done.')],
  )
  const { agent, eventsOf } = watchedAgent({ model, tools: host }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  for (const puppet of host.started) puppet.begin()

  host.worker('crashes').crash('out of memory')
  host.worker('throws').settle({ kind: 'threw', errorKind: 'failed', message: 'No.' })
  await quiet()
  host.worker('good').answer('Fine.')
  clock.advance(1000)
  host.worker('slow').answer('stopped')
  await quiet()
  expect(eventsOf('tools_end')).toEqual([])
  agent.cancelTool('call_2')
  clock.advance(250)
  expect(await done).toMatchObject({ reason: 'stop', text: 'Done.' })

  expect(resultsIn(model.requests[1])).toEqual([
    'No.',
    'Cancelled by the user while running. It may have had partial effects.',
    'The tool crashed (out of memory). It may have had partial effects.',
    'Timed out after 1 s and was stopped. It may have had partial effects.',
    'Fine.',
  ])
})

test('a cancelled call is reported to the model, and the run and the siblings continue', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a'), workerTool('b')], { clock: environment.clock })
  const model = scriptedModel([call('a'), call('b')], [say('All right.')])
  const { agent, eventsOf } = watchedAgent({ model, tools: host, maxConcurrency: 1 }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  host.worker('a').begin()

  expect(agent.cancelTool('call_2')).toBe(true)
  expect(agent.cancelTool('call_2')).toBe(false)
  expect(agent.cancelTool('call_1')).toBe(true)
  expect(agent.cancelTool('call_1')).toBe(false)
  expect(agent.cancelTool('missing')).toBe(false)
  host.worker('a').answer('stopped')
  const { reason } = await done

  expect(reason).toBe('stop')
  expect(agent.cancelTool('call_1')).toBe(false)
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { toolName: 'b', outcome: 'cancelled', mayHaveRun: false },
    { toolName: 'a', outcome: 'cancelled', mayHaveRun: true, how: 'cooperative' },
  ])
  expect(resultsIn(model.requests[1])).toEqual([
    'Cancelled by the user while running. It may have had partial effects.',
    'Cancelled by the user before it started. It did not run.',
  ])
})

test('the model reads the message of a ToolError', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, {
    find: () => {
      throw ToolError.notFound('There is no such city.')
    },
  })
  const model = scriptedModel([call('find')], [say('Hm.')])
  const { agent, eventsOf } = watchedAgent({ model, tools }, environment)

  await agent.prompt('Go.')

  expect(resultsIn(model.requests[1])).toEqual(['There is no such city.'])
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'failed', errorKind: 'not_found', isError: true },
  ])
})

test('[I19] [S001-2] the model reads 10,000 characters of a result of 50 MB, the event keeps more', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { dump: () => 'x'.repeat(50_000_000) })
  const model = scriptedModel([call('dump')], [say('Much.')])
  const { agent, eventsOf } = watchedAgent({ model, tools }, environment)

  await agent.prompt('Go.')

  const [read = ''] = resultsIn(model.requests[1])
  const [end] = eventsOf('tool_execution_end')
  const [kept] = end?.result.content ?? []
  expect(read.length).toBeLessThanOrEqual(10_000)
  expect(read.length).toBeGreaterThan(9_900)
  expect(read).toContain('characters cut')
  expect(end?.truncatedForModel).toBe(true)
  expect(kept?.type === 'text' && kept.text.length).toBeGreaterThan(900_000)
  expect(kept?.type === 'text' && kept.text.length).toBeLessThanOrEqual(1_000_000)
})

test('[S001-2] a result that its tool has cut reaches the model unchanged', async () => {
  const environment = createManualEnvironment()
  const cut = `${'x'.repeat(9_990)} and so on`
  const tools = pageTools(environment, { dump: () => cut })
  const model = scriptedModel([call('dump')], [say('Enough.')])
  const { agent, eventsOf } = watchedAgent({ model, tools }, environment)

  await agent.prompt('Go.')

  expect(cut).toHaveLength(10_000)
  expect(resultsIn(model.requests[1])).toEqual([cut])
  expect(eventsOf('tool_execution_end')[0]).not.toHaveProperty('truncatedForModel')
})

test('[S001-6] updates of a tool are events while it runs', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('work')], { clock: environment.clock })
  const model = scriptedModel([call('work')], [say('Done.')])
  const { agent, eventsOf } = watchedAgent({ model, tools: host }, environment)
  const done = agent.prompt('Go.')
  await quiet()

  host.worker('work').begin()
  host.worker('work').progress(50)
  host.worker('work').custom('found')
  await quiet()

  expect(eventsOf('tool_progress')).toMatchObject([{ toolName: 'work', value: 50 }])
  expect(eventsOf('tool_custom')).toMatchObject([{ toolName: 'work', name: 'found' }])
  expect(eventsOf('tool_execution_end')).toEqual([])
  host.worker('work').answer('Fine.')
  expect(await done).toMatchObject({ reason: 'stop', text: 'Done.' })
})

test('[S002-8] the model reads the error of a tool, and may call it again', async () => {
  const environment = createManualEnvironment()
  let tries = 0
  const tools = pageTools(environment, {
    look: () => {
      tries += 1
      if (tries === 1) throw new Error('The shop is closed.')
      return 'Open.'
    },
  })
  const model = scriptedModel([call('look')], [call('look')], [say('It is open now.')])
  const { agent } = watchedAgent({ model, tools }, environment)

  const { reason, text } = await agent.prompt('Is it open?')

  const [, second, third] = model.requests
  expect(second?.messages.at(-1)).toMatchObject({ role: 'toolResult', isError: true })
  expect(resultsIn(second)).toEqual([expect.stringContaining('The shop is closed.')])
  expect(third?.messages.at(-1)).toMatchObject({ role: 'toolResult', isError: false })
  expect(resultsIn(third).at(-1)).toBe('Open.')
  expect({ reason, text }).toEqual({ reason: 'stop', text: 'It is open now.' })
})

test('[S004-5] every block of an answer is an event before any of its calls runs', async () => {
  const environment = createManualEnvironment()
  const received: unknown[] = []
  const look = () => {
    const answer = events.findLast((event) => event.type === 'message_end')
    received.push(answer?.message.content.map(({ type }) => type))
    return 'Seen.'
  }
  const model = scriptedModel([say('Let me see.'), call('look'), call('look')], [say('Done.')])
  const tools = pageTools(environment, { look })
  const { agent, events } = watchedAgent({ model, tools }, environment)

  await agent.prompt('Go.')

  const blocks = ['text', 'toolCall', 'toolCall']
  expect(received).toEqual([blocks, blocks])
})

test('[I19] the model never reads details, labels, updates, progress or logs', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, {
    work: ({ onUpdate, onProgress, log, custom }) => {
      onUpdate({ content: 'SECRET update' })
      onProgress('SECRET progress')
      log('SECRET log')
      custom('SECRET', 'SECRET')
      return toolResult({ content: 'public', details: 'SECRET details', output: 'SECRET output' })
    },
  })
  const model = scriptedModel([call('work')], [say('Done.')])
  const { agent, events } = watchedAgent({ model, tools }, environment)

  await agent.prompt('Go.')

  expect(JSON.stringify(model.requests)).not.toContain('SECRET')
  expect(JSON.stringify(events)).toContain('SECRET log')
})

test('[I22] a run ends at maxTurns when another turn was due, and only then', async () => {
  const twice = () =>
    scriptedModel([call('add', { a: 1, b: 1 })], [call('add', { a: 2, b: 2 })], [say('Done.')])
  const limited = watchedAgent({ model: twice(), tools: adding, maxTurns: 2 })
  const enough = watchedAgent({ model: twice(), tools: adding, maxTurns: 3 })

  expect(await limited.agent.prompt('Go.')).toMatchObject({ reason: 'max_turns' })
  expect(await enough.agent.prompt('Go.')).toMatchObject({ reason: 'stop' })

  expect(limited.eventsOf('agent_end')).toMatchObject([{ maxTurnsReached: true, turns: 2 }])
  expect(limited.eventsOf('warning')).toMatchObject([{ code: 'max_turns' }])
  expect(enough.eventsOf('agent_end')).toMatchObject([{ maxTurnsReached: false, turns: 3 }])
  expect(await limited.agent.prompt('Go on.')).toMatchObject({ reason: 'stop', text: 'Done.' })
})

test('[I22] the default is 5 turns, null is no limit', async () => {
  const long = () =>
    scriptedModel(...Array.from({ length: 7 }, (_, a) => [call('add', { a, b: 1 })]), [
      say('Done.'),
    ])
  const limited = watchedAgent({ model: long(), tools: adding })
  const unlimited = watchedAgent({ model: long(), tools: adding, maxTurns: null })

  await limited.agent.prompt('Go.')
  await unlimited.agent.prompt('Go.')

  expect(limited.eventsOf('agent_end')).toMatchObject([{ reason: 'max_turns', turns: 5 }])
  expect(unlimited.eventsOf('agent_end')).toMatchObject([{ reason: 'stop', turns: 8 }])
})

test('[I18] calls of an answer that was cut off are answered, not run', async () => {
  const model = scriptedModel([call('add', { a: 1, b: 1 }), finish('max_tokens')], [say('Again.')])
  const { agent, types } = watchedAgent({ model, tools: adding })

  await agent.prompt('Go.')

  expect(types()).not.toContain('tool_dispatched')
  expect(resultsIn(model.requests[1])).toEqual([
    'Not run: the answer was cut off before this call was complete.',
  ])
})

test('[I24] a run ends as terminated when every result of a batch says so', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, {
    last: () => toolResult({ content: 'That was it.', terminate: true }),
    other: () => 'go on',
  })
  const model = scriptedModel([call('last'), call('other')], [call('last'), call('last')])
  const { agent } = watchedAgent({ model, tools }, environment)

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'terminated' })

  expect(model.requests).toHaveLength(2)
})

test.for([
  ['isolated', false, 'stop'],
  ['isolated', true, 'terminated'],
  ['worker', false, 'terminated'],
] as const)(
  '[I24] [P9] code of place %s with mayTerminate %s: the run ends as %s',
  async ([place, mayTerminate, reason]) => {
    const { description, inputSchema } = add
    const last = defineTool({ name: 'last', description, inputSchema, place, mayTerminate })
    const result = { content: [{ type: 'text', text: 'Over.' }], terminate: true } as const
    const tools: ToolHost = {
      tools: [last],
      open: () => ({
        ready: Promise.resolve(),
        run: () => Promise.resolve({ kind: 'returned', result }),
        stop: () => {},
        close: () => {},
      }),
      check: () => Promise.resolve(),
    }
    const model = scriptedModel([call('last', { a: 1, b: 1 })], [say('Done.')])
    const { agent, eventsOf } = watchedAgent({ model, tools })

    expect(await agent.prompt('Go.')).toMatchObject({ reason })

    const [end] = eventsOf('tool_execution_end')
    expect(end?.result.terminate).toBe(reason === 'terminated' || undefined)
  },
)

test('the next prompt works after a failed and after a stopped run', async () => {
  const model = scriptedModel([fail('auth')], [say('So'), hold()], [say('Hello.')])
  const { agent } = watchedAgent({ model })

  expect(await agent.prompt('One.')).toMatchObject({ reason: 'error' })
  const second = agent.prompt('Two.')
  await quiet()
  agent.abort()
  expect(await second).toMatchObject({ reason: 'aborted' })

  expect(await agent.prompt('Three.')).toMatchObject({ reason: 'stop', text: 'Hello.' })
  expect(agent.getState().error).toBeNull()
})

test('a second prompt in a run is refused, and changes nothing', async () => {
  const { agent, events } = watchedAgent({ model: scriptedModel([say('So'), hold()]) })
  const done = agent.prompt('One.')
  await quiet()
  const before = events.length

  await expect(agent.prompt('Two.')).rejects.toThrow(AgentBusyError)
  expect(() => agent.configure({ maxTurns: 1 })).toThrow('Cannot configure while a run is active.')

  expect(events).toHaveLength(before)
  agent.abort()
  await done
})

test.for([[''], ['  \n'], [[]], [[{ type: 'text', text: ' ' } as const]]] as const)(
  'an empty prompt is refused: %j',
  async ([input]) => {
    const { agent, events } = watchedAgent({ model: scriptedModel() })

    await expect(agent.prompt(input)).rejects.toThrow('The prompt is empty.')

    expect(events).toEqual([])
  },
)

test('configure changes the options of the next run, or nothing at all', async () => {
  const first = scriptedModel([say('First.')])
  const second = scriptedModel([call('add', { a: 1, b: 1 })], [say('Second.')])
  const { agent, eventsOf } = watchedAgent({ model: first, system: 'Old.' })
  await agent.prompt('One.')

  expect(() => agent.configure({ model: second, maxTurns: 0 })).toThrow(TypeError)
  agent.configure({ model: second, tools: adding, system: 'New.' })
  const { text } = await agent.prompt('Two.')

  expect(text).toBe('Second.')
  expect(second.requests[0]).toMatchObject({ system: 'New.', tools: [{ name: 'add' }] })
  expect(eventsOf('agent_start').map(({ maxTurns }) => maxTurns)).toEqual([5, 5])
})

const wrong: readonly (readonly [string, Partial<AgentOptions>])[] = [
  ['maxTurns must be a whole number of at least 1; it is 0.', { maxTurns: 0 }],
  ['maxConcurrency must be a whole number of at least 1; it is 1.5.', { maxConcurrency: 1.5 }],
  ['abortGraceMs must be a whole number of at least 0; it is NaN.', { abortGraceMs: Number.NaN }],
  ['maxCallsPerTurn', { maxCallsPerTurn: -1 }],
  ['maxToolResultChars', { maxToolResultChars: 0 }],
  ['Duplicate tool name: add', { tools: [adding, adding] }],
]

test.for(wrong)('wrong options are refused: %s', ([message, options]) => {
  expect(() => createAgent({ model: scriptedModel(), ...options })).toThrow(message)
})

test('a disposed agent refuses prompts and changes, and stays silent', async () => {
  const { agent, events } = watchedAgent({ model: scriptedModel() })

  agent.dispose()
  agent.dispose()
  agent.abort()

  await expect(agent.prompt('Go.')).rejects.toThrow('The agent was disposed. Create a new one.')
  expect(() => agent.configure({})).toThrow('The agent was disposed.')
  expect(agent.cancelTool('call_1')).toBe(false)
  expect(events).toEqual([])
})

test('a disposed agent returns that there is nothing to cancel', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a')], { clock: environment.clock })
  const { agent } = watchedAgent({ model: scriptedModel([call('a')]), tools: host }, environment)
  void agent.prompt('Go.')
  await quiet()

  agent.dispose()

  expect(agent.cancelTool('call_1')).toBe(false)
})

test('createAgent works with the platform’s own clock', async () => {
  const agent = createAgent({
    model: scriptedModel([call('add', { a: 2, b: 3 })], [say('It is 5.')]),
    tools: adding,
  })

  expect(await agent.prompt('What is 2 + 3?')).toMatchObject({ reason: 'stop', text: 'It is 5.' })
})
