import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  createManualEnvironment,
  type ManualEnvironment,
  quiet,
} from '../runtime/environment.fixtures.ts'
import { createPuppetStorage } from '../runtime/puppet-storage.fixtures.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { argsDigest } from '../tools/fixtures/args-digest.fixtures.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'
import { pageTools, resultsIn, watchedAgent } from './agent.fixtures.ts'
import type { AgentOptions } from './options.ts'
import { AgentUsageError } from './usage-errors.ts'

const digestOf = (path: string) => argsDigest('call_1', 'remove', { path })
const stale = 'The approval of call_1 is for other arguments.'

/** An agent whose tool `remove` needs approval, and the paths it removed. */
function removing(
  options: Partial<AgentOptions> = {},
  environment: ManualEnvironment = createManualEnvironment(),
) {
  const removed: string[] = []
  const remove = defineTool({
    name: 'remove',
    description: 'Removes a file.',
    place: 'page',
    inputSchema: z.object({ path: z.string() }),
    needsApproval: true,
  })
  const page = inPage(
    [
      implement(remove, ({ path }) => {
        removed.push(path)
        return `Removed ${path}.`
      }),
    ],
    { clock: environment.clock },
  )
  const model = scriptedModel([call('remove', { path: 'a.txt' })], [say('Done.')])
  const watched = watchedAgent({ model, tools: page, ...options }, environment)
  return { ...watched, removed, model, page }
}

test('[A5] an answer in the form of the hook is refused with a sentence, and changes nothing', async () => {
  const { agent, removed } = removing()
  const done = agent.prompt('Clean up.')
  await quiet()

  for (const answer of [{ approved: true }, { decision: 'yes' }, {}]) {
    const response = Object.assign({ argsDigest: digestOf('a.txt') }, answer)
    // @ts-expect-error: it needs a decision
    expect(() => agent.respondToApproval('call_1', response)).toThrow(
      "The decision must be 'approve', 'deny' or 'edit'.",
    )
  }

  expect(agent.getState().status).toBe('awaiting_approval')
  agent.abort()
  await done
  expect(removed).toEqual([])
})

test('[I10] a call that needs approval runs with exactly the arguments that were shown', async () => {
  const { agent, removed, model, eventsOf, types } = removing()
  const done = agent.prompt('Clean up.')
  await quiet()
  const [asked] = agent.getState().toolCalls.active
  expect(agent.getState().status).toBe('awaiting_approval')
  expect(asked).toMatchObject({
    status: 'awaiting_approval',
    approval: { args: { path: 'a.txt' }, argsDigest: digestOf('a.txt') },
  })
  expect(types()).not.toContain('tool_prepared')

  agent.respondToApproval('call_1', { decision: 'approve', argsDigest: digestOf('a.txt') })

  expect(await done).toMatchObject({ reason: 'stop', text: 'Done.' })
  expect(removed).toEqual(['a.txt'])
  expect(resultsIn(model.requests[1])).toEqual(['Removed a.txt.'])
  expect(eventsOf('tool_approval_resolved')).toMatchObject([{ decision: 'approve' }])
})

test('[A8] approvals of one unit wait side by side', async () => {
  const paths = ['a.txt', 'b.txt']
  const model = scriptedModel(
    paths.map((path) => call('remove', { path })),
    [say('Done.')],
  )
  const { agent, removed } = removing({ model })
  const done = agent.prompt('Clean up.')
  await quiet()
  const asked = agent.getState().toolCalls.active
  expect(asked.map(({ status }) => status)).toEqual(['awaiting_approval', 'awaiting_approval'])

  for (const { toolCallId, approval } of asked.toReversed()) {
    const argsDigest = approval?.argsDigest ?? ''
    agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
  }

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(removed.toSorted()).toEqual(paths)
})

test('[L5] a denied call does not run, and the model reads why', async () => {
  const { agent, removed, model, eventsOf, types } = removing()
  const done = agent.prompt('Clean up.')
  await quiet()

  agent.respondToApproval('call_1', {
    decision: 'deny',
    argsDigest: digestOf('a.txt'),
    reason: 'I still need it',
  })

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(removed).toEqual([])
  expect(types()).not.toContain('tool_dispatched')
  expect(resultsIn(model.requests[1])).toEqual([
    'The user did not allow this call. I still need it. It did not run.',
  ])
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'denied', errorKind: 'denied', isError: true, mayHaveRun: false },
  ])
})

test('edited arguments replace those of the model', async () => {
  const { agent, removed, eventsOf } = removing()
  const done = agent.prompt('Clean up.')
  await quiet()

  agent.respondToApproval('call_1', {
    decision: 'edit',
    argsDigest: digestOf('a.txt'),
    args: { path: 'b.txt' },
  })

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(removed).toEqual(['b.txt'])
  expect(eventsOf('tool_execution_start')).toMatchObject([{ args: { path: 'a.txt' } }])
  expect(eventsOf('tool_prepared')).toMatchObject([{ effectiveArgs: { path: 'b.txt' } }])
  expect(eventsOf('tool_approval_requested')).toHaveLength(1)
})

test('[A6] edited arguments have to fit the tool as well', async () => {
  const { agent, removed, model } = removing()
  const done = agent.prompt('Clean up.')
  await quiet()

  agent.respondToApproval('call_1', {
    decision: 'edit',
    argsDigest: digestOf('a.txt'),
    args: { path: 7 },
  })

  await done
  expect(removed).toEqual([])
  expect(resultsIn(model.requests[1])[0]).toMatch(/path: .*string.* It did not run\.$/)
})

test('[A5] an answer for other arguments, or a second answer, changes nothing', async () => {
  const { agent, removed, events } = removing()
  const done = agent.prompt('Clean up.')
  await quiet()
  const before = events.length

  for (const argsDigest of ['', digestOf('b.txt'), argsDigest2()]) {
    expect(() => agent.respondToApproval('call_1', { decision: 'approve', argsDigest })).toThrow(
      stale,
    )
  }
  expect(events).toHaveLength(before)

  const approval = { decision: 'approve', argsDigest: digestOf('a.txt') } as const
  agent.respondToApproval('call_1', approval)
  expect(() => agent.respondToApproval('call_1', approval)).toThrow(AgentUsageError)
  await done
  expect(removed).toEqual(['a.txt'])
})

// The same arguments of another call.
const argsDigest2 = () => argsDigest('call_2', 'remove', { path: 'a.txt' })

test('[I15] while one call waits for approval, the others run', async () => {
  const environment = createManualEnvironment()
  const asking = removing({}, environment)
  const other = pageTools(environment, { look: () => 'seen' })
  const model = scriptedModel(
    [call('remove', { path: 'a.txt' }), call('look'), call('remove', { path: 'b.txt' })],
    [say('Done.')],
  )
  asking.agent.configure({ model, tools: [asking.page, other] })
  const done = asking.agent.prompt('Go.')
  await quiet()

  expect(asking.eventsOf('tool_execution_end')).toMatchObject([{ toolName: 'look' }])
  expect(asking.agent.getState().toolCalls.active.map(({ status }) => status)).toEqual([
    'awaiting_approval',
    'awaiting_approval',
  ])
  for (const { toolCallId, approval } of asking.agent.getState().toolCalls.active.toReversed()) {
    const { argsDigest: digest = '' } = approval ?? {}
    asking.agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest: digest })
  }
  await done
  expect(asking.removed.toSorted()).toEqual(['a.txt', 'b.txt'])
  expect(resultsIn(model.requests[1])).toEqual(['Removed a.txt.', 'seen', 'Removed b.txt.'])
})

test('a call may be cancelled while it waits for approval', async () => {
  const { agent, removed, model } = removing()
  const done = agent.prompt('Clean up.')
  await quiet()

  expect(agent.cancelTool('call_1')).toBe(true)

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(removed).toEqual([])
  expect(resultsIn(model.requests[1])).toEqual([
    'Cancelled by the user before it started. It did not run.',
  ])
})

test('[I20] an abort does not wait for an approval, and a later answer changes nothing', async () => {
  const { agent, removed } = removing()
  const done = agent.prompt('Clean up.')
  await quiet()

  agent.abort()

  expect(await done).toMatchObject({ reason: 'aborted' })
  expect(() =>
    agent.respondToApproval('call_1', { decision: 'approve', argsDigest: digestOf('a.txt') }),
  ).toThrow(AgentUsageError)
  expect(removed).toEqual([])
})

test.for([
  ['asks for it when the function says so', 100, 1],
  ['does not ask when it does not', 1, 0],
] as const)('needsApproval with a function %s', async ([, amount, asked]) => {
  const environment = createManualEnvironment()
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    place: 'page',
    inputSchema: z.object({ amount: z.number(), currency: z.string().default('EUR') }),
    needsApproval: async (input) => input.amount > 10 && input.currency === 'EUR',
  })
  const tools = inPage([implement(pay, () => 'Paid.')], { clock: environment.clock })
  const model = scriptedModel([call('pay', { amount })], [say('Done.')])
  const { agent, eventsOf } = watchedAgent({ model, tools }, environment)
  const done = agent.prompt('Pay.')
  await quiet()

  expect(eventsOf('tool_approval_requested')).toHaveLength(asked)
  agent.abort()
  await done
})

test.for([undefined, null, 0, ''])(
  'a needsApproval that gives %o has a person asked',
  async (given) => {
    const environment = createManualEnvironment()
    const tools = pageTools(
      environment,
      { a: () => 'ran' },
      { needsApproval: () => given as never },
    )
    const { agent, eventsOf } = watchedAgent(
      { model: scriptedModel([call('a')]), tools },
      environment,
    )
    const done = agent.prompt('Go.')
    await quiet()

    expect(eventsOf('tool_approval_requested')).toHaveLength(1)
    agent.abort()
    await done
  },
)

test('a needsApproval that throws denies the call', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(
    environment,
    { a: () => 'ran' },
    {
      needsApproval: () => {
        throw new Error('no rules')
      },
    },
  )
  const model = scriptedModel([call('a')], [say('Done.')])
  const { agent, types } = watchedAgent({ model, tools }, environment)

  await agent.prompt('Go.')

  expect(types()).not.toContain('tool_dispatched')
  expect(resultsIn(model.requests[1])).toEqual([
    'The user did not allow this call. A hook failed. It did not run.',
  ])
})

test('a hook may request an approval that no tool requests', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: (_, input) => input })
  const model = scriptedModel([call('a', { n: 1 })], [say('Done.')])
  const { agent, eventsOf } = watchedAgent(
    {
      model,
      tools,
      hooks: { beforeToolCall: () => ({ requireApproval: true, args: { n: 2 } }) },
    },
    environment,
  )
  const done = agent.prompt('Go.')
  await quiet()
  const [asked] = eventsOf('tool_approval_requested')
  expect(asked?.args).toEqual({ n: 2 })

  agent.respondToApproval('call_1', { decision: 'approve', argsDigest: asked?.argsDigest ?? '' })

  await done
  expect(resultsIn(model.requests[1])).toEqual(['{"n":2}'])
})

test('[I7] [I12] [A4] a run that pauses ends, and continues by itself after the approval', async () => {
  const { agent, removed, eventsOf, types } = removing({ approvalMode: 'pause' })

  expect(await agent.prompt('Clean up.')).toMatchObject({ reason: 'awaiting_approval' })
  expect(agent.getState().status).toBe('awaiting_approval')
  expect(types()).not.toContain('tools_end')
  await expect(agent.continue()).rejects.toThrow('Cannot continue: call_1 has no answer yet.')

  agent.respondToApproval('call_1', { decision: 'approve', argsDigest: digestOf('a.txt') })
  await quiet()

  expect(removed).toEqual(['a.txt'])
  expect(eventsOf('agent_start').map(({ trigger }) => trigger)).toEqual(['prompt', 'resume'])
  expect(eventsOf('agent_end').map(({ reason }) => reason)).toEqual(['awaiting_approval', 'stop'])
  const end = eventsOf('tool_execution_end')
  expect(end).toMatchObject([{ turn: 0, runId: 'run_2' }])
})

/** Two files to remove and one to look at, one after the other. */
function oneByOne(options: Partial<AgentOptions> = {}) {
  const environment = createManualEnvironment()
  const asking = removing({}, environment)
  const look = pageTools(environment, { look: () => 'seen' })
  const model = scriptedModel(
    [call('remove', { path: 'a.txt' }), call('look'), call('remove', { path: 'b.txt' })],
    [say('Done.')],
  )
  const tools = [asking.page, look]
  asking.agent.configure({ model, tools, toolExecution: 'sequential', ...options })
  const answer = async (decision: 'approve' | 'deny'): Promise<void> => {
    await quiet()
    const [open] = asking.agent.getState().toolCalls.active.filter(({ approval }) => approval)
    const { argsDigest: digest = '' } = open?.approval ?? {}
    asking.agent.respondToApproval(open?.toolCallId ?? '', { decision, argsDigest: digest })
    await quiet()
  }
  return { ...asking, model, answer }
}

test('[I9] [I14] one by one: nothing starts before the call that needs approval has ended', async () => {
  const { agent, removed, model, answer, eventsOf } = oneByOne()
  const done = agent.prompt('Go.')
  await quiet()
  expect(eventsOf('tool_execution_start')).toHaveLength(1)

  await answer('deny')
  expect(eventsOf('tool_execution_start')).toHaveLength(3)
  await answer('approve')

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(removed).toEqual(['b.txt'])
  expect(resultsIn(model.requests[1])).toEqual([
    'The user did not allow this call. It did not run.',
    'seen',
    'Removed b.txt.',
  ])
})

test('[I16] steering while a call waits for approval skips those that have not started', async () => {
  const { agent, removed, model, answer } = oneByOne()
  const done = agent.prompt('Go.')
  await quiet()
  agent.steer('Keep b.')

  await answer('approve')

  expect(await done).toMatchObject({ reason: 'stop' })
  expect(removed).toEqual(['a.txt'])
  expect(resultsIn(model.requests[1])).toEqual([
    'Removed a.txt.',
    'Not run: the user sent a new message.',
    'Not run: the user sent a new message.',
  ])
})

test('[I3] [I7] a run may pause more than once for the calls of one answer', async () => {
  const { agent, removed, model, answer, eventsOf } = oneByOne({ approvalMode: 'pause' })
  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'awaiting_approval' })

  await answer('approve')
  expect(eventsOf('tool_execution_start')).toHaveLength(3)
  await answer('approve')

  expect(eventsOf('agent_end').map(({ reason }) => reason)).toEqual([
    'awaiting_approval',
    'awaiting_approval',
    'stop',
  ])
  expect(removed).toEqual(['a.txt', 'b.txt'])
  expect(resultsIn(model.requests[1])).toEqual(['Removed a.txt.', 'seen', 'Removed b.txt.'])
})

test('[A10] a call that is cancelled while the run pauses is over, and asks for nothing', async () => {
  const model = scriptedModel([call('remove', { path: 'a' }), call('remove', { path: 'b' })])
  const { agent } = removing({ model, approvalMode: 'pause' })
  await agent.prompt('Clean up.')
  const { approval } = agent.getState().toolCalls.get('call_1') ?? {}

  agent.cancelTool('call_1')
  await quiet()

  const { get, active } = agent.getState().toolCalls
  expect(get('call_1')).toMatchObject({ status: 'cancelled', hasEnded: true })
  expect(get('call_1')?.approval).toBeUndefined()
  expect(active.map(({ toolCallId }) => toolCallId)).toEqual(['call_2'])
  const late = { decision: 'approve', argsDigest: approval?.argsDigest ?? '' } as const
  expect(() => agent.respondToApproval('call_1', late)).toThrow(AgentUsageError)
})

test('[I7] a new prompt while a run pauses cancels the call, and a late approval is refused', async () => {
  const { agent, removed, eventsOf } = removing({ approvalMode: 'pause' })
  await agent.prompt('Clean up.')

  expect(await agent.prompt('Wait.')).toMatchObject({ reason: 'stop', text: 'Done.' })

  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'cancelled', turn: 0 }])
  expect(() =>
    agent.respondToApproval('call_1', { decision: 'approve', argsDigest: digestOf('a.txt') }),
  ).toThrow(AgentUsageError)
  expect(removed).toEqual([])
})

test('[I29] [I38] an approval that is pending survives a reload, in both modes', async () => {
  for (const approvalMode of ['wait', 'pause'] as const) {
    const environment = createManualEnvironment()
    const storage = createPuppetStorage()
    const stored = { storage, sessionId: 'session_1', approvalMode }
    const before = removing(stored, environment)
    await before.agent.ready
    void before.agent.prompt('Clean up.')
    await quiet()
    before.agent.dispose()

    const model = scriptedModel([say('After all.')])
    const after = removing({ ...stored, model }, environment)
    await after.agent.ready
    await quiet()
    expect(after.agent.getState()).toMatchObject({
      status: 'awaiting_approval',
      lastReason: 'awaiting_approval',
    })
    expect(() =>
      after.agent.respondToApproval('call_1', { decision: 'approve', argsDigest: 'old' }),
    ).toThrow(stale)
    after.agent.respondToApproval('call_1', {
      decision: 'approve',
      argsDigest: digestOf('a.txt'),
    })
    await quiet()

    expect([before.removed, after.removed]).toEqual([[], ['a.txt']])
    expect(after.agent.getState()).toMatchObject({ status: 'ready', lastReason: 'stop' })
    expect(resultsIn(model.requests[0])).toEqual(['Removed a.txt.'])
    after.agent.dispose()
  }
})

test.for([['approve'], ['edit']] as const)(
  '[I7] a call whose tool is gone when it is approved (%s) is answered like one of an unknown tool',
  async ([decision]) => {
    const { agent, removed, model, eventsOf } = removing({ approvalMode: 'pause' })
    await agent.prompt('Clean up.')
    agent.configure({ tools: [] })

    const argsDigest = digestOf('a.txt')
    agent.respondToApproval('call_1', { decision, argsDigest, args: { path: 'a.txt' } })
    await quiet()

    expect(agent.getState()).toMatchObject({ status: 'ready', lastReason: 'stop' })
    expect(removed).toEqual([])
    expect(eventsOf('tool_execution_end')).toMatchObject([{ errorKind: 'not_found' }])
    expect(resultsIn(model.requests[1])).toEqual([
      'No tool named "remove". Available: none. It did not run.',
    ])
  },
)

test('[D81] a call does not run if the code that asks a person about it does not load', async () => {
  const environment = createManualEnvironment()
  const sha256 = () => Promise.reject(new TypeError('Failed to fetch'))
  const { agent, model, removed } = removing({}, { ...environment, sha256 })

  expect(await agent.prompt('Clean up.')).toMatchObject({ reason: 'stop' })

  expect(removed).toEqual([])
  expect(resultsIn(model.requests[1])).toEqual([
    'The tool could not be started (The user could not be asked to allow this call: a part of the page could not be loaded). It did not run.',
  ])
})
