import { expect, test } from 'vitest'
import type { Fact, ToolExecution } from './events.ts'
import type { LoopLimits } from './kernel-config.ts'
import {
  agentEnd,
  agentStart,
  answer,
  answered,
  asked,
  call,
  didCall,
  dispatched,
  ended,
  prepared,
  queued,
  retried,
  text,
  turnEnd,
} from './log.fixtures.ts'
import { called, configWith, dueAfter, linesOf, ran, scene } from './scene.fixtures.ts'

test.for<[string, ToolExecution, readonly string[], number, readonly string[]]>([
  ['one by one', 'sequential', ['add', 'add', 'add'], 1, ['call_2', 'call_3']],
  ['one by one, after the second', 'sequential', ['add', 'add', 'add'], 2, ['call_3']],
  [
    'two at once',
    { type: 'batched', size: 2 },
    ['add', 'add', 'add', 'add'],
    2,
    ['call_3', 'call_4'],
  ],
  ['in parallel, after one alone', 'parallel', ['alone', 'add', 'add'], 1, ['call_2', 'call_3']],
  ['in parallel', 'parallel', ['add', 'add', 'add'], 3, []],
])(
  '[I16] [S003-11] a new message skips what has not started: %s',
  ([, strategy, names, first, skipped]) => {
    const { write, log } = scene(configWith(), called(strategy, ...names))
    const done = Array.from({ length: first }, (_, index) => `call_${index + 1}`)

    write(...done.slice(0, -1).map((id) => ran(id)))
    write(
      prepared(done.at(-1) ?? ''),
      dispatched(done.at(-1) ?? ''),
      queued({ steering: ['Stop.'] }),
    )
    const lines = write(ended(done.at(-1) ?? ''))

    const gaps = skipped.flatMap((id) => [`start ${id}`, `end ${id} skipped`])
    expect(lines.slice(0, 1 + gaps.length)).toEqual([`end ${done.at(-1)} succeeded`, ...gaps])
    expect(lines.at(-2)).toBe('user steering: Stop.')
    expect(log.filter(({ type }) => type === 'tool_dispatched')).toHaveLength(first)
  },
)

test('[I16] [S000-11] a skipped call is answered with an error that says so', () => {
  const { write, log } = scene(configWith(), called('sequential', 'add', 'add'))

  write(prepared('call_1'), dispatched('call_1'), queued({ steering: ['Stop.'] }), ended('call_1'))

  const end = log.findLast(({ type }) => type === 'tool_execution_end')
  expect(end).toMatchObject({
    toolCallId: 'call_2',
    attempt: 0,
    result: { content: [text('Not run: the user sent a new message.')] },
    isError: true,
    outcome: 'skipped',
    errorKind: 'skipped',
    mayHaveRun: false,
  })
})

test.for<[string, readonly Fact[]]>([
  ['accepted', []],
  ['prepared', [prepared('call_1')]],
  ['dispatched', [prepared('call_1'), dispatched('call_1')]],
])('[I16] a message never touches a call that is %s', ([, facts]) => {
  const { write, wanted } = scene(configWith(), called('sequential', 'add', 'add'), facts)
  const before = wanted()

  expect(write(queued({ steering: ['Stop.'] }))).toEqual(['queue_update [Stop.] []'])
  expect(wanted()).toEqual(before)
})

test('[I16] a call that is retried beside others of its unit makes no checkpoint of its start', () => {
  const { write } = scene(
    configWith(),
    called({ type: 'batched', size: 2 }, 'add', 'add', 'add', 'add'),
  )
  write(prepared('call_1'), dispatched('call_1'), queued({ steering: ['Stop.'] }))

  expect(write(ran('call_2'), retried('call_2'))).toEqual([
    ...['tool_prepared call_2', 'tool_dispatched call_2', 'end call_2 succeeded'],
    ...['tool_retry_requested call_2', 'start call_2'],
  ])
  expect(write(ended('call_1'), ran('call_2')).slice(3, 8)).toEqual([
    ...['end call_2 succeeded', 'start call_3', 'end call_3 skipped'],
    ...['start call_4', 'end call_4 skipped'],
  ])
})

test('[I16] steering from before the first start of an answer skips none of its calls', () => {
  const calls = called('sequential', 'add', 'add')

  const lines = dueAfter(
    configWith(),
    calls.slice(0, -1),
    queued({ steering: ['s'] }),
    calls.slice(-1),
  )

  expect(lines).toEqual(['start call_1'])
})

test('[I16] a follow-up skips nothing', () => {
  const { write } = scene(configWith(), called('sequential', 'add', 'add'))

  const lines = write(queued({ followUp: ['Later.'] }), ran('call_1'))

  expect(lines.at(-1)).toBe('start call_2')
})

test('[I16] a client call that has started is answered although the calls after it are skipped', () => {
  const { write, state } = scene(configWith(), called('sequential', 'ask', 'add', 'add'))
  write(prepared('call_1'))

  const lines = write(queued({ steering: ['Stop.'] }), ran('call_2'))

  expect(lines).toEqual([
    'queue_update [Stop.] []',
    'tool_prepared call_2',
    'tool_dispatched call_2',
    'end call_2 succeeded',
    'start call_3',
    'end call_3 skipped',
    'turn_end 1',
    'agent_end awaiting_tool_results',
  ])
  expect(state().queues.steering).toHaveLength(1)
})

test('a call that is made over and over is noted at the third time and stopped at the sixth', () => {
  const { write, state, log } = scene(configWith(), asked('Go.', { maxTurns: null }))
  const logged = [1, 2, 3, 4, 5].flatMap((n) => write(didCall(`msg_a${n}`, `call_${n}`)))
  // The fixtures write starts themselves, so the kernel could not note the loop earlier.
  expect(logged).not.toContain('loop_detected 3')

  const lines = write(answer('msg_a6', [call('call_6')]))

  expect(lines).toEqual([
    'assistant',
    'start call_6',
    'loop_detected 6 aborted',
    'end call_6 failed',
    'tools_end call_6',
    'result call_6: Not run: limit of 6 equal calls reached.',
    'turn_end 6',
    'agent_end loop_detected',
  ])
  expect(state().lastRun?.reason).toBe('loop_detected')
  expect(log.findLast(({ type }) => type === 'tool_execution_end')).toMatchObject({
    errorKind: 'limit',
  })
})

test.for<[string, readonly string[], LoopLimits | null]>([
  ['equal', ['{}', '{}', '{}'], { noteAt: 2, stopAt: 3 }],
  ['equal, without detection', ['{}', '{}', '{}'], null],
  ['different', ['{"a":1}', '{"a":2}', '{"a":3}'], { noteAt: 2, stopAt: 3 }],
])('calls of one answer are no loop: %s', ([, args, loop]) => {
  const calls = args.map((one, index) => call(`call_${index}`, 'add', one))

  const lines = dueAfter(configWith({ loop }), answered(...calls))

  expect(lines.filter((line) => line.startsWith('loop'))).toEqual([])
})

test('calls of another tool with the same arguments are other calls', () => {
  const calls = [call('call_1'), call('call_2', 'draw'), call('call_3', 'draw')]

  expect(dueAfter(configWith(), answered(...calls))).not.toContain('loop_detected 3')
})

test('a loop ends the run although messages are queued', () => {
  const settings = configWith({ loop: { noteAt: 1, stopAt: 1 } })

  const { state, log } = scene(settings, answered(call('call_1')), queued({ steering: ['s'] }))

  expect(state().lastRun?.reason).toBe('loop_detected')
  expect(state().queues.steering).toHaveLength(1)
  expect(linesOf(log).filter((line) => line.startsWith('turn_start'))).toHaveLength(1)
})

test('a loop is counted from the start in every run', () => {
  const before = [...didCall('msg_2', 'call_1'), ...answer('msg_3', [text('Hi.')])]
  const settings = configWith({ loop: { noteAt: 2, stopAt: 3 } })
  const over = [...asked(), ...before, turnEnd(), agentEnd(), agentStart('Again.')]

  const { write } = scene(settings, over)

  expect(write(answer('msg_9', [call('call_9')]))).toEqual(['assistant', 'start call_9'])
})
