import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Message } from '../kernel/message.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import type { AgentHooks } from '../runtime/hooks.ts'
import {
  call,
  fail,
  hold,
  rawCall,
  type ScriptedAnswer,
  say,
  scriptedModel,
} from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { inPage } from '../tools/page/page-host.ts'
import { toolResult } from '../tools/result/tool-result.ts'
import { implement } from '../tools/worker/implement.ts'
import {
  type PageCode,
  pageTools,
  passTime,
  resultsIn,
  saidIn,
  watchedAgent,
} from './agent.fixtures.ts'
import type { AgentOptions } from './options.ts'

/** An agent with page tools and hooks. By default the model calls `a` and then answers with text. */
function hooked(
  hooks: AgentOptions['hooks'],
  options: {
    readonly answers?: readonly ScriptedAnswer[]
    readonly codes?: { readonly [name: string]: PageCode }
    readonly more?: Partial<AgentOptions>
  } = {},
) {
  const environment = createManualEnvironment()
  const { answers = [[call('a', { n: 1 })], [say('Done.')]], codes = {}, more } = options
  const model = scriptedModel(...answers)
  const tools = pageTools(environment, { a: (_, input) => input, ...codes })
  const watched = watchedAgent({ model, tools, ...(hooks && { hooks }), ...more }, environment)
  return { ...watched, model }
}

const never = () => new Promise<undefined>(() => {})
const throwing = () => {
  throw new Error('no idea')
}

test('the signal of a hook that has ended does not abort, so what it left under way goes on', async () => {
  const signals: AbortSignal[] = []
  const note = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
    signals.push(signal)
    return undefined
  }
  const { agent } = hooked({ onUserPromptSubmit: note, beforeToolCall: note, afterToolCall: note })

  await agent.prompt('Go.')
  await quiet()
  agent.dispose()

  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false])
})

describe('onUserPromptSubmit', () => {
  test('[I27] sees the prompt before anything is written of it, and may rewrite it in order', async () => {
    const seen: unknown[] = []
    const { agent, model, eventsOf } = hooked(
      [
        {
          onUserPromptSubmit: ({ content }) => {
            seen.push(content)
            return { content: 'Second.' }
          },
        },
        { onUserPromptSubmit: ({ content }) => void seen.push(content) },
        { onUserPromptSubmit: async () => ({ content: [{ type: 'text', text: 'Third.' }] }) },
      ],
      { answers: [[say('Hi.')]] },
    )

    const { messages } = await agent.prompt('First.')

    expect(seen).toEqual([[{ type: 'text', text: 'First.' }], [{ type: 'text', text: 'Second.' }]])
    expect(saidIn(model.requests[0])).toEqual(['Third.'])
    expect(messages[0]).toMatchObject({ role: 'user', content: [{ text: 'Third.' }] })
    expect(eventsOf('agent_start')).toMatchObject([{ input: [{ text: 'First.' }] }])
  })

  const refusals: readonly (readonly [string, AgentHooks['onUserPromptSubmit'], string])[] = [
    ['refuses', () => ({ block: true, reason: 'No secrets.' }), 'No secrets.'],
    ['refuses without a reason', () => ({ block: true }), 'A hook refused the prompt.'],
    ['throws', throwing, 'A hook failed.'],
    ['rejects', () => Promise.reject(new Error('no idea')), 'A hook failed.'],
    ['says no in one word', () => false as never, 'A hook failed.'],
    ['gives an empty text', () => '' as never, 'A hook failed.'],
    ['says in other words that it blocks', () => ({ continue: false }) as never, 'A hook failed.'],
  ]

  test.for(refusals)(
    '[I27] [I3] [H2] one that %s rejects the prompt: no turn, no request',
    async ([, onUserPromptSubmit, reason]) => {
      const { agent, model, eventsOf, types } = hooked(
        { ...(onUserPromptSubmit && { onUserPromptSubmit }) },
        { answers: [[say('Hi.')]] },
      )

      expect(await agent.prompt('Go.')).toMatchObject({ reason: 'rejected', messages: [] })

      expect(eventsOf('input_rejected')).toMatchObject([{ reason }])
      expect(types()).not.toContain('turn_start')
      expect(model.requests).toEqual([])
      expect(agent.getState()).toMatchObject({ status: 'ready', messages: [] })
    },
  )

  test('[H2] one that hangs rejects the prompt after 10 s, and its signal aborts', async () => {
    let given: AbortSignal | undefined
    const { agent, environment, eventsOf } = hooked({
      onUserPromptSubmit: (_, { signal }) => {
        given = signal
        return never()
      },
    })
    const done = agent.prompt('Go.')
    await quiet()
    environment.clock.advance(9999)
    await quiet()
    expect(eventsOf('agent_end')).toEqual([])
    environment.clock.advance(1)

    expect(await done).toMatchObject({ reason: 'rejected' })
    expect(given?.aborted).toBe(true)
    expect(eventsOf('warning')).toMatchObject([{ code: 'hook_failed' }])
    expect(environment.clock.pending()).toBe(0)
  })

  test('[I20] an abort abandons it: the prompt that it has not checked is not written', async () => {
    let given: AbortSignal | undefined
    const { agent, model, environment, events } = hooked({
      onUserPromptSubmit: (_, { signal }) => {
        given = signal
        return never()
      },
    })
    const done = agent.prompt('Go.')
    await quiet()

    agent.abort()

    expect(await done).toMatchObject({ reason: 'aborted', messages: [] })
    expect(given?.aborted).toBe(true)
    expect(model.requests).toEqual([])
    expect(environment.clock.pending()).toBe(0)
    expect(events.at(-1)?.type).toBe('agent_end')
  })

  test('[I27] [S004-4] [S004-9] runs once for each prompt, not for continuing, regenerating or repeating', async () => {
    let count = 0
    const { agent, model, environment } = hooked(
      {
        onUserPromptSubmit: () => {
          count += 1
        },
      },
      {
        answers: [
          [fail('overloaded')],
          [call('a', { n: 1 })],
          [say('One.')],
          [say('Two.')],
          [say('So'), hold()],
          [say('Three.')],
        ],
      },
    )
    const first = agent.prompt('Go.')
    await quiet()
    environment.clock.advance(1000)
    expect(await first).toMatchObject({ reason: 'stop', text: 'One.' })
    expect(count).toBe(1)
    await agent.regenerate()
    expect(count).toBe(1)

    const second = agent.prompt('Again.')
    await quiet()
    agent.abort()
    await second
    expect(count).toBe(2)
    agent.steer('Go on.')
    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Three.' })

    expect(count).toBe(2)
    expect(saidIn(model.requests.at(-1))).toEqual(['Go.', 'Again.', 'Go on.'])
  })
})

describe('beforeToolCall', () => {
  test('[I17] [L4] sees each call once, one after the other, with arguments that fit', async () => {
    const environment = createManualEnvironment()
    const seen: string[] = []
    const add = defineTool({
      name: 'add',
      description: 'Adds.',
      place: 'client',
      inputSchema: z.object({ n: z.number().default(7) }),
    })
    const model = scriptedModel([
      call('add', { n: 1 }),
      call('add', { n: 'one' }),
      rawCall('add', '{'),
      call('no'),
      call('add', {}),
    ])
    let busy = 0
    const { agent } = watchedAgent(
      {
        model,
        tools: inClient([add]),
        hooks: {
          beforeToolCall: async ({ toolCallId, args }) => {
            busy += 1
            seen.push(`${toolCallId} ${JSON.stringify(args)} ${busy}`)
            await quiet()
            busy -= 1
          },
        },
      },
      environment,
    )

    await agent.prompt('Go.')

    expect(seen).toEqual(['call_1 {"n":1} 1', 'call_5 {} 1'])
  })

  test('[L4] comes after the schema and before the approval', async () => {
    const order: string[] = []
    const note = (what: string) => order.push(what) > 0
    const careful = defineTool({
      name: 'careful',
      description: 'Notes its checks.',
      place: 'page',
      inputSchema: z.object({ n: z.number().refine(() => note('schema')) }),
      needsApproval: () => !note('approval'),
    })
    const { agent } = watchedAgent({
      model: scriptedModel([call('careful', { n: 1 })], [say('Done.')]),
      tools: inPage([implement(careful, () => String(note('code')))]),
      hooks: { beforeToolCall: () => void note('hook') },
    })

    await agent.prompt('Go.')

    expect(order.slice(0, 3)).toEqual(['schema', 'hook', 'approval'])
    expect(order.at(-1)).toBe('code')
  })

  test('[I17] [H1] rewrites arguments in order; every tool and listener has the last ones', async () => {
    const { agent, model, eventsOf } = hooked([
      { beforeToolCall: ({ args }) => ({ args: { ...args, b: 2 } }) },
      { beforeToolCall: async ({ args }) => ({ args: { ...args, c: 3 } }) },
      { beforeToolCall: () => undefined },
    ])

    await agent.prompt('Go.')

    expect(resultsIn(model.requests[1])).toEqual(['{"n":1,"b":2,"c":3}'])
    expect(eventsOf('tool_execution_start')).toMatchObject([{ args: { n: 1 } }])
    expect(eventsOf('tool_prepared')).toMatchObject([{ effectiveArgs: { n: 1, b: 2, c: 3 } }])
  })

  test('arguments from a hook have to fit the tool', async () => {
    const number = defineTool({
      name: 'number',
      description: 'Takes a number.',
      place: 'client',
      inputSchema: z.object({ n: z.number() }),
    })
    const model = scriptedModel([call('number', { n: 1 })], [say('Done.')])
    const { agent, eventsOf } = watchedAgent({
      model,
      tools: inClient([number]),
      hooks: { beforeToolCall: () => ({ args: { n: 'two' } }) },
    })

    await agent.prompt('Go.')

    expect(eventsOf('tool_execution_end')).toMatchObject([
      { errorKind: 'invalid_args', mayHaveRun: false },
    ])
  })

  test('[I17] [S004-7] [H1] a blocked call does not run, has an error result, and the others run', async () => {
    const ran: string[] = []
    const { agent, model, eventsOf } = hooked(
      [
        {
          beforeToolCall: ({ toolName }) =>
            toolName === 'b' ? { block: true, reason: 'Not today' } : undefined,
        },
        { beforeToolCall: ({ toolName }) => void ran.push(`asked ${toolName}`) },
      ],
      {
        answers: [[call('a'), call('b'), call('a')], [say('Done.')]],
        codes: { b: () => ran.push('ran b') },
      },
    )

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })

    expect(ran).toEqual(['asked a', 'asked a'])
    expect(resultsIn(model.requests[1])).toEqual([
      '{}',
      'The user did not allow this call. Not today. It did not run.',
      '{}',
    ])
    expect(eventsOf('tool_execution_end').find(({ toolName }) => toolName === 'b')).toMatchObject({
      outcome: 'denied',
      errorKind: 'denied',
      isError: true,
      mayHaveRun: false,
    })
  })

  test('[I24] blocks that say so end the run, if every call of the answer is blocked so', async () => {
    const hooks: AgentHooks = {
      beforeToolCall: ({ toolName }) =>
        toolName === 'a' ? { block: true, terminate: true } : undefined,
    }
    const all = hooked(hooks, { answers: [[call('a'), call('a')], [say('Never.')]] })
    const some = hooked(hooks, {
      answers: [[call('a'), call('b')], [say('Done.')]],
      codes: { b: () => 'b' },
    })

    expect(await all.agent.prompt('Go.')).toMatchObject({ reason: 'terminated' })
    expect(await some.agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Done.' })
  })

  test.for([
    ['throws', throwing],
    ['rejects', () => Promise.reject(new Error('no idea'))],
    ['gives a list', () => [{ block: true }] as never],
    ['returns an error', () => new Error('Not today.') as never],
    ['returns a map', () => new Map([['block', true]]) as never],
    ['says in other words that it blocks', () => ({ continue: false }) as never],
    ['gives a text for block', () => ({ block: 'Not today.' }) as never],
    ['gives a number for requireApproval', () => ({ requireApproval: 1 }) as never],
    ['gives an empty text for args', () => ({ args: '' }) as never],
    ['gives null for args', () => ({ args: null }) as never],
    ['says no in one word', () => false as never],
    ['gives a number', () => 0 as never],
  ] as const)('[I17] [H2] one that %s denies the call', async ([, beforeToolCall]) => {
    const { agent, model, eventsOf, types } = hooked({ beforeToolCall })

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop' })

    expect(types()).not.toContain('tool_dispatched')
    expect(resultsIn(model.requests[1])).toEqual([
      'The user did not allow this call. A hook failed. It did not run.',
    ])
    expect(eventsOf('warning')).toMatchObject([
      {
        code: 'hook_failed',
        message: expect.stringMatching(/^The hook beforeToolCall failed: (no idea|It gave|Its )/),
      },
    ])
  })

  test('[H2] one that hangs denies the call after hookTimeoutMs; its late answer changes nothing', async () => {
    let answer = (_: { readonly args: { readonly late: true } }): void => {}
    const { agent, model, environment, types } = hooked(
      { beforeToolCall: () => new Promise((resolve) => (answer = resolve)) },
      { more: { hookTimeoutMs: 500 } },
    )
    const done = agent.prompt('Go.')
    await quiet()
    environment.clock.advance(500)
    expect(await done).toMatchObject({ reason: 'stop' })
    const before = types().length
    answer({ args: { late: true } })
    await quiet()

    expect(types()).toHaveLength(before)
    expect(resultsIn(model.requests[1])[0]).toContain('A hook failed.')
    expect(environment.clock.pending()).toBe(0)
  })

  test('[I20] [I25] an abort abandons it, and nothing of it remains', async () => {
    const { agent, environment, types } = hooked({ beforeToolCall: never })
    const done = agent.prompt('Go.')
    await quiet()

    agent.abort()

    expect(await done).toMatchObject({ reason: 'aborted' })
    expect(types()).not.toContain('tool_dispatched')
    expect(environment.clock.pending()).toBe(0)
  })
})

describe('afterToolCall', () => {
  const whole = () =>
    toolResult({ content: 'What the tool said.', details: { of: 'tool' }, output: { n: 1 } })

  const changes: readonly (readonly [string, object, object])[] = [
    ['content', { content: 'Changed.' }, { content: [{ type: 'text', text: 'Changed.' }] }],
    ['details', { details: [1] }, { details: [1] }],
    ['structuredContent', { structuredContent: { n: 2 } }, { structuredContent: { n: 2 } }],
    ['terminate', { terminate: true }, { terminate: true }],
    ['nothing', {}, {}],
  ]

  test.for(changes)(
    '[I17] [S004-8] replaces %s and leaves the rest',
    async ([, change, changed]) => {
      const seen: unknown[] = []
      const { agent, eventsOf } = hooked(
        {
          afterToolCall: (finished) => {
            seen.push(finished)
            return change
          },
        },
        { codes: { a: whole } },
      )

      await agent.prompt('Go.')

      const original = {
        content: [{ type: 'text', text: 'What the tool said.' }],
        details: { of: 'tool' },
        structuredContent: { n: 1 },
      }
      expect(seen).toEqual([
        { toolCallId: 'call_1', toolName: 'a', args: { n: 1 }, isError: false, result: original },
      ])
      expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'succeeded' }])
      expect(eventsOf('tool_execution_end')[0]?.result).toEqual({ ...original, ...changed })
    },
  )

  test('[I17] each sees the result of the one before it; an error may become a result', async () => {
    const { agent, model, eventsOf } = hooked([
      { afterToolCall: () => ({ content: 'Hidden.' }) },
      { afterToolCall: ({ result }) => ({ content: [...result.content], isError: true }) },
      { afterToolCall: ({ isError }) => (isError ? { details: 'seen' } : undefined) },
    ])

    await agent.prompt('Go.')

    expect(resultsIn(model.requests[1])).toEqual(['Hidden.'])
    expect(eventsOf('tool_execution_end')).toMatchObject([
      { isError: true, outcome: 'failed', errorKind: 'failed', result: { details: 'seen' } },
    ])
  })

  test('[I17] sees errors of the tool, which it may turn into results; not calls that did not run', async () => {
    const seen: string[] = []
    const { agent, model, eventsOf } = hooked(
      {
        afterToolCall: ({ toolName, isError }) => {
          seen.push(`${toolName} ${isError}`)
          return { isError: false, content: 'All is well.' }
        },
      },
      {
        answers: [[call('a'), call('missing'), rawCall('a', '[')], [say('Done.')]],
        codes: { a: throwing },
      },
    )

    await agent.prompt('Go.')

    expect(seen).toEqual(['a true'])
    expect(resultsIn(model.requests[1])[0]).toBe('All is well.')
    expect(eventsOf('tool_execution_end').at(-1)).toMatchObject({
      toolCallId: 'call_1',
      outcome: 'succeeded',
      isError: false,
    })
    expect(eventsOf('tool_execution_end').at(-1)).not.toHaveProperty('errorKind')
  })

  test.for([
    ['throws', throwing],
    ['rejects', () => Promise.reject(new Error('no idea'))],
    ['gives content that is none', () => ({ content: JSON.parse('[{"type":"video"}]') })],
    ['gives data that is not JSON', () => ({ details: Number.NaN })],
    ['gives a text in place of a change', () => '[redacted]' as never],
    ['gives an empty text in place of a change', () => '' as never],
    ['says no in one word', () => false as never],
    ['returns an error', () => new Error('Withhold it.') as never],
    ['gives a list', () => [{ content: '[redacted]' }] as never],
    ['gives a field that no result has', () => ({ text: '[redacted]' }) as never],
    ['gives the call', (called: object) => ({ ...called, result: { content: [] } }) as never],
  ] as const)('[H2] one that %s withholds the result', async ([, afterToolCall]) => {
    const { agent, model, eventsOf } = hooked({ afterToolCall }, { codes: { a: () => 'secret' } })

    await agent.prompt('Go.')

    expect(resultsIn(model.requests[1])).toEqual(['Result withheld: a hook failed.'])
    expect(eventsOf('tool_execution_end')).toMatchObject([{ isError: true, mayHaveRun: true }])
    expect(JSON.stringify(eventsOf('tool_execution_end'))).not.toContain('secret')
    expect(eventsOf('warning')).toMatchObject([{ code: 'hook_failed' }])
  })

  test.for([
    ['changes a result', () => ({ n: 1 }), { structuredContent: { n: 'two' } }],
    ['turns a failure into a success', throwing, { isError: false, content: 'Fine.' }],
  ] as const)(
    '[H2] one that %s into what does not fit outputSchema withholds it',
    async ([, code, change]) => {
      const double = defineTool({
        name: 'a',
        description: 'Doubles.',
        place: 'page',
        inputSchema: z.object({ n: z.number() }),
        outputSchema: z.object({ n: z.number() }),
      })
      const tools = inPage([implement(double, code)])
      const hooks = { afterToolCall: () => change }
      const { agent, model, eventsOf } = hooked(hooks, { more: { tools } })

      await agent.prompt('Go.')

      expect(resultsIn(model.requests[1])).toEqual(['Result withheld: a hook failed.'])
      expect(agent.getState().toolCalls.get('call_1')).not.toHaveProperty('output')
      expect(eventsOf('warning')).toMatchObject([
        { message: expect.stringMatching(/afterToolCall failed: Its result does not fit/) },
      ])
    },
  )

  test('[H2] one that hangs withholds the result after 10 s', async () => {
    const { agent, model, environment } = hooked({ afterToolCall: never })
    const done = agent.prompt('Go.')
    await quiet()
    environment.clock.advance(10_000)

    await done
    expect(resultsIn(model.requests[1])).toEqual(['Result withheld: a hook failed.'])
    expect(environment.clock.pending()).toBe(0)
  })

  test('[I20] an abort abandons it', async () => {
    const { agent, environment, eventsOf } = hooked({ afterToolCall: never })
    const done = agent.prompt('Go.')
    await quiet()
    agent.abort()
    await quiet()
    environment.clock.advance(250)

    expect(await done).toMatchObject({ reason: 'aborted' })
    expect(eventsOf('tool_execution_end')).toHaveLength(1)
    expect(environment.clock.pending()).toBe(0)
  })

  test('[I17] [S004-8] sees answers of people, in manual mode too', async () => {
    const seen: unknown[] = []
    const { agent, model } = hooked(
      {
        afterToolCall: ({ args, result }) => {
          seen.push(args)
          return { content: [...result.content, { type: 'text', text: ' Checked.' }] }
        },
      },
      { more: { toolMode: 'manual' } },
    )
    await agent.prompt('Go.')
    await agent.addToolResult('call_1', 'Given.')

    await agent.continue()

    expect(seen).toEqual([{ n: 1 }])
    expect(resultsIn(model.requests[1])).toEqual(['Given. Checked.'])
  })
})

test('[I17] of a call that is retried, both hooks see it once', async () => {
  const environment = createManualEnvironment()
  const seen: string[] = []
  const tools = pageTools(
    environment,
    {
      a: ({ attempt }) => {
        if (attempt < 3) throw new Error('not yet')
        return `attempt ${attempt}`
      },
    },
    { retry: { maxAttempts: 3 } },
  )
  const hooks: AgentHooks = {
    beforeToolCall: ({ toolCallId }) => void seen.push(`before ${toolCallId}`),
    afterToolCall: ({ toolCallId, isError }) => void seen.push(`after ${toolCallId} ${isError}`),
  }
  const model = scriptedModel([call('a')], [say('Done.')])
  const { agent } = watchedAgent({ model, tools, hooks }, environment)

  await passTime(environment, agent.prompt('Go.'), 100)

  expect(seen).toEqual(['before call_1', 'after call_1 false'])
})

describe('transformContext', () => {
  test('[I17] [I37] changes what one request holds, in order, and not the history', async () => {
    const lengths: number[] = []
    const keepLast = (messages: readonly Message[]) => messages.slice(-1)
    const { agent, model } = hooked(
      [
        {
          transformContext: (messages) => {
            lengths.push(messages.length)
            return keepLast(messages)
          },
        },
        { transformContext: async (messages) => [...messages] },
      ],
      { answers: [[say('One.')], [say('Two.')]] },
    )
    await agent.prompt('First.')
    await agent.prompt('Second.')

    expect(lengths).toEqual([1, 3])
    expect(model.requests.map(saidIn)).toEqual([['First.'], ['Second.']])
    expect(agent.getState().messages).toHaveLength(4)
  })

  test.for([
    ['throws', throwing, 'no idea'],
    [
      'leaves a call without its result',
      (all: readonly Message[]) => all.slice(0, 2),
      'has no result',
    ],
    [
      'gives a text for content',
      (all: readonly Message[]) =>
        all.map((one) => Object.assign({ ...one }, { content: 'Hello.' })),
      'The hook transformContext failed: It gave no list of messages',
    ],
    ...[
      ...[undefined, null, false, 'Hello.', {}, new Set(), [null], new Array(1)],
      ...[[{ content: [] }], [{ role: 'human', content: [] }], [{ role: 'user', content: [null] }]],
      [{ role: 'user', content: [{ type: 'text' }] }],
    ].map(
      (given) =>
        [
          `gives ${JSON.stringify(given)} (${typeof given})`,
          () => given as never,
          'It gave no list of messages, each with its role and a list of parts.',
        ] as const,
    ),
  ] as const)(
    '[I28] [H2] one that %s ends the run, and nothing is sent',
    async ([, transform, text]) => {
      let isOn = false
      const { agent, model } = hooked(
        { transformContext: (all) => (isOn ? transform(all) : all) },
        {
          codes: {
            a: () => {
              isOn = true
              return 'a'
            },
          },
        },
      )

      const { reason, error } = await agent.prompt('Go.')

      expect(reason).toBe('error')
      expect(error).toMatchObject({ kind: 'internal', retryable: false })
      expect(error?.message).toContain(text)
      expect(model.requests).toHaveLength(1)
    },
  )

  test('[H2] one that hangs ends the run after 10 s; an abort does not wait for it', async () => {
    const hanging = hooked({ transformContext: () => new Promise<never>(() => {}) })
    const done = hanging.agent.prompt('Go.')
    await quiet()
    hanging.environment.clock.advance(10_000)
    const message = 'The hook transformContext failed: It took longer than 10 s.'
    expect(await done).toMatchObject({ reason: 'error', error: { kind: 'internal', message } })

    const stopped = hooked({ transformContext: () => new Promise<never>(() => {}) })
    const end = stopped.agent.prompt('Go.')
    await quiet()
    stopped.agent.abort()
    expect(await end).toMatchObject({ reason: 'aborted' })
    expect([hanging.model.requests, stopped.model.requests]).toEqual([[], []])
    expect(stopped.environment.clock.pending()).toBe(0)
  })
})
