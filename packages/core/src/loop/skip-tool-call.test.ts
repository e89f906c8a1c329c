import { expect, test } from 'vitest'
import { catchReports } from '../agent/agent.fixtures.ts'
import type { ToolCallContent } from '../kernel/message.ts'
import { createManualEnvironment } from '../runtime/environment.fixtures.ts'
import { transcriptProblems } from '../testing/strict-transcript.ts'
import { calling, callTo, executed, nameOf, userMessage } from './loop.fixtures.ts'
import type { ToolCallEvent } from './own-events.ts'
import { skipToolCall, skipToolCallIn } from './skip-tool-call.ts'

test('[S000-11] answers a call that is not to run with an error that says why', () => {
  const result = skipToolCall(callTo('search', 'call 1', { q: 'cats' }))

  expect(result).toEqual({
    id: expect.stringMatching(/^msg_/),
    parentId: null,
    role: 'toolResult',
    toolCallId: 'call 1',
    toolName: 'search',
    content: [{ type: 'text', text: 'Not run: the user sent a new message.' }],
    isError: true,
  })
})

test('[S000-11] reports start, end and message in the envelopes of an agent, before it returns', () => {
  const environment = createManualEnvironment()
  const events: ToolCallEvent[] = []
  const onEvent = (event: ToolCallEvent): void => void events.push(event)

  const message = skipToolCallIn(
    callTo('search', '1', { q: 'cats' }),
    { onEvent, label: 'Search' },
    environment,
  )

  const envelope = { v: 1, ts: 0, sessionId: 'session_1', runId: null, turn: 0 }
  const call = { toolCallId: '1', toolName: 'search' }
  expect(events).toEqual([
    {
      ...envelope,
      seq: 1,
      type: 'tool_execution_start',
      ...call,
      label: 'Search',
      args: { q: 'cats' },
      index: 0,
      batchSize: 1,
      place: 'worker',
    },
    {
      ...envelope,
      seq: 2,
      type: 'tool_execution_end',
      ...call,
      attempt: 0,
      mayHaveRun: false,
      result: { content: message.content },
      isError: true,
      outcome: 'skipped',
      errorKind: 'skipped',
      timing: { queuedMs: 0, startMs: 0, runMs: 0 },
    },
    { ...envelope, seq: 3, type: 'message_start', message },
    { ...envelope, seq: 4, type: 'message_end', message },
  ])
  expect(environment.clock.pending()).toBe(0)
  expect(environment.pendingFrames()).toBe(0)
})

test('[S000-11] a call whose arguments are no JSON is skipped, too', () => {
  const events: ToolCallEvent[] = []
  const call = { ...callTo('search', '1'), argsText: '{"q":' }

  skipToolCall(call, { onEvent: (event) => events.push(event) })

  expect(events[0]).toMatchObject({ args: '{"q":', label: 'search' })
})

test('[S000-11] is what executeToolCalls reports of a call that steering skips', async () => {
  const environment = createManualEnvironment()
  const said = [[{ type: 'text', text: 'Stop.' }]] as const
  const { done, events } = executed(
    {
      message: calling('a', 'b'),
      toolExecution: 'sequential',
      endOrder: 'completion',
      getSteeringMessages: () => said,
    },
    environment,
  )
  const { toolResults } = await done
  const received: ToolCallEvent[] = []
  const mine = skipToolCall(callTo('b', 'B'), { onEvent: (event) => received.push(event) })

  const ofB = events.filter((event) => nameOf(event).endsWith(' B'))
  expect(received.map(nameOf)).toEqual(ofB.map(nameOf))
  expect({ ...toolResults[1], id: '', parentId: '' }).toEqual({ ...mine, id: '', parentId: '' })
  const answer = {
    ...calling('b'),
    id: 'answer',
    parentId: 'user',
    role: 'assistant',
    model: { provider: 'theirs', id: 'best' },
  } as const
  expect(transcriptProblems([userMessage('Go.'), answer, mine])).toEqual([])
})

test('[I30] a listener that throws changes nothing', async () => {
  const reports = catchReports()
  const message = skipToolCall(callTo('a', '1'), {
    onEvent: ({ type }) => {
      if (type === 'message_end') throw new Error('Not ready.')
    },
  })
  await Promise.resolve()

  expect(message.isError).toBe(true)
  expect(reports).toEqual([new Error('Not ready.')])
})

test.for(['{}', '{"type":"text","text":"Hi."}', '{"type":"toolCall","toolCallId":"1"}', 'null'])(
  'refuses a value that is not a call: %s',
  (json) => {
    const call: ToolCallContent = JSON.parse(json)

    expect(() => skipToolCall(call)).toThrow(TypeError)
    expect(() => skipToolCall(call)).toThrow(/A call must be/)
  },
)
