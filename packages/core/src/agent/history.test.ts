import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentEvent } from '../kernel/events.ts'
import { textOf } from '../kernel/message.ts'
import { formatForAnthropic } from '../model/anthropic/format.ts'
import { anthropicProblems } from '../model/anthropic/strict.fixtures.ts'
import { formatForOpenAI } from '../model/openai/format.ts'
import { openaiProblems } from '../model/openai/strict.fixtures.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, finish, hold, type ScriptedAnswer, say, scriptedModel } from '../testing/scripted.ts'
import { transcriptProblems } from '../testing/strict-transcript.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { pageTools, resultsIn, saidIn, watchedAgent } from './agent.fixtures.ts'
import { AgentBusyError } from './usage-errors.ts'

function talking(...texts: readonly string[]) {
  const model = scriptedModel(...texts.map((text) => [say(text)]))
  return { ...watchedAgent({ model }), model }
}

const textsOf = (messages: readonly { readonly content: readonly object[] }[]) =>
  messages.map(({ content: [part] }) => (part && 'text' in part ? part.text : ''))

describe('regenerate', () => {
  test('[I37] replaces the last answer, and keeps the old one on a branch', async () => {
    const { agent, model, eventsOf, events } = talking('First.', 'Second.')
    await agent.prompt('Go.')
    const before = structuredClone(events)

    expect(await agent.regenerate()).toMatchObject({ reason: 'stop', text: 'Second.' })

    expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages)
    expect(eventsOf('agent_start').map(({ trigger }) => trigger)).toEqual(['prompt', 'regenerate'])
    const { messages, branches } = agent.getState()
    expect(textsOf(messages)).toEqual(['Go.', 'Second.'])
    expect(branches.tips).toEqual(['msg_2'])
    expect(events.slice(0, before.length)).toEqual(before)

    agent.moveHead('msg_2')
    await quiet()
    expect(textsOf(agent.getState().messages)).toEqual(['Go.', 'First.'])
    expect(agent.getState().branches.tips).toEqual(['msg_3'])
  })

  test('[I37] goes back behind calls and their results', async () => {
    const environment = createManualEnvironment()
    const tools = pageTools(environment, { a: () => 'from a' })
    const model = scriptedModel([call('a')], [say('One.')], [say('Two.')])
    const { agent } = watchedAgent({ model, tools }, environment)
    await agent.prompt('Go.')

    await agent.regenerate()

    expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual(['user'])
    expect(agent.getState().toolCalls.get('call_1')?.status).toBe('succeeded')
  })

  test('[I37] after an aborted answer repeats the request', async () => {
    const model = scriptedModel([say('Half'), hold()], [say('Whole.')])
    const { agent } = watchedAgent({ model })
    const done = agent.prompt('Go.')
    await quiet()
    agent.abort()
    await done

    expect(await agent.regenerate()).toMatchObject({ reason: 'stop', text: 'Whole.' })
    expect(saidIn(model.requests[1])).toEqual(['Go.'])
  })

  test.for<readonly [what: string, half: ScriptedAnswer]>([
    ['was stopped in the middle', [say('Half'), hold()]],
    ['was cut off', [say('Half'), finish('max_tokens')]],
    ['filled the context', [say('Half'), finish('context_overflow')]],
  ])('[L13] an answer that %s is continued from there', async ([, half]) => {
    const model = scriptedModel(half, [say(' and whole.')])
    const { agent } = watchedAgent({ model })
    const done = agent.prompt('Go.')
    await quiet()
    agent.abort()
    await done

    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: ' and whole.' })

    const { messages = [] } = model.requests[1] ?? {}
    expect(messages.map(({ role, content }) => [role, textOf(content)])).toEqual([
      ['user', 'Go.'],
      ['assistant', 'Half'],
    ])
    expect(transcriptProblems(messages)).toEqual([])
    const request = { model: 'm', stream: true }
    const limits = { max_tokens: 9 }
    expect(anthropicProblems({ ...request, ...limits, ...formatForAnthropic(messages) })).toEqual(
      [],
    )
    expect(openaiProblems({ ...request, ...formatForOpenAI(messages) })).toEqual([])
    await expect(agent.continue()).rejects.toMatchObject({ code: 'nothing_to_continue' })
  })

  test('[I23] goes back and starts in one step: a listener of the one cannot undo the other', async () => {
    const { agent } = talking('First.', 'Second.')
    await agent.prompt('Go.')
    const refused: unknown[] = []
    agent.subscribe(({ type }) => {
      if (type !== 'head_moved') return
      try {
        agent.moveHead(null)
      } catch (error) {
        refused.push(error)
      }
    })

    expect(await agent.regenerate()).toMatchObject({ reason: 'stop', text: 'Second.' })
    expect(refused).toEqual([expect.any(AgentBusyError)])
  })
})

describe('moveHead', () => {
  test('[I37] to the parent of a message, then a prompt: the message is edited', async () => {
    const { agent, model, eventsOf } = talking('One.', 'Two.', 'Other.')
    await agent.prompt('First.')
    await agent.prompt('Secnd.')
    const [, , typo] = agent.getState().messages
    expect(typo?.parentId).toBe('msg_2')

    agent.moveHead(typo?.parentId ?? null)
    await agent.prompt('Second.')

    expect(eventsOf('head_moved')).toMatchObject([{ messageId: 'msg_2', runId: null, turn: 0 }])
    expect(saidIn(model.requests[2])).toEqual(['First.', 'Second.'])
    expect(textsOf(agent.getState().messages)).toEqual(['First.', 'One.', 'Second.', 'Other.'])
    expect(agent.getState().branches.tips).toEqual(['msg_4'])
  })

  test('[I37] to null starts an empty branch; to where it is changes nothing', async () => {
    const { agent, model, events } = talking('One.', 'Two.')
    await agent.prompt('First.')
    const before = events.length
    agent.moveHead('msg_2')
    expect(events).toHaveLength(before)

    agent.moveHead(null)
    await quiet()
    expect(agent.getState().messages).toEqual([])
    await agent.prompt('Again.')

    expect(saidIn(model.requests[1])).toEqual(['Again.'])
    expect(agent.getState().branches.tips).toEqual(['msg_2'])
  })

  test('[I37] moves between branches any number of times, and every message keeps its parent', async () => {
    const { agent, eventsOf } = talking('A.', 'B.', 'C.')
    await agent.prompt('One.')
    await agent.regenerate()
    agent.moveHead('msg_2')
    await agent.prompt('More.')
    agent.moveHead('msg_3')
    await quiet()
    expect(textsOf(agent.getState().messages)).toEqual(['One.', 'B.'])
    agent.moveHead('msg_5')
    await quiet()

    expect(textsOf(agent.getState().messages)).toEqual(['One.', 'A.', 'More.', 'C.'])
    const parents = eventsOf('message_end').map(({ message }) => [message.id, message.parentId])
    expect(parents).toEqual([
      ['msg_1', null],
      ['msg_2', 'msg_1'],
      ['msg_3', 'msg_1'],
      ['msg_4', 'msg_2'],
      ['msg_5', 'msg_4'],
    ])
  })

  test('[I7] [I37] closes open calls as cancelled first, outside a run', async () => {
    const pick = defineTool({
      name: 'pick',
      description: 'Picks.',
      place: 'client',
      inputSchema: z.object({}),
    })
    const model = scriptedModel([call('pick')], [say('Other.')])
    const { agent, events } = watchedAgent({ model, tools: inClient([pick]) })
    await agent.prompt('Go.')
    const before = events.length

    agent.moveHead('msg_1')

    const written = events.slice(before)
    expect(written.map(({ type }) => type)).toEqual([
      'tool_cancel_requested',
      'tool_execution_end',
      'tools_end',
      'message_start',
      'message_end',
      'head_moved',
    ])
    expect(written.every(({ runId, turn }) => runId === null && turn === 0)).toBe(true)
    await quiet()
    expect(agent.getState().toolCalls.active).toEqual([])
    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Other.' })
    agent.moveHead('msg_3')
    await quiet()
    expect(agent.getState().toolCalls.get('call_1')?.status).toBe('cancelled')
  })
})

describe('prompt with `after`', () => {
  test('[I37] edits a question: both at once, and the old one stays on a branch', async () => {
    const { agent, model, eventsOf } = talking('One.', 'Two.', 'Other.')
    await agent.prompt('First.')
    await agent.prompt('Secnd.')
    const before = agent.getState().branches
    expect(before.get('msg_3')).toEqual([])

    await agent.prompt('Second.', { after: 'msg_2' })

    const [moved] = eventsOf('head_moved')
    const start = eventsOf('agent_start').at(-1)
    expect(start?.seq).toBe((moved?.seq ?? 0) + 1)
    expect(saidIn(model.requests[2])).toEqual(['First.', 'Second.'])
    const { branches, messages } = agent.getState()
    expect(textsOf(messages)).toEqual(['First.', 'One.', 'Second.', 'Other.'])
    const versions = [
      { messageId: 'msg_3', headId: 'msg_4' },
      { messageId: 'msg_5', headId: 'msg_6' },
    ]
    expect(branches.get('msg_5')).toEqual(shownAt(1, versions))
    expect(branches.get('msg_1')).toEqual([])
    expect(branches.get('msg_6')).toEqual([])

    agent.moveHead('msg_4')
    await quiet()
    expect(agent.getState().branches.get('msg_3')).toEqual(shownAt(0, versions))
    expect(agent.getState().branches).not.toBe(branches)
  })

  test('[I37] edits the first question, and an answer may have many versions', async () => {
    const { agent } = talking('A.', 'B.', 'C.', 'D.')
    await agent.prompt('One.')
    await agent.regenerate()
    agent.moveHead('msg_2')
    await agent.prompt('More.')
    await agent.prompt('Other.', { after: null })

    const { branches } = agent.getState()
    expect(branches.get('msg_6')).toEqual([
      { messageId: 'msg_1', headId: 'msg_5', isShown: false },
      { messageId: 'msg_6', headId: 'msg_7', isShown: true },
    ])
    // On a branch that is not shown.
    expect(branches.get('msg_2')).toEqual([
      { messageId: 'msg_2', headId: 'msg_5', isShown: false },
      { messageId: 'msg_3', headId: 'msg_3', isShown: false },
    ])
    expect(branches.tips).toEqual(['msg_3', 'msg_5'])
  })

  test.for([
    ['of an unknown message', 'Go.', 'msg_9', { code: 'unknown_message' }],
    ['of nothing', ' ', 'msg_2', { name: 'TypeError' }],
  ] as const)('[I37] an edit %s changes nothing', async ([, input, after, error]) => {
    const { agent, events } = talking('One.')
    await agent.prompt('First.')
    const before = events.length

    await expect(agent.prompt(input, { after })).rejects.toMatchObject(error)

    expect(events).toHaveLength(before)
  })
})

/** Branches, of which this one is shown. */
function shownAt<Version extends object>(index: number, versions: readonly Version[]) {
  return versions.map((version, at) => ({ ...version, isShown: at === index }))
}

describe('continue', () => {
  test('[S004-4] after an abort in the tools sends their results, without an empty message', async () => {
    const environment = createManualEnvironment()
    const { clock } = environment
    const host = fakeWorkers([workerTool('a'), workerTool('b')], { clock })
    const model = scriptedModel([call('a'), call('b')], [say('I see.')])
    const { agent } = watchedAgent({ model, tools: host }, environment)
    const done = agent.prompt('Go.')
    await quiet()
    host.worker('a').answer('from a')
    await quiet()
    agent.abort()
    await quiet()
    clock.advance(250)
    expect(await done).toMatchObject({ reason: 'aborted' })

    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'I see.' })

    expect(resultsIn(model.requests[1])).toEqual([
      'from a',
      'Cancelled by the user while running. It may have had partial effects.',
    ])
    expect(saidIn(model.requests[1])).toEqual(['Go.'])
  })

  test('[S004-4] after a failed request sends the same one again', async () => {
    const model = scriptedModel(() => {
      throw new Error('Down.')
    }, [say('Better.')])
    const { agent } = watchedAgent({ model })
    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'error' })

    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Better.' })

    expect(model.requests[1]?.messages).toEqual(model.requests[0]?.messages)
    expect(agent.getState()).toMatchObject({ status: 'ready', error: null })
  })
})

describe('toolEvents: false', () => {
  const chatty = async (toolEvents: boolean): Promise<readonly AgentEvent[]> => {
    const environment = createManualEnvironment()
    const tools = pageTools(environment, {
      a: (context) => {
        context.onUpdate({ content: 'half' })
        context.onProgress('working')
        context.log('a line')
        context.custom('ping', { n: 1 })
        context.custom('kept', { n: 2 }, { durable: true })
        return 'whole'
      },
    })
    const model = scriptedModel([call('a')], [say('Done.')])
    const { agent, events } = watchedAgent({ model, tools, toolEvents }, environment)
    await agent.prompt('Go.')
    return events
  }

  test('[S001-5] [S001-7] [S001-8] leaves out all between start and end of a call; its end and tools_end are there', async () => {
    const ephemeral = (events: readonly AgentEvent[]) => [
      ...new Set(
        events.flatMap(({ type, sub }) =>
          type.startsWith('tool_') && sub !== undefined ? [type] : [],
        ),
      ),
    ]
    const loud = await chatty(true)
    const silent = await chatty(false)

    expect(ephemeral(loud).toSorted()).toEqual([
      'tool_custom',
      'tool_execution_update',
      'tool_log',
      'tool_progress',
      'tool_running',
    ])
    expect(ephemeral(silent)).toEqual([])
    const durable = (events: readonly AgentEvent[]) =>
      events.filter(({ sub }) => sub === undefined).map(({ type }) => type)
    expect(durable(silent)).toEqual(durable(loud))
    expect(durable(silent)).toContain('tools_end')
    expect(durable(silent)).toContain('tool_custom')
  })
})
