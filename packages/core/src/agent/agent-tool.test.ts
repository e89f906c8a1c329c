import { expect, test } from 'vitest'
import { z } from 'zod'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import type { AgentHooks } from '../runtime/hooks.ts'
import { memoryStorage } from '../storage/memory.ts'
import { call, fail, hold, say, scriptedModel, uses } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'
import { pageTools, resultsIn, watchedAgent } from './agent.fixtures.ts'
import { agentTool } from './agent-tool.ts'
import { createAgent } from './create-agent.ts'
import type { SubAgentOptions } from './sub-agent.ts'

function research(agent: SubAgentOptions) {
  return agentTool({
    name: 'research',
    description: 'Looks something up.',
    inputSchema: z.object({ question: z.string() }),
    prompt: ({ question }) => `Find out: ${question}`,
    agent,
  })
}

const ask = call('research', { question: 'Why?' })

test('a call of an agentTool is a run of its own, and its last answer is the result', async () => {
  const environment = createManualEnvironment()
  const inner = scriptedModel([call('look')], [say('Because.')])
  const model = scriptedModel([ask], [say('It says: because.')])
  const tools = pageTools(environment, { look: () => 'a book' })
  const { agent, eventsOf } = watchedAgent(
    { model, tools: research({ model: inner, tools, system: 'You read.' }) },
    environment,
  )

  const result = await agent.prompt('Go.')

  expect(result).toMatchObject({ reason: 'stop', text: 'It says: because.' })
  expect(resultsIn(model.requests[1])).toEqual(['Because.'])
  expect(inner.requests[0]).toMatchObject({
    system: 'You read.',
    messages: [{ role: 'user', content: [{ text: 'Find out: Why?' }] }],
    tools: [{ name: 'look' }],
  })
  expect(result.messages).toHaveLength(4)
  const starts = eventsOf('agent_start')
  expect(starts).toMatchObject([{}, { agentId: 'agent_1', parentToolCallId: 'call_1' }])
  expect(starts[0]?.agentId).toBeUndefined()
  expect(new Set(starts.map(({ runId }) => runId)).size).toBe(2)
})

test('[I1] [G4] the events of a sub-agent are in the same log, between start and end of the call', async () => {
  const model = scriptedModel([ask], [say('Done.')])
  const { agent, events } = watchedAgent({
    model,
    tools: research({ model: scriptedModel([say('Because.')]) }),
  })

  await agent.prompt('Go.')

  const durable = events.filter((event) => event.sub === undefined)
  expect(durable.map(({ seq }) => seq)).toEqual(durable.map((_, index) => index + 1))
  const own = events.flatMap((event, index) => (event.agentId === undefined ? [] : [index]))
  const at = (type: string) => events.findIndex((event) => event.type === type && !event.agentId)
  expect(at('tool_running')).toBeLessThan(own[0] ?? 0)
  expect(at('tool_execution_end')).toBeGreaterThan(own.at(-1) ?? Number.POSITIVE_INFINITY)
})

test('[I31] the usage of a sub-agent counts for the run of its parent, not for a turn', async () => {
  const inner = scriptedModel([uses({ inputTokens: 100, outputTokens: 50 }), say('Because.')])
  const { agent, eventsOf } = watchedAgent({
    model: scriptedModel([ask], [say('Done.')]),
    tools: research({ model: inner }),
  })

  const { usage } = await agent.prompt('Go.')

  expect(usage).toEqual({ inputTokens: 120, outputTokens: 60 })
  const turns = eventsOf('turn_end').filter(({ agentId }) => agentId === undefined)
  expect(turns.map((event) => event.usage.inputTokens)).toEqual([10, 10])
})

test('[I20] stopping the run stops the sub-agent with everything it started', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { wait: () => new Promise(() => {}) })
  const { agent, eventsOf } = watchedAgent(
    {
      model: scriptedModel([ask]),
      tools: research({ model: scriptedModel([call('wait')]), tools }),
    },
    environment,
  )
  const done = agent.prompt('Go.')
  await quiet()

  agent.abort()
  environment.clock.advance(250)

  expect(await done).toMatchObject({ reason: 'aborted' })
  expect(eventsOf('agent_end').map(({ agentId, reason }) => [agentId, reason])).toEqual([
    ['agent_1', 'aborted'],
    [undefined, 'aborted'],
  ])
  expect(eventsOf('tool_execution_end').map(({ outcome }) => outcome)).toEqual([
    'cancelled',
    'cancelled',
  ])
})

test('one call of a sub-agent can be cancelled, and can wait for approval', async () => {
  const remove = defineTool({
    name: 'remove',
    description: 'Removes.',
    place: 'page',
    inputSchema: z.object({}),
    needsApproval: true,
  })
  const inner = scriptedModel([call('remove'), call('wait')], [say('Removed.')])
  const environment = createManualEnvironment()
  const { agent, eventsOf } = watchedAgent(
    {
      model: scriptedModel([ask], [say('Done.')]),
      tools: research({
        model: inner,
        tools: [
          inPage([implement(remove, () => 'gone')]),
          pageTools(environment, { wait: () => new Promise(() => {}) }),
        ],
      }),
    },
    environment,
  )
  const done = agent.prompt('Go.')
  await quiet()

  const [request] = eventsOf('tool_approval_requested')
  expect(request).toMatchObject({ agentId: 'agent_1' })
  agent.respondToApproval(request?.toolCallId ?? '', {
    decision: 'approve',
    argsDigest: request?.argsDigest ?? '',
  })
  const waiting = eventsOf('tool_execution_start').find(({ toolName }) => toolName === 'wait')
  expect(agent.cancelTool(waiting?.toolCallId ?? '')).toBe(true)
  environment.clock.advance(250)

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(resultsIn(inner.requests[1])).toEqual([
    'gone',
    'Cancelled by the user while running. It may have had partial effects.',
  ])
})

test.for([
  ['fails', [fail('auth', 'Wrong key.')], 'The agent ended as "error": Wrong key.'],
  ['runs out of turns', [call('look')], 'The agent ended as "max_turns".'],
] as const)("when it %s, the parent's model reads that in the result", async ([, answer, text]) => {
  const environment = createManualEnvironment()
  const model = scriptedModel([ask], [say('Done.')])
  const tools = pageTools(environment, { look: () => 'a book' })
  const { agent } = watchedAgent(
    { model, tools: research({ model: scriptedModel(answer), tools, maxTurns: 1 }) },
    environment,
  )

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })
  expect(resultsIn(model.requests[1])).toEqual([text])
})

test("the budget of the parent's run limits the sub-agent, too", async () => {
  const environment = createManualEnvironment()
  const inner = scriptedModel(
    [uses({ inputTokens: 60, outputTokens: 30 }), call('look')],
    [say('Never asked.')],
  )
  const { agent, eventsOf } = watchedAgent(
    {
      model: scriptedModel([ask]),
      tools: research({ model: inner, tools: pageTools(environment, { look: () => '' }) }),
      budget: { maxTokens: 100 },
    },
    environment,
  )

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'budget' })
  expect(inner.requests).toHaveLength(1)
  expect(eventsOf('agent_end').map(({ reason }) => reason)).toEqual(['budget', 'budget'])
})

test('[I14] its call takes no slot, so its own calls can run', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { look: () => 'a book' })
  const inner = scriptedModel([call('look')], [say('Because.')])
  const { agent } = watchedAgent(
    {
      model: scriptedModel([ask], [say('Done.')]),
      tools: research({ model: inner, tools }),
      maxConcurrency: 1,
    },
    environment,
  )

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Done.' })
})

test('a sub-agent of a sub-agent: its events are distinct, and its usage counts once', async () => {
  const innermost = research({ model: scriptedModel([say('Deep.')]) })
  const middle = research({ model: scriptedModel([ask], [say('Middle.')]), tools: innermost })
  const { agent, eventsOf } = watchedAgent({
    model: scriptedModel([ask], [say('Done.')]),
    tools: middle,
  })

  expect(await agent.prompt('Go.')).toMatchObject({
    text: 'Done.',
    usage: { inputTokens: 50, outputTokens: 25 },
  })
  const ends = eventsOf('agent_end').map(({ agentId, usage }) => [agentId, usage.inputTokens])
  expect(ends).toEqual([
    ['agent_2', 10],
    ['agent_1', 30],
    [undefined, 50],
  ])
})

test('[I29] [I38] a page that goes away in the middle of it leaves nothing open', async () => {
  const storage = memoryStorage()
  const first = createAgent({
    model: scriptedModel([ask]),
    tools: research({ model: scriptedModel([say('So far'), hold()]) }),
    storage,
    sessionId: 'one',
  })
  await first.ready
  void first.prompt('Go.')
  await quiet()
  first.dispose()
  await first.stored()

  const model = scriptedModel([say('Go on.')])
  const second = createAgent({ model, storage, sessionId: 'one' })
  await second.ready
  await quiet()

  const log = await storage.read('one')
  const ends = log.flatMap((event) => (event.type === 'agent_end' ? [event] : []))
  expect(ends.map(({ agentId, reason }) => [agentId === undefined, reason])).toEqual([
    [false, 'interrupted'],
    [true, 'interrupted'],
  ])
  expect(await second.continue()).toMatchObject({ reason: 'stop', text: 'Go on.' })
  expect(resultsIn(model.requests[0])).toEqual([
    'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.',
  ])
})

test('wrong options of a sub-agent are reported when its parent is created', () => {
  const client = inClient([
    defineTool({
      name: 'ask_user',
      description: 'Asks.',
      place: 'client',
      inputSchema: z.object({}),
    }),
  ])
  const around = (agent: SubAgentOptions) => () =>
    createAgent({ model: scriptedModel(), tools: research(agent) })

  expect(around({ tools: client })).toThrow('"ask_user", which the user interface answers')
  expect(around({ maxTurns: -3 })).toThrow(
    'maxTurns must be a whole number of at least 1; it is -3.',
  )
  expect(around({ tools: [client, client] })).toThrow('Duplicate tool name: ask_user')
  expect(around({ tools: research({ maxTurns: 0 }) })).toThrow('maxTurns')
})

test.for<readonly [wrong: object, problem: string]>([
  [{ prompt: 'Go.' }, 'prompt must be a function.'],
  [{ prompt: undefined }, 'prompt must be a function.'],
  [{ agent: null }, 'agent must be an object.'],
  [{ agent: 'research' }, 'agent must be an object.'],
])('wrong options of its tool are reported at once: %o', ([wrong, problem]) => {
  const right = { name: 'a', description: '', inputSchema: z.object({}), prompt: () => 'Go.' }

  expect(() => agentTool({ ...right, ...wrong })).toThrow(new TypeError(problem))
})

test('the model reads all that its prompt function throws', async () => {
  const thrown = 'x'.repeat(5000)
  const tool = agentTool({
    ...{ name: 'research', description: '', inputSchema: z.object({}) },
    prompt: () => {
      throw new Error(thrown)
    },
    agent: { model: scriptedModel() },
  })
  const model = scriptedModel([call('research')], [say('Too bad.')])
  const { agent } = watchedAgent({ model, tools: tool })

  await agent.prompt('Go.')

  expect(resultsIn(model.requests[1])).toEqual([thrown])
})

test('sub-agents side by side use one budget', async () => {
  const environment = createManualEnvironment()
  const spend = [uses({ inputTokens: 30, outputTokens: 10 }), call('look')]
  const inner = scriptedModel(...Array.from({ length: 40 }, () => spend))
  const tools = pageTools(environment, { look: () => 'a book' })
  const { agent } = watchedAgent(
    {
      model: scriptedModel([ask, ask, ask, ask]),
      tools: research({ model: inner, tools, maxTurns: 10, loopDetection: null }),
      budget: { maxTokens: 200 },
    },
    environment,
  )

  const { reason, usage } = await agent.prompt('Go.')

  expect(reason).toBe('budget')
  // Each may have one request under way when the budget is used up.
  expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(200 + 4 * 40)
})

test('its own deadline is its own failure', async () => {
  const environment = createManualEnvironment()
  const model = scriptedModel([ask], [say('Done.')])
  const { agent } = watchedAgent(
    { model, tools: research({ model: scriptedModel([hold()]), deadlineMs: 1000 }) },
    environment,
  )
  const done = agent.prompt('Go.')
  await quiet()
  environment.clock.advance(1000)

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(resultsIn(model.requests[1])[0]).toContain('took longer than its deadlineMs')
})

test('[I7] [I29] an approval inside a lost call is lost with it', async () => {
  const storage = memoryStorage()
  const environment = createManualEnvironment()
  const remove = pageTools(environment, { remove: () => 'gone' }, { needsApproval: true })
  const first = createAgent({
    model: scriptedModel([ask]),
    tools: research({ model: scriptedModel([call('remove')]), tools: remove }),
    storage,
    sessionId: 'one',
  })
  await first.ready
  void first.prompt('Go.')
  await quiet()
  first.dispose()
  await first.stored()

  const second = createAgent({ model: scriptedModel(), storage, sessionId: 'one' })
  await second.ready
  await second.stored()

  const log = await storage.read('one')
  const ends = log.flatMap((event) => (event.type === 'tool_execution_end' ? [event] : []))
  expect(ends.map(({ toolName, outcome }) => [toolName, outcome])).toEqual([
    ['remove', 'interrupted'],
    ['research', 'interrupted'],
  ])
  expect(second.getState()).toMatchObject({ lastReason: 'interrupted' })
})

test.for(['in its first moment', 'while its input is checked'] as const)(
  '[I25] a sub-agent whose parent is disposed %s does nothing more',
  async (when) => {
    const inner = scriptedModel([say('Never.')])
    const slow = z.object({ question: z.string() }).refine(() => never(), 'never checked')
    const { agent, events } = watchedAgent({
      model: scriptedModel([ask]),
      tools: agentTool({
        name: 'research',
        description: 'Looks something up.',
        inputSchema: when === 'in its first moment' ? z.object({}) : slow,
        prompt: () => 'Go.',
        agent: { model: inner },
      }),
    })
    agent.subscribe(({ type }) => type === 'tool_running' && agent.dispose())
    const done = agent.prompt('Go.')
    await quiet()
    agent.dispose()
    const received = events.length

    expect(await done).toMatchObject({ reason: 'interrupted' })
    await quiet()
    expect(events).toHaveLength(received)
    expect(inner.requests).toEqual([])
  },
)

test('[I20] a stop does not wait for the validation of its input', async () => {
  let checks = 0
  const slow = z.object({ question: z.string() }).refine(() => {
    checks += 1
    return checks === 1 || never()
  }, 'never checked')
  const { agent } = watchedAgent({
    model: scriptedModel([ask]),
    tools: agentTool({
      name: 'research',
      description: 'Looks something up.',
      inputSchema: slow,
      prompt: () => 'Go.',
      agent: { model: scriptedModel() },
    }),
  })
  const done = agent.prompt('Go.')
  await quiet()
  expect(checks).toBeGreaterThan(1)

  agent.abort()

  expect(await done).toMatchObject({ reason: 'aborted' })
})

const noLooking: AgentHooks = {
  beforeToolCall: ({ toolName }) =>
    toolName === 'look' ? { block: true, reason: 'No looking.' } : undefined,
}
class Guard implements AgentHooks {
  beforeToolCall(call: Parameters<NonNullable<AgentHooks['beforeToolCall']>>[0]) {
    return call.toolName === 'look' ? ({ block: true, reason: 'No looking.' } as const) : undefined
  }
}

test.for([
  ['an object', noLooking],
  ['an object of a class', new Guard()],
] as const)(
  '[I17] hooks of the parent, %s, see the calls of the sub-agent, too',
  async ([, hooks]) => {
    const environment = createManualEnvironment()
    const inner = scriptedModel([call('look')], [say('I may not.')])
    const { agent } = watchedAgent(
      {
        model: scriptedModel([ask], [say('Done.')]),
        hooks,
        tools: research({
          model: inner,
          tools: pageTools(environment, { look: () => 'a book' }),
          hooks: { beforeToolCall: () => ({}) },
        }),
      },
      environment,
    )

    await agent.prompt('Go.')

    expect(resultsIn(inner.requests[1])).toEqual([
      'The user did not allow this call. No looking. It did not run.',
    ])
  },
)

function never(): Promise<boolean> {
  return new Promise(() => {})
}
