import { beforeAll, describe, expect, test } from 'vitest'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { canRetry } from '../store/can-retry.ts'
import type { ToolCallView } from '../store/tool-call-view.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, finish, hold, type ScriptedAnswer, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { pageTools, resultsIn, watchedAgent } from './agent.fixtures.ts'
import { agentTool } from './agent-tool.ts'
import { callPart } from './late-calls.ts'
import type { AgentOptions } from './options.ts'

// With it the first retry does not take longer than the others.
beforeAll(async () => void (await callPart.load()))

/** An agent whose tools `a`, `b` and `c` do what the test says, when it says so. */
function world(answers: readonly ScriptedAnswer[], options: Partial<AgentOptions> = {}) {
  const environment = createManualEnvironment()
  const tools = ['a', 'b', 'c'].map((name) => workerTool(name))
  const host = fakeWorkers(tools, { clock: environment.clock })
  const model = scriptedModel(...answers)
  const watched = watchedAgent({ model, tools: host, ...options }, environment)
  const { agent } = watched
  return {
    ...watched,
    ...{ model, host, environment },
    call: (id = 'call_1'): ToolCallView => {
      const shown = agent.getState().toolCalls.get(id)
      if (!shown) throw new Error(`There is no ${id}.`)
      return shown
    },
    can: (id = 'call_1') => canRetry(agent.getState(), id),
    /** Fails the n-th worker of a tool. */
    fails: async (name: string, index = 0) => {
      host.worker(name, index).throws(new Error(`${name} failed.`))
      await quiet()
    },
    answers: async (name: string, text: string, index = 0) => {
      host.worker(name, index).answer(text)
      await quiet()
    },
  }
}

describe('while other calls of its answer have not ended', () => {
  test('[R6] the new result takes the place of the old one, and the model reads it alone', async () => {
    const {
      agent,
      model,
      call: callOf,
      can,
      fails,
      answers,
      eventsOf,
    } = world([[call('a'), call('b')], [say('Done.')]])
    const done = agent.prompt('Go.')
    await quiet()
    expect(can()).toBe(false)
    await fails('a')
    expect(can()).toBe(true)
    expect(can('call_2')).toBe(false)

    const retried = agent.retryTool('call_1')
    await quiet()
    expect(callOf()).toMatchObject({ status: 'starting', hasEnded: false, attempt: 2 })
    expect(can()).toBe(false)
    await answers('a', 'from a', 1)
    expect(callOf()).toMatchObject({
      status: 'succeeded',
      attempt: 2,
      earlier: [{ status: 'failed', attempt: 1, result: { content: [{ text: 'a failed.' }] } }],
    })
    await answers('b', 'from b')

    expect(await done).toMatchObject({ reason: 'stop', text: 'Done.' })
    expect(await retried).toMatchObject({ reason: 'stop', text: 'Done.' })
    expect(resultsIn(model.requests[1])).toEqual(['from a', 'from b'])
    expect(
      eventsOf('tool_execution_end').map(({ toolCallId, outcome }) => [toolCallId, outcome]),
    ).toEqual([
      ['call_1', 'failed'],
      ['call_1', 'succeeded'],
      ['call_2', 'succeeded'],
    ])
    expect(eventsOf('agent_start')).toHaveLength(1)
    expect(agent.getState().branches.tips).toEqual([])
  })

  test('[R6] with units one after the other it waits for the one that runs, and goes before the next', async () => {
    const {
      agent,
      model,
      call: callOf,
      fails,
      answers,
    } = world([[call('a'), call('b'), call('c')], [say('Done.')]], { toolExecution: 'sequential' })
    const done = agent.prompt('Go.')
    await quiet()
    await fails('a')
    void agent.retryTool('call_1')
    await quiet()
    expect(callOf()).toMatchObject({ status: 'queued' })

    await answers('b', 'from b')
    expect(callOf()).toMatchObject({ status: 'starting' })
    expect(callOf('call_3')).toMatchObject({ status: 'input_streaming' })
    await answers('a', 'from a', 1)
    await answers('c', 'from c')

    await done
    expect(resultsIn(model.requests[1])).toEqual(['from a', 'from b', 'from c'])
  })

  test('[R6] what the user says meanwhile skips other calls, not this one', async () => {
    const { agent, model, fails, answers } = world(
      [[call('a'), call('b'), call('c')], [say('Done.')]],
      { toolExecution: { type: 'batched', size: 2 } },
    )
    const done = agent.prompt('Go.')
    await quiet()
    await fails('a')
    agent.steer('Enough.')
    void agent.retryTool('call_1')
    await quiet()
    await answers('b', 'from b')
    await answers('a', 'from a', 1)

    await done
    expect(resultsIn(model.requests[1])).toEqual([
      'from a',
      'from b',
      'Not run: the user sent a new message.',
    ])
  })

  test('[R6] the ends of calls in call order hold the last of each, an earlier one comes before its retry', async () => {
    const { agent, fails, answers } = world([[call('a'), call('b')], [say('Done.')]])
    const ends: string[] = []
    agent.subscribe(
      (event) => {
        if (event.type === 'tool_execution_end') ends.push(`${event.toolCallId} ${event.outcome}`)
        if (event.type === 'tool_retry_requested') ends.push('retry')
      },
      { endOrder: 'call' },
    )
    const done = agent.prompt('Go.')
    await quiet()
    await fails('a')
    void agent.retryTool('call_1')
    await quiet()
    await answers('b', 'from b')
    await answers('a', 'from a', 1)
    await done

    expect(ends).toEqual(['call_1 failed', 'retry', 'call_1 succeeded', 'call_2 succeeded'])
  })

  test('[R5] a call of an agent inside a call is run once more, too', async () => {
    const environment = createManualEnvironment()
    const host = fakeWorkers([workerTool('a'), workerTool('b')], { clock: environment.clock })
    const inner = scriptedModel([call('a'), call('b')], [say('Inner.')])
    const outer = scriptedModel([call('research')], [say('Outer.')])
    const research = agentTool({
      ...{ name: 'research', description: 'Asks.', inputSchema: workerTool('a').inputSchema },
      prompt: () => 'Look.',
      agent: { model: inner, tools: host },
    })
    const { agent, eventsOf } = watchedAgent({ model: outer, tools: research }, environment)
    const done = agent.prompt('Go.')
    await quiet()
    const [child = ''] = agent.getState().toolCalls.get('call_1')?.children ?? []
    host.worker('a').throws(new Error('No.'))
    await quiet()

    expect(canRetry(agent.getState(), child)).toBe(true)
    const retried = agent.retryTool(child)
    await quiet()
    host.worker('a', 1).answer('from a')
    host.worker('b').answer('from b')

    expect(await done).toMatchObject({ text: 'Outer.' })
    expect(await retried).toMatchObject({ text: 'Outer.' })
    expect(resultsIn(inner.requests[1])).toEqual(['from a', 'from b'])
    expect(eventsOf('tool_retry_requested')).toMatchObject([{ agentId: 'agent_1' }])
  })

  test('[R5] [A10] one that ran, and is cancelled while it waits to be allowed again, reads at once as in the end', async () => {
    const environment = createManualEnvironment()
    const host = fakeWorkers([workerTool('a')], { clock: environment.clock })
    const model = scriptedModel([call('a'), call('pick')], [say('Done.')])
    let asks = false
    const { agent } = watchedAgent(
      {
        ...{ model, tools: [host, inClient([clientTool('pick')])], approvalMode: 'pause' },
        hooks: { beforeToolCall: () => ({ requireApproval: asks }) },
      },
      environment,
    )
    const done = agent.prompt('Go.')
    await quiet()
    host.worker('a').throws(new Error('No.'))
    await done
    asks = true
    await agent.retryTool('call_1')

    agent.cancelTool('call_1')
    await quiet()
    const [, , { content: shown } = {}] = agent.getTranscript()
    await agent.addToolResult('call_2', 'Monday')
    await quiet()

    const [text = ''] = resultsIn(model.requests.at(-1))
    expect(text).toContain('Cancelled by the user while running.')
    expect(shown).toEqual([{ type: 'text', text }])
  })

  test('[R5] a call that the page answers is answered once more', async () => {
    const environment = createManualEnvironment()
    const tools = inClient([clientTool('pick'), clientTool('ok')])
    const model = scriptedModel([call('pick'), call('ok')], [say('Done.')])
    const { agent } = watchedAgent({ model, tools }, environment)
    await agent.prompt('Go.')
    await agent.addToolResult('call_1', 'Monday', { isError: true })
    await quiet()
    expect(canRetry(agent.getState(), 'call_1')).toBe(false)
    await agent.addToolResult('call_2', 'Yes')
    await quiet()

    expect(await agent.retryTool('call_1')).toMatchObject({ reason: 'awaiting_tool_results' })
    await agent.addToolResult('call_1', 'Tuesday')
    await quiet()

    expect(resultsIn(model.requests.at(-1))).toEqual(['Tuesday', 'Yes'])
  })
})

describe('after the model has read its result', () => {
  test('[R7] the conversation goes on from its answer on another branch, and no other call runs', async () => {
    const {
      agent,
      model,
      call: callOf,
      can,
      host,
      fails,
      answers,
    } = world([[say('Two.'), call('a'), call('b')], [say('It failed.')], [say('It worked.')]])
    const first = agent.prompt('Go.')
    await quiet()
    await fails('a')
    await answers('b', 'from b')
    await first
    expect(can()).toBe(true)
    expect(can('call_2')).toBe(false)
    const old = agent.getState()

    const second = agent.retryTool('call_1')
    await quiet()
    expect(shown(agent)).toEqual(['Go.', 'Two.'])
    expect(callOf('call_2')).toMatchObject({ status: 'succeeded', attempt: 1 })
    await answers('a', 'from a', 1)

    expect(await second).toMatchObject({ reason: 'stop', text: 'It worked.' })
    expect(resultsIn(model.requests[2])).toEqual(['from a', 'from b'])
    expect(host.started).toHaveLength(3)
    const [before, now] = agent.getState().branches.get(callOf().messageId)
    expect(before).toMatchObject({ messageId: callOf().messageId, isShown: false })
    expect(now).toMatchObject({ messageId: callOf().messageId, isShown: true })

    agent.moveHead(before?.headId ?? null)
    await quiet()
    expect(shown(agent)).toEqual(['Go.', 'Two.', 'It failed.'])
    expect(callOf()).toEqual(old.toolCalls.get('call_1'))
    expect(
      agent
        .getState()
        .branches.get(callOf().messageId)
        .map((one) => one.isShown),
    ).toEqual([true, false])
    agent.moveHead(now?.headId ?? null)
    await quiet()
    expect(shown(agent)).toEqual(['Go.', 'Two.', 'It worked.'])
    expect(callOf()).toMatchObject({ status: 'succeeded', earlier: [{ status: 'failed' }] })
  })

  test('[R7] a call of an older turn: what came after stays on the branch that is left', async () => {
    const { agent, model, fails, answers } = world([
      [call('a')],
      [say('It failed.')],
      [say('Well.')],
      [say('It worked.')],
    ])
    const first = agent.prompt('Go.')
    await quiet()
    await fails('a')
    await first
    await agent.prompt('And now?')

    const retried = agent.retryTool('call_1')
    await quiet()
    await answers('a', 'from a', 1)
    await retried

    expect(shown(agent)).toEqual(['Go.', '', 'It worked.'])
    expect(model.requests[3]?.messages).toHaveLength(3)
    const [tip = null] = agent.getState().branches.tips
    agent.moveHead(tip)
    await quiet()
    expect(shown(agent)).toEqual(['Go.', '', 'It failed.', 'And now?', 'Well.'])
  })

  test('[R7] attempts are counted over all branches, and each branch keeps its own', async () => {
    const {
      agent,
      call: callOf,
      fails,
      answers,
      eventsOf,
    } = world([[call('a')], [say('One.')], [say('Two.')], [say('Three.')]])
    const first = agent.prompt('Go.')
    await quiet()
    await fails('a')
    await first
    const second = agent.retryTool('call_1')
    await quiet()
    await fails('a', 1)
    await second
    const [old] = agent.getState().branches.get(callOf().messageId)
    agent.moveHead(old?.headId ?? null)
    await quiet()
    expect(callOf()).toMatchObject({ attempt: 1 })

    const third = agent.retryTool('call_1')
    await quiet()
    await answers('a', 'from a', 2)
    await third

    expect(callOf()).toMatchObject({ attempt: 3, earlier: [{ attempt: 1 }] })
    expect(eventsOf('tool_dispatched').map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    const versions = agent.getState().branches.get(callOf().messageId)
    expect(versions.map(({ isShown }) => isShown)).toEqual([false, false, true])
  })

  test('[R7] a retry that is stopped leaves a branch, and the way back', async () => {
    const {
      agent,
      environment,
      call: callOf,
      can,
      fails,
      host,
    } = world([[call('a')], [say('One.')]])
    const first = agent.prompt('Go.')
    await quiet()
    await fails('a')
    await first
    const second = agent.retryTool('call_1')
    await quiet()
    host.worker('a', 1).begin()
    agent.abort()
    await quiet()
    expect(can()).toBe(false)
    environment.clock.advance(250)

    expect(await second).toMatchObject({ reason: 'aborted' })
    await quiet()
    expect(callOf()).toMatchObject({ status: 'cancelled', earlier: [{ status: 'failed' }] })
    expect(can()).toBe(true)
    const [old] = agent.getState().branches.get(callOf().messageId)
    agent.moveHead(old?.headId ?? null)
    await quiet()
    expect(shown(agent)).toEqual(['Go.', '', 'One.'])
  })

  test('[R7] a retry that is cancelled: the model reads that, and goes on', async () => {
    const { agent, environment, model, fails, host } = world([
      [call('a')],
      [say('One.')],
      [say('Two.')],
    ])
    const first = agent.prompt('Go.')
    await quiet()
    await fails('a')
    await first
    const second = agent.retryTool('call_1')
    await quiet()
    host.worker('a', 1).begin()
    expect(agent.cancelTool('call_1')).toBe(true)
    await quiet()
    environment.clock.advance(250)

    expect(await second).toMatchObject({ reason: 'stop', text: 'Two.' })
    expect(resultsIn(model.requests[2])).toEqual([
      'Cancelled by the user while running. It may have had partial effects.',
    ])
  })

  test('[I34] [R5] what a worker of an earlier attempt still says changes nothing', async () => {
    const { agent, environment, model, host, answers } = world([
      [call('a')],
      [say('One.')],
      [say('Two.')],
    ])
    const first = agent.prompt('Go.')
    await quiet()
    host.worker('a').begin()
    agent.cancelTool('call_1')
    await quiet()
    environment.clock.advance(250)
    await first
    const second = agent.retryTool('call_1')
    await quiet()

    host.worker('a').update('Late.')
    host.worker('a').answer('Late.')
    await quiet()
    expect(agent.getState().toolCalls.get('call_1')?.hasEnded).toBe(false)
    await answers('a', 'from a', 1)

    await second
    expect(resultsIn(model.requests[2])).toEqual(['from a'])
  })

  test('[R5] the tries of the tool are counted from the start', async () => {
    const environment = createManualEnvironment()
    let runs = 0
    const tools = pageTools(
      environment,
      {
        flaky: () => {
          runs += 1
          if (runs < 4) throw new Error('Not yet.')
          return 'at last'
        },
      },
      { retry: { maxAttempts: 2 }, idempotent: true },
    )
    const model = scriptedModel([call('flaky')], [say('One.')], [say('Two.')])
    const { agent, eventsOf } = watchedAgent({ model, tools }, environment)
    const pass = async () => {
      for (let step = 0; step < 4; step += 1) {
        await quiet()
        environment.clock.advance(2000)
      }
    }
    const first = agent.prompt('Go.')
    await pass()
    await first
    const second = agent.retryTool('call_1')
    await pass()
    await second

    expect(resultsIn(model.requests[2])).toEqual(['at last'])
    expect(eventsOf('auto_retry_start')).toMatchObject([
      { attempt: 2, maxAttempts: 2 },
      { attempt: 4, maxAttempts: 4 },
    ])
    expect(eventsOf('auto_retry_end')).toMatchObject([{ success: false }, { success: true }])
  })
})

describe('what is asked about it', () => {
  test('[R5] its arguments are checked, and the hooks see them, as the first time', async () => {
    const environment = createManualEnvironment()
    const seen: unknown[] = []
    const hooks = {
      beforeToolCall: ({ args }: { readonly args: object }) => void seen.push(args),
      afterToolCall: ({ args }: { readonly args: object }) => void seen.push(args),
    }
    const ran: object[] = []
    const tools = pageTools(environment, {
      pay: (_, input) => {
        ran.push(input)
        throw new Error('No money.')
      },
    })
    const model = scriptedModel(
      [call('pay', { amount: 5 })],
      [say('One.')],
      [say('Two.')],
      [say('Three.')],
    )
    const { agent } = watchedAgent({ model, tools, hooks }, environment)
    await agent.prompt('Go.')
    await agent.retryTool('call_1', { args: { amount: 3 } })
    // With the arguments that it had.
    await agent.retryTool('call_1')
    await quiet()

    expect(ran).toEqual([{ amount: 5 }, { amount: 3 }, { amount: 3 }])
    expect(seen).toEqual([
      { amount: 5 },
      { amount: 5 },
      { amount: 3 },
      { amount: 3 },
      { amount: 3 },
      { amount: 3 },
    ])
    const shownCall = agent.getState().toolCalls.get('call_1')
    expect(shownCall).toMatchObject({ args: { amount: 3 }, argsText: '{"amount":5}' })
    expect(shownCall?.earlier).toMatchObject([{ args: { amount: 5 } }, { args: { amount: 3 } }])
    expect(JSON.stringify(model.requests[2]?.messages)).not.toContain('"amount":3')
  })

  test('[R5] [I17] a hook that looks at one call is not asked again because another one is retried', async () => {
    const seen: string[] = []
    const held: (() => void)[] = []
    const hooks = {
      beforeToolCall: ({ toolCallId }: { readonly toolCallId: string }) => {
        seen.push(toolCallId)
        return new Promise<undefined>((resolve) => held.push(() => resolve(undefined)))
      },
    }
    const letsPass = async () => {
      held.shift()?.()
      await quiet()
    }
    const { agent, fails, answers } = world([[call('a'), call('b')], [say('Done.')]], { hooks })
    const done = agent.prompt('Go.')
    await quiet()
    await letsPass()
    await fails('a')
    void agent.retryTool('call_1')
    await quiet()

    expect(seen).toEqual(['call_1', 'call_2'])

    await letsPass()
    await letsPass()
    await answers('b', 'fine')
    await answers('a', 'fine, too', 1)
    await done
    expect(seen).toEqual(['call_1', 'call_2', 'call_1'])
  })

  test('[R5] [A5] a person is asked again, and an answer to the first question does not count', async () => {
    const environment = createManualEnvironment()
    const tools = pageTools(environment, { pay: () => 'paid' }, { needsApproval: true })
    const model = scriptedModel([call('pay')], [say('One.')], [say('Two.')])
    const { agent } = watchedAgent({ model, tools }, environment)
    const first = agent.prompt('Go.')
    await quiet()
    const { argsDigest = '' } = agent.getState().toolCalls.get('call_1')?.approval ?? {}
    agent.respondToApproval('call_1', { decision: 'deny', argsDigest, reason: 'Not now.' })
    await first

    const second = agent.retryTool('call_1')
    await quiet()
    expect(agent.getState().status).toBe('awaiting_approval')
    expect(() => agent.respondToApproval('call_1', { decision: 'approve', argsDigest })).toThrow(
      expect.objectContaining({ code: 'stale_approval' }),
    )
    const again = agent.getState().toolCalls.get('call_1')?.approval?.argsDigest ?? ''
    agent.respondToApproval('call_1', { decision: 'approve', argsDigest: again })

    await second
    expect(resultsIn(model.requests[2])).toEqual(['paid'])
  })

  test('[R9] no text says that a call did not run, if an earlier attempt may have', async () => {
    const environment = createManualEnvironment()
    let isDenied = false
    const hooks = {
      beforeToolCall: () => (isDenied ? ({ block: true, reason: 'Enough' } as const) : undefined),
    }
    const tools = pageTools(environment, {
      pay: () => {
        throw new Error('No money.')
      },
    })
    const model = scriptedModel([call('pay')], [say('One.')], [say('Two.')])
    const { agent, eventsOf } = watchedAgent({ model, tools, hooks }, environment)
    await agent.prompt('Go.')
    isDenied = true
    await agent.retryTool('call_1')

    expect(resultsIn(model.requests[2])).toEqual([
      'The user did not allow this call. Enough. It did not run this time; an earlier attempt may have had partial effects.',
    ])
    expect(eventsOf('tool_execution_end').at(-1)).toMatchObject({
      outcome: 'denied',
      mayHaveRun: true,
    })
  })

  test('[R5] limits for what a model repeats do not hold it back', async () => {
    const environment = createManualEnvironment()
    const model = scriptedModel(
      [call('a', { n: 1 }), call('a', { n: 2 })],
      [call('a', { n: 1 })],
      [say('One.')],
      [say('Two.')],
      [say('Three.')],
    )
    const tools = pageTools(environment, { a: () => 'from a' })
    const loopDetection = { noteAt: 2, stopAt: 2 }
    const { agent } = watchedAgent({ model, tools, loopDetection, maxCallsPerTurn: 1 }, environment)
    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'loop_detected' })

    await agent.retryTool('call_3')
    expect(resultsIn(model.requests.at(-1)).at(-1)).toBe('from a')
    await agent.retryTool('call_2')
    expect(resultsIn(model.requests.at(-1))).toEqual(['from a', 'from a'])
  })
})

describe('a retry that is refused changes nothing', () => {
  test('[R8] of a call that is unknown, of another tool or branch, or has not ended', async () => {
    const { agent, events, fails } = world([[call('a')], [say('One.')], [say('Two.')]])
    const refused = async (given: Parameters<typeof agent.retryTool>, error: object) => {
      const before = events.length
      await expect(agent.retryTool(...given)).rejects.toMatchObject(error)
      expect(events).toHaveLength(before)
    }
    await refused(['call_1'], { code: 'unknown_call' })
    const done = agent.prompt('Go.')
    await quiet()
    await refused(['call_1'], {
      code: 'not_retryable',
      message: expect.stringContaining('has not ended'),
    })
    await fails('a')
    await done

    await refused(['call_9'], { code: 'unknown_call' })
    await refused(['call_1', { toolName: 'b' }], { code: 'not_retryable' })
    await refused(['call_1', { args: JSON.parse('[]') }], { name: 'TypeError' })
    agent.moveHead(null)
    await refused(['call_1'], { code: 'unknown_call' })
    await agent.prompt('Else?')
    await refused(['call_1'], { code: 'unknown_call' })
  })

  test('[R8] of an answer that was cut off', async () => {
    const { agent, can } = world([[call('a'), finish('max_tokens')], [say('One.')]])
    await agent.prompt('Go.')
    await quiet()

    expect(can()).toBe(false)
    await expect(agent.retryTool('call_1')).rejects.toMatchObject({ code: 'not_retryable' })
  })

  test('[R8] while a run is active that has gone on without it, or is to stop', async () => {
    const { agent, can, fails, environment } = world([[call('a'), call('b')], [hold()]])
    const done = agent.prompt('Go.')
    await quiet()
    await fails('a')
    agent.abort()
    await quiet()
    expect(can()).toBe(false)
    await expect(agent.retryTool('call_1')).rejects.toMatchObject({ name: 'AgentBusyError' })
    environment.clock.advance(250)
    await done

    const goesOn = agent.continue()
    await quiet()
    expect(can()).toBe(false)
    await expect(agent.retryTool('call_1')).rejects.toMatchObject({ name: 'AgentBusyError' })
    agent.abort()
    await goesOn
  })

  test('[R8] twice at once: the second one', async () => {
    const { agent, fails, answers, eventsOf } = world([[call('a')], [say('One.')], [say('Two.')]])
    const first = agent.prompt('Go.')
    await quiet()
    await fails('a')
    await first

    const retried = agent.retryTool('call_1')
    await expect(agent.retryTool('call_1')).rejects.toMatchObject({ code: 'not_retryable' })
    await quiet()
    await answers('a', 'from a', 1)

    await retried
    expect(eventsOf('tool_retry_requested')).toHaveLength(1)
  })
})

function clientTool(name: string) {
  const { description, inputSchema } = workerTool(name)
  return defineTool({ name, description, inputSchema, place: 'client' })
}

function shown({ getState }: ReturnType<typeof world>['agent']): readonly string[] {
  return getState().messages.map(({ content }) =>
    [...content].map((part) => (part.type === 'text' ? part.text : '')).join(''),
  )
}
