import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentEvent, Fact } from './events.ts'
import type { QueueMode } from './kernel-config.ts'
import {
  aborted,
  agentEnd,
  agentStart,
  answer,
  answered,
  asked,
  call,
  didCall,
  dispatched,
  ended,
  goesOn,
  handedOut,
  opened,
  overloaded,
  prepared,
  queued,
  resultOf,
  stateAfter,
  text,
  turnEnd,
  wordsOf,
} from './log.fixtures.ts'
import type { Usage } from './message.ts'
import {
  answerAll,
  called,
  configWith,
  dueAfter,
  type Scene,
  scene,
  sceneAfter,
} from './scene.fixtures.ts'
import type { State } from './state.ts'
import { transcript } from './transcript.ts'

test('[I16] [I26] [S000-9] [S003-11] steering is read once, after all calls that run in parallel', () => {
  const { write } = scene(configWith(), called('parallel', 'add', 'add'))
  write(prepared('call_1'), dispatched('call_1'), prepared('call_2'), dispatched('call_2'))

  expect(write(queued({ steering: ['Wait!'] }))).toEqual(['queue_update [Wait!] []'])
  expect(write(ended('call_2'))).toEqual(['end call_2 succeeded'])
  expect(write(ended('call_1'))).toEqual([
    'end call_1 succeeded',
    'tools_end call_1 call_2',
    'result call_1: done',
    'result call_2: done',
    'turn_end 1',
    'turn_start 2',
    'user steering: Wait!',
    'queue_update [] []',
  ])
})

test.for<[QueueMode, readonly string[]]>([
  [
    'one-at-a-time',
    [
      'turn_end 1',
      'turn_start 2',
      'user steering: a',
      'queue_update [b] [c, d]',
      'assistant',
      'turn_end 2',
      'turn_start 3',
      'user steering: b',
      'queue_update [] [c, d]',
      'assistant',
      'turn_end 3',
      'turn_start 4',
      'user follow_up: c',
      'queue_update [] [d]',
      'assistant',
      'turn_end 4',
      'turn_start 5',
      'user follow_up: d',
      'queue_update [] []',
      'assistant',
      'turn_end 5',
      'agent_end stop',
    ],
  ],
  [
    'all',
    [
      'turn_end 1',
      'turn_start 2',
      'user steering: a',
      'user steering: b',
      'queue_update [] [c, d]',
      'assistant',
      'turn_end 2',
      'turn_start 3',
      'user follow_up: c',
      'user follow_up: d',
      'queue_update [] []',
      'assistant',
      'turn_end 3',
      'agent_end stop',
    ],
  ],
])('[I23] [I26] queues are emptied in order, %s, steering first', ([mode, expected]) => {
  const modes = { steeringMode: mode, followUpMode: mode }
  const all = queued({ steering: ['a', 'b'], followUp: ['c', 'd'] })
  const going = scene(configWith(modes), asked(), all)

  expect(['assistant', ...expected]).toEqual(answerAll(going))
})

test('[I26] at no moment a queued message is lost or delivered twice, even if the page goes away there', () => {
  const anyQueue = fc.integer({ min: 0, max: 3 })
  const anyMode = fc.constantFrom<QueueMode>('one-at-a-time', 'all')
  const anyLimit = fc.constantFrom(1, 2, null)
  fc.assert(
    fc.property(fc.tuple(anyQueue, anyQueue), fc.tuple(anyMode, anyMode), anyLimit, (...plan) => {
      const [[steerings, followUps], [steeringMode, followUpMode], maxTurns] = plan
      const steering = Array.from({ length: steerings }, (_, index) => `s${index}`)
      const followUp = Array.from({ length: followUps }, (_, index) => `f${index}`)
      const settings = configWith({ steeringMode, followUpMode })
      const going = scene(settings, asked('Go.', { maxTurns }), queued({ steering, followUp }))
      answerAll(going)

      for (let length = 6; length <= going.log.length; length += 1) {
        const prefix = going.log.slice(0, length)
        expect(knownIn(stateAfter(prefix))).toEqual([...steering, ...followUp].sort())
        const after = sceneAfter(prefix, settings)
        after.write({ type: 'session_opened', bootId: 'boot_2' })
        for (let runs = 0; queuedIn(after.state()).length > 0; runs += 1) {
          expect(runs).toBeLessThan(9)
          after.write(goesOn('continue', { maxTurns }))
          answerAll(after)
        }
        expect(queuedBy(after)).toEqual([...steering, ...followUp])
      }
    }),
    { numRuns: 30 },
  )
})

test('[I22] [I26] [S002-5] a run that used its turns leaves queued messages where they are', () => {
  const going = scene(configWith(), asked('Go.', { maxTurns: 1 }), queued({ steering: ['More!'] }))

  const lines = answerAll(going)

  expect(lines).toEqual(['assistant', 'turn_end 1', 'warning max_turns', 'agent_end max_turns'])
  expect(queuedIn(going.state())).toEqual(['More!'])
})

test('[I22] a follow-up starts a new count of turns, steering does not', () => {
  const limited = asked('Go.', { maxTurns: 2 })
  const twice = [...didCall('msg_2', 'call_1'), turnEnd()]

  const steered = scene(configWith(), limited, twice, queued({ steering: ['s'] }))
  const followed = scene(configWith(), limited, twice, queued({ followUp: ['f'] }))
  steered.write(answer('msg_8', [text('Hi.')]), queued({ followUp: ['f'] }))
  followed.write(answer('msg_8', [text('Hi.')]))

  expect(steered.state().run?.countedTurns).toBe(1)
  expect(steered.state().run?.turns).toBe(3)
  expect(followed.write(didCall('msg_9', 'call_9'), turnEnd()).slice(-1)).toEqual(['turn_start 4'])
  expect(followed.state().run?.countedTurns).toBe(2)
  expect(followed.write(didCall('msg_10', 'call_10')).slice(-2)).toEqual([
    'warning max_turns',
    'agent_end max_turns',
  ])
})

test.for([1, 3])('[I22] [S002-4] [S004-12] a model that always calls gets %i requests', (times) => {
  const going = scene(configWith(), asked('Go.', { maxTurns: times }))
  let asks = 0
  while (going.state().run) {
    asks += 1
    going.write(didCall(`msg_a${asks}`, `call_${asks}`, `{"n":${asks}}`))
  }

  expect(asks).toBe(times)
  expect(going.state().lastRun).toMatchObject({ reason: 'max_turns', turns: times })
  expect(going.log.at(-1)).toMatchObject({ maxTurnsReached: true })
})

test.for<[string, boolean, readonly Fact[], string]>([
  ['stop', false, [], 'agent_end stop'],
  ['terminate', true, [], 'agent_end terminated'],
  ['stop, with steering', false, [queued({ steering: ['s'] })], 'user steering: s'],
  ['terminate, with steering', true, [queued({ steering: ['s'] })], 'user steering: s'],
  ['stop, with a follow-up', false, [queued({ followUp: ['f'] })], 'user follow_up: f'],
  ['terminate, with a follow-up', true, [queued({ followUp: ['f'] })], 'user follow_up: f'],
])('[I23] [I24] a run ends only with empty queues: %s', ([, terminate, queues, expected]) => {
  const result = { ...resultOf('done'), terminate: true }
  const facts = terminate
    ? [...handedOut(call('call_1')), ended('call_1', 'done', { result })]
    : answered(text('Hi.'))

  const lines = dueAfter(configWith(), facts, queues)

  expect(lines).toContain(expected)
})

test.for<[string, Fact, string]>([
  ['prompt', agentStart('Go.'), 'check_prompt run_1'],
  ['continue', goesOn('continue'), 'ask_model run_1 1 1'],
  ['regenerate', goesOn('regenerate'), 'ask_model run_1 1 1'],
  ['resume', goesOn('resume'), 'ask_model run_1 1 1'],
])('[I27] [S004-9] the prompt hook runs for prompts alone: %s', ([, start, expected]) => {
  const settings = configWith({ checksPrompts: true })

  const { wanted } = scene(settings, opened(), start, queued({ steering: ['s'] }))

  expect(wanted()).toEqual([expected])
})

test('[I27] [S004-4] the prompt hook runs once: never again in the turns that follow', () => {
  const settings = configWith({ checksPrompts: true })
  const going = scene(settings, opened(), agentStart('Go.'))
  const seen = new Set(going.wanted())

  going.write({ type: 'turn_start' }, userPrompt('Go, please.'))
  seen.add(going.wanted().join())
  going.write(didCall('msg_2', 'call_1'), queued({ steering: ['s'] }))
  seen.add(going.wanted().join())

  expect([...seen]).toEqual(['check_prompt run_1', 'ask_model run_1 1 1', 'ask_model run_1 2 1'])
})

test('a rejected prompt is written nowhere, and queued messages stay queued', () => {
  const { write, state } = scene(configWith({ checksPrompts: true }), opened(), agentStart('Bad.'))

  const lines = write(queued({ followUp: ['f'] }), { type: 'input_rejected', reason: 'No.' })

  expect(lines).toEqual(['queue_update [] [f]', 'input_rejected', 'agent_end rejected'])
  expect(state()).toMatchObject({ head: null, lastRun: { reason: 'rejected', turns: 0 } })
  expect(queuedIn(state())).toEqual(['f'])
})

test.for<[string, Fact]>([
  ['the user stops the run', aborted],
  ['the page goes away', opened('boot_2')],
])('a prompt that no hook has checked is not written when %s', ([, fact]) => {
  const lines = dueAfter(configWith({ checksPrompts: true }), opened(), agentStart('Bad.'), fact)

  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^agent_end (aborted|interrupted)$/)
})

test.for<[string, readonly Fact[], string]>([
  ['after an abort', [...asked(), aborted, turnEnd(), agentEnd('aborted')], 'user steering: s'],
  ['after a failure', [...asked(), turnEnd(), agentEnd('error')], 'user steering: s'],
  ['after an answer', [...answered(text('Hi.')), turnEnd(), agentEnd()], 'user steering: s'],
])('[I26] what was left in a queue is delivered by continue(): %s', ([, facts, expected]) => {
  const lines = dueAfter(configWith(), facts, queued({ steering: ['s'] }), goesOn())

  expect(lines).toEqual(['turn_start 1', expected, 'queue_update [] []'])
})

test('[I26] what was left in a queue comes after the text of the next prompt', () => {
  const left = [...asked(), turnEnd(), agentEnd('error'), queued({ steering: ['s'] })]

  const lines = dueAfter(configWith(), left, agentStart('Again.'))

  expect(lines).toEqual([
    'turn_start 1',
    'user prompt: Again.',
    'user steering: s',
    'queue_update [] []',
  ])
})

test('continue() lets the model read the results of a run that used its turns', () => {
  const over = [...didCall('msg_2', 'call_1'), turnEnd(), agentEnd('max_turns')]

  const { wanted } = scene(configWith(), asked('Go.', { maxTurns: 1 }), over, goesOn())

  expect(wanted()).toEqual(['ask_model run_2 1 1'])
})

test.for([
  ['pause_turn', ['turn_end 1', 'turn_start 2']],
  ['stop', ['turn_end 1', 'agent_end stop']],
] as const)('a model that ends with %s: %j', ([stopReason, expected]) => {
  const paused = answer('msg_2', [text('Searching.')], { stopReason })

  expect(dueAfter(configWith(), asked(), paused)).toEqual(expected)
})

test('[I22] an answer that paused counts as a turn', () => {
  const paused = answer('msg_2', [text('Searching.')], { stopReason: 'pause_turn' })

  expect(dueAfter(configWith(), asked('Go.', { maxTurns: 1 }), paused)).toEqual([
    'turn_end 1',
    'warning max_turns',
    'agent_end max_turns',
  ])
})

const used = (cost?: number): Usage => ({
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 3,
  ...(cost !== undefined && { cost }),
})

test.for<[string, object, Usage, string]>([
  ['tokens, not yet', { maxTokens: 19 }, used(), 'turn_start 2'],
  ['tokens, just so many', { maxTokens: 18 }, used(), 'agent_end budget'],
  ['tokens, more', { maxTokens: 1 }, used(), 'agent_end budget'],
  ['money, not yet', { maxCost: 2 }, used(1.99), 'turn_start 2'],
  ['money, just so much', { maxCost: 2 }, used(2), 'agent_end budget'],
  ['money of an unknown price', { maxCost: 2 }, used(), 'agent_end error'],
  ['money that costs nothing', { maxCost: 2 }, used(0), 'turn_start 2'],
])('[S002-12] a budget is checked before each request: %s', ([, budget, usage, expected]) => {
  const calling = answer('msg_2', [call('call_1')], { usage })

  const lines = dueAfter(
    configWith({ budget }),
    asked(),
    calling,
    ...didCall('', 'call_1').slice(2),
  )

  expect(lines.at(-1)).toBe(expected)
})

test('a run that has a price limit and no price ends with an error that says what to do', () => {
  const settings = configWith({ budget: { maxCost: 1 } })
  const { state } = scene(settings, answered(text('Hi.')), turnEnd(), queued({ steering: ['s'] }))

  expect(state().lastRun).toMatchObject({
    reason: 'error',
    error: { kind: 'bad_request', retryable: false, message: /prices.*maxTokens/ },
  })
})

test('a budget does not fail a run that needs no further request', () => {
  const settings = configWith({ budget: { maxTokens: 1, maxCost: 1 } })

  expect(dueAfter(settings, answered(text('Hi.')))).toEqual(['turn_end 1', 'agent_end stop'])
})

test('a budget is used up by attempts that failed, too', () => {
  const failed = answer('msg_2', [], { excluded: true, error: overloaded, usage: used() })

  const lines = dueAfter(configWith({ budget: { maxTokens: 18 } }), asked(), failed)

  expect(lines).toEqual(['turn_end 1', 'agent_end error'])
})

test('[L10] a follow-up cannot exceed a budget', () => {
  const settings = configWith({ budget: { maxTokens: 1 } })

  const lines = dueAfter(settings, answered(text('Hi.')), queued({ followUp: ['f'] }))

  expect(lines).toEqual(['turn_end 1', 'agent_end budget'])
})

function userPrompt(words: string) {
  const message = { role: 'user', source: 'prompt', content: [text(words)] } as const
  return { type: 'whole_message', message } as const
}

function queuedIn({ queues }: State): string[] {
  return [...queues.steering, ...queues.followUp].flatMap(wordsOf)
}

/** Every queued message that is delivered or still queued. */
function knownIn(state: State): string[] {
  const delivered = transcript(state, 1000).flatMap((message) =>
    message.role === 'user' && message.source ? wordsOf(message.content) : [],
  )
  return [...delivered, ...queuedIn(state)].sort()
}

function queuedBy({ log }: Scene): string[] {
  return log.flatMap((event: AgentEvent) => {
    if (event.type !== 'message_end' || event.message.role !== 'user') return []
    const { source, content } = event.message
    return source === 'steering' || source === 'follow_up' ? wordsOf(content) : []
  })
}
