import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import {
  aborted,
  accepted,
  agentEnd,
  agentStart,
  answer,
  answerStart,
  asked,
  call,
  config,
  delivered,
  dispatched,
  ended,
  handedOut,
  logOf,
  opened,
  prepared,
  said,
  staged,
  starts,
  stateOf,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
  wordsOf,
} from './log.fixtures.ts'
import type { State } from './state.ts'
import { transcript } from './transcript.ts'
import { createWriter } from './writer.fixtures.ts'

test('[I4] [I29] ends a prompt that was started when the page went away', () => {
  const [begun] = said('msg_1', 'Go.')
  const state = stateOf(asked().slice(0, 3), begun ?? [], opened('boot_2'))

  const { facts, effects } = decide(state, config)

  expect(facts).toEqual([
    {
      type: 'message_end',
      message: {
        id: 'msg_1',
        parentId: null,
        role: 'user',
        content: [{ type: 'text', text: 'Go.' }],
      },
    },
  ])
  expect(effects).toEqual([])
})

test('[I4] [I29] ends a result message that was started when the page went away', () => {
  const result = toolMessage('call_1')
  const [begun] = delivered('msg_3', result)
  const state = stateOf(
    handedOut(call('call_1')),
    ended('call_1'),
    toolsEnd(result),
    begun ?? [],
    opened('boot_2'),
  )

  const { facts } = decide(state, config)

  expect(facts).toEqual([
    {
      type: 'message_end',
      message: { id: 'msg_3', parentId: null, role: 'toolResult', ...result },
    },
  ])
})

test('[I12] [I29] a page with another limit delivers what tools_end has settled', () => {
  const settled = toolMessage('call_1', 'a'.repeat(50))
  const state = stateOf(
    handedOut(call('call_1')),
    ended('call_1', 'a'.repeat(50)),
    toolsEnd(settled),
    opened('boot_2'),
  )

  const { facts } = decide(state, { ...config, maxToolResultChars: 10 })

  expect(facts).toEqual([{ type: 'whole_message', message: { role: 'toolResult', ...settled } }])
})

test('[I29] [I38] settles what was lost and starts nothing', () => {
  const calls = ['call_1', 'call_2', 'call_3', 'call_4'].map((id) => call(id))
  const before = logOf(
    accepted(...calls),
    prepared('call_1'),
    dispatched('call_1'),
    prepared('call_2'),
    dispatched('call_2'),
    prepared('call_3'),
    ended('call_2', 'kept'),
    opened('boot_2'),
  )
  const writer = createWriter(before, config)

  const effects = writer.settle()

  const ends = writer.log.slice(before.length).filter((one) => one.type === 'tool_execution_end')
  const mayHaveRun =
    'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.'
  const didNotRun = 'Interrupted before it started. It did not run.'
  expect(effects).toEqual([])
  expect(ends.map((end) => [end.toolCallId, end.mayHaveRun, end.result.content])).toEqual([
    ['call_1', true, [text(mayHaveRun)]],
    ['call_3', false, [text(didNotRun)]],
    ['call_4', false, [text(didNotRun)]],
  ])
  expect(new Set(ends.map((end) => `${end.outcome} ${end.errorKind}`))).toEqual(
    new Set(['interrupted interrupted']),
  )
  expect(writer.log.slice(before.length + 3).map((event) => event.type)).toEqual([
    'tools_end',
    ...calls.flatMap(() => ['message_start', 'message_end']),
    'turn_end',
    'agent_end',
  ])
  expect(writer.state().lastRun?.reason).toBe('interrupted')
  expect(wordsOfResult(writer.state(), 'call_2')).toEqual(['kept'])
})

test('[I29] an answer that was streaming is excluded, whatever part of it is there', () => {
  const state = stateOf(
    asked(),
    answerStart('msg_2'),
    { type: 'message_checkpoint', messageId: 'msg_2', content: [text('Once upon')] },
    opened('boot_2'),
  )

  expect(decide(state, config).facts).toMatchObject([
    {
      type: 'message_end',
      message: { id: 'msg_2', content: [text('Once upon')], stopReason: 'error' },
      excluded: true,
    },
  ])
})

test('[I29] a prompt that was not written yet is written, so that it is not lost', () => {
  const writer = createWriter(logOf(opened(), agentStart('Hello'), opened('boot_2')), config)

  writer.settle()

  expect(writer.log.slice(3).map((event) => event.type)).toEqual([
    'turn_start',
    'message_start',
    'message_end',
    'turn_end',
    'agent_end',
  ])
  expect(writer.state().head?.message.content).toEqual([text('Hello')])
})

test('[I20] [I38] an abort is still an abort for the page that comes after', () => {
  const facts = handedOut(call('call_1'))
  const writer = createWriter(logOf(facts, aborted, opened('boot_2')), config)

  writer.settle()

  expect(writer.state().lastRun?.reason).toBe('aborted')
  expect(wordsOfResult(writer.state(), 'call_1')[0]).toMatch(/^Interrupted: the page closed/)
})

test.for([
  [false, 'yes', 'succeeded'],
  [
    true,
    'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.',
    'interrupted',
  ],
] as const)(
  '[I29] an answer from outside is kept unless a hook still had to see it: %s',
  ([checksResults, words, outcome]) => {
    const open = [...accepted(call('call_1', 'ask'), call('call_2')), prepared('call_1')]
    const facts = [...open, prepared('call_2'), dispatched('call_2'), staged('call_1', 'yes')]
    const writer = createWriter(logOf(facts, opened('boot_2')), { ...config, checksResults })

    writer.settle()

    const ends = writer.log.filter((event) => event.type === 'tool_execution_end')
    expect(ends.map((end) => end.outcome)).toEqual([outcome, 'interrupted'])
    expect(wordsOfResult(writer.state(), 'call_1')).toEqual([words])
    expect(writer.state().lastRun?.reason).toBe('interrupted')
  },
)

test('[I29] [I38] calls of a later unit that were never started are closed, too', () => {
  const calls = ['call_1', 'call_2', 'call_3'].map((id) => call(id))
  const start = asked('Go.', { toolExecution: 'sequential' })
  const facts = [...start, ...answer('msg_2', calls), ...starts(...calls).slice(0, 1)]
  const writer = createWriter(logOf(facts, opened('boot_2')), config)

  const effects = writer.settle()

  const ends = writer.log.filter((event) => event.type === 'tool_execution_end')
  expect(effects).toEqual([])
  expect(ends.map((end) => [end.toolCallId, end.outcome, end.mayHaveRun])).toEqual([
    ['call_1', 'interrupted', false],
    ['call_2', 'interrupted', false],
    ['call_3', 'interrupted', false],
  ])
})

test('[I38] a run that starts after the page was opened again is not lost', () => {
  const writer = createWriter(
    logOf(asked(), turnEnd(), agentEnd(), opened('boot_2'), agentStart('Again.')),
    config,
  )

  expect(writer.settle()).toMatchObject([{ type: 'ask_model', turn: 1 }])
})

function wordsOfResult(state: State, toolCallId: string): string[] {
  const results = transcript(state, config.maxToolResultChars).filter(
    (message) => message.role === 'toolResult',
  )
  return wordsOf(results.find((result) => result.toolCallId === toolCallId)?.content ?? [])
}
