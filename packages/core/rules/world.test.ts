import { expect, test } from 'vitest'
import { type DurableEvent, isDurable } from '../src/kernel/events.ts'
import type { RuleOptions } from './options.ts'
import { createRules, type Rules } from './rules.ts'
import type { Line } from './story.fixtures.ts'
import * as s from './story.fixtures.ts'

const started = [...s.called(['a']), s.start('a')]
const dispatched = [...started, s.ready('a'), s.go('a')]
const ended = [...dispatched, s.end('a')]
const post = { toolCallId: 'a', attempt: 1, executionId: 'a_1', durable: true }
const reply = { toolCallId: 'a', executionId: 'a_1', genuine: true, kind: 'returned' } as const
const still = { freeSlots: 1, starting: 0, busy: false }
const hook = { name: 'beforeToolCall', phase: 'asked', toolCallId: 'a' } as const
const after = { name: 'afterToolCall', phase: 'asked', toolCallId: 'a' } as const
const again: Line = {
  type: 'auto_retry_start',
  scope: 'tool',
  toolCallId: 'a',
  attempt: 2,
  maxAttempts: 2,
  delayMs: 10,
  error: { kind: 'internal', message: 'It failed.', retryable: true },
}
const text = (words: string) => [{ type: 'text', text: words }] as const

interface Case {
  readonly rule: string
  readonly what: string
  readonly options?: RuleOptions
  readonly good: (rules: Rules) => void
  readonly bad: (rules: Rules) => void
}

const stopped = [...[...started, s.aborted], s.unrun('a', 'cancelled', { errorKind: 'cancelled' })]
const waiting = s.changed([...started, s.ready('a')], 'tool_execution_start', { place: 'client' })

const cases: readonly Case[] = [
  {
    rule: 'I11',
    what: 'a call that is done while its end waits',
    good: (rules) => {
      see(rules, dispatched)
      rules.world.replied(reply)
      rules.world.still({ ...still, busy: true })
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.replied(reply)
      rules.world.still(still)
    },
  },
  {
    rule: 'R4',
    what: 'another attempt after a crash of what may not run twice',
    options: { tools: { add: { retriedAfter: 'thrown' } } },
    good: (rules) => {
      see(rules, dispatched)
      rules.world.replied({ ...reply, kind: 'threw' })
      more(rules, dispatched, again)
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.replied({ ...reply, kind: 'crashed' })
      more(rules, dispatched, again)
    },
  },
  {
    rule: 'I14',
    what: 'a slot that is free while a call waits',
    good: (rules) => {
      see(rules, dispatched.slice(0, -1))
      rules.world.still({ ...still, starting: 1 })
    },
    bad: (rules) => {
      see(rules, dispatched.slice(0, -1))
      rules.world.still(still)
    },
  },
  {
    rule: 'A9',
    what: 'a status that says that tools run while the page is to answer',
    good: (rules) => {
      see(rules, waiting)
      rules.world.still({ ...still, status: 'awaiting_tool_results' })
    },
    bad: (rules) => {
      see(rules, waiting)
      rules.world.still({ ...still, status: 'running_tools' })
    },
  },
  {
    rule: 'I15',
    what: 'a call that ends as failed although its code returned',
    good: (rules) => {
      see(rules, dispatched)
      rules.world.replied({ ...reply, kind: 'threw' })
      more(
        rules,
        dispatched,
        s.end('a', 'no', { isError: true, outcome: 'failed', errorKind: 'failed' }),
      )
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.replied(reply)
      more(
        rules,
        dispatched,
        s.end('a', 'no', { isError: true, outcome: 'failed', errorKind: 'failed' }),
      )
    },
  },
  {
    rule: 'I15',
    what: 'a call that ends as failed although its code crashed',
    good: (rules) => {
      see(rules, dispatched)
      rules.world.replied({ ...reply, kind: 'crashed' })
      more(
        rules,
        dispatched,
        s.end('a', 'no', { isError: true, outcome: 'failed', errorKind: 'crashed' }),
      )
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.replied({ ...reply, kind: 'crashed' })
      more(
        rules,
        dispatched,
        s.end('a', 'no', { isError: true, outcome: 'failed', errorKind: 'failed' }),
      )
    },
  },
  {
    rule: 'I17',
    what: 'a hook that is asked twice',
    options: { hooks: { beforeToolCall: true } },
    good: (rules) => {
      see(rules, started)
      rules.world.hooked(hook)
      rules.world.hooked({ ...hook, phase: 'answered' })
      more(rules, started, s.ready('a'))
    },
    bad: (rules) => {
      see(rules, started)
      rules.world.hooked(hook)
      rules.world.hooked(hook)
    },
  },
  {
    rule: 'I17',
    what: 'a hook that is asked about a call that was stopped',
    options: { hooks: { beforeToolCall: true } },
    good: (rules) => {
      see(rules, stopped)
      rules.world.hooked({ ...hook, isInTime: true })
    },
    bad: (rules) => {
      see(rules, stopped)
      rules.world.hooked(hook)
    },
  },
  {
    rule: 'I17',
    what: 'a hook that is not asked',
    options: { hooks: { beforeToolCall: true } },
    good: (rules) => {
      see(rules, started)
      rules.world.hooked(hook)
      rules.world.hooked({ ...hook, phase: 'answered' })
      more(rules, started, s.ready('a'))
    },
    bad: (rules) => {
      rules.world.hooked({ ...hook, toolCallId: 'other' })
      see(rules, [...started, s.ready('a')])
    },
  },
  {
    rule: 'I17',
    what: 'a call that runs although its hook threw',
    options: { hooks: { beforeToolCall: true } },
    good: (rules) => {
      see(rules, started)
      rules.world.hooked(hook)
      rules.world.hooked({ ...hook, phase: 'failed' })
      more(rules, started, s.unrun('a', 'denied'))
    },
    bad: (rules) => {
      see(rules, started)
      rules.world.hooked(hook)
      rules.world.hooked({ ...hook, phase: 'failed' })
      more(rules, started, s.ready('a'))
    },
  },
  {
    rule: 'I17',
    what: 'a call that runs while its hook hangs, with a reload in between',
    options: { hooks: { beforeToolCall: true } },
    good: (rules) => {
      const log = see(rules, started)
      rules.world.hooked(hook)
      rules.world.hooked({ ...hook, phase: 'answered' })
      rules.reload(log)
      more(rules, started, s.ready('a'))
    },
    bad: (rules) => {
      const log = see(rules, started)
      rules.world.hooked(hook)
      rules.reload(log)
      rules.world.hooked({ ...hook, toolCallId: 'other' })
      more(rules, started, s.ready('a'))
    },
  },
  {
    rule: 'I17',
    what: 'a result that reaches the model although the hook after it failed',
    options: { hooks: { afterToolCall: true } },
    good: (rules) => {
      see(rules, dispatched)
      rules.world.replied(reply)
      rules.world.hooked(after)
      rules.world.hooked({ ...after, phase: 'failed' })
      const withheld = { isError: true, outcome: 'failed', errorKind: 'failed' } as const
      more(rules, dispatched, s.end('a', 'Result withheld: a hook failed.', withheld))
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.replied(reply)
      rules.world.hooked(after)
      rules.world.hooked({ ...after, phase: 'failed' })
      more(rules, dispatched, s.end('a'))
    },
  },
  {
    rule: 'I17',
    what: 'a result that no hook has seen',
    options: { hooks: { afterToolCall: true } },
    good: (rules) => {
      see(rules, dispatched)
      rules.world.replied(reply)
      rules.world.hooked(after)
      rules.world.still(still)
      rules.world.hooked({ ...after, phase: 'answered' })
      more(rules, dispatched, s.end('a'))
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.replied(reply)
      more(rules, dispatched, s.end('a'))
    },
  },
  {
    rule: 'I19',
    what: 'a request with what no model may read',
    options: { unseen: ['canary'] },
    good: (rules) => asked(rules, 'hello'),
    bad: (rules) => asked(rules, 'a canary'),
  },
  {
    rule: 'I20',
    what: 'a request after the abort',
    good: (rules) => asked(rules, 'hello'),
    bad: (rules) => {
      see(rules, [...started.slice(0, 5), s.aborted])
      rules.world.requested({ messages: [] })
    },
  },
  {
    rule: 'I25',
    what: 'what is left over',
    good: (rules) => rules.rest({ timers: 0, workers: 0 }),
    bad: (rules) => rules.rest({ timers: 1, workers: 0 }),
  },
  {
    rule: 'I25',
    what: 'more workers than are allowed',
    good: (rules) => rules.world.workers({ alive: 4, allowed: 4 }),
    bad: (rules) => rules.world.workers({ alive: 5, allowed: 4 }),
  },
  {
    rule: 'I26',
    what: 'a queued message that is gone',
    good: (rules) => {
      see(rules, [s.opened()])
      rules.world.queued({ type: 'queued', queue: 'steering', content: text('One.') })
      more(rules, [s.opened()], s.queues(['One.']))
      rules.rest()
    },
    bad: (rules) => {
      see(rules, [s.opened()])
      rules.world.queued({ type: 'queued', queue: 'steering', content: text('One.') })
      rules.rest()
    },
  },
  {
    rule: 'I27',
    what: 'a prompt that no hook has seen',
    options: { hooks: { onUserPromptSubmit: true } },
    good: (rules) => {
      see(rules, [s.opened(), s.runStart()])
      rules.world.hooked({ name: 'onUserPromptSubmit', phase: 'asked' })
      rules.world.hooked({ name: 'onUserPromptSubmit', phase: 'answered' })
      more(rules, [s.opened(), s.runStart()], ...said())
    },
    bad: (rules) => {
      rules.world.queued({ type: 'cleared' })
      rules.world.replied({ ...reply, toolCallId: 'other' })
      see(rules, [s.opened(), s.runStart(), ...said()])
    },
  },
  {
    rule: 'I28',
    what: 'a request that a vendor refuses',
    options: { judges: [(messages) => (messages.length > 1 ? ['too long'] : [])] },
    good: (rules) => asked(rules, 'hello'),
    bad: (rules) => {
      see(rules, started.slice(0, 5))
      const message = { id: 'x', parentId: null, role: 'user', content: text('Go.') } as const
      rules.world.requested({ messages: [message, message] })
    },
  },
  {
    rule: 'I29',
    what: 'a log that came back as another',
    good: (rules) => {
      const log = see(rules, ended)
      rules.reload(log.slice(0, -1), { acknowledged: log.length - 1 })
      more(rules, ended.slice(0, -1), s.opened('boot_2'))
    },
    bad: (rules) => {
      const log = see(rules, ended)
      rules.reload(
        log.map((event) => ({ ...event, ts: 0 })),
        { acknowledged: 1 },
      )
    },
  },
  {
    rule: 'I33',
    what: 'a call that is posted too early',
    good: (rules) => {
      see(rules, dispatched)
      rules.world.posted(post)
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.posted({ ...post, durable: false })
    },
  },
  {
    rule: 'I33',
    what: 'a call that is posted without its fact',
    good: (rules) => {
      see(rules, dispatched)
      rules.world.posted(post)
    },
    bad: (rules) => {
      see(rules, started)
      rules.world.posted(post)
    },
  },
  {
    rule: 'I33',
    what: 'an effect that happens twice, a reload between',
    good: (rules) => {
      rules.world.affected({ toolCallId: 'a', attempt: 1 })
      rules.reload([])
      rules.world.affected({ toolCallId: 'a', attempt: 2 })
    },
    bad: (rules) => {
      rules.world.affected({ toolCallId: 'a', attempt: 1 })
      rules.reload([])
      rules.world.affected({ toolCallId: 'a', attempt: 1 })
    },
  },
  {
    rule: 'I34',
    what: 'a lie that counts',
    good: (rules) => {
      see(rules, dispatched)
      rules.world.replied(reply)
      more(rules, dispatched, s.end('a'))
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.replied({ ...reply, genuine: false })
      more(rules, dispatched, s.end('a'))
    },
  },
  {
    rule: 'I34',
    what: 'a result that is not what came back',
    good: (rules) => {
      see(rules, dispatched)
      rules.world.replied({ ...reply, text: 'done' })
      more(rules, dispatched, s.end('a'))
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.replied({ ...reply, text: 'something else' })
      more(rules, dispatched, s.end('a'))
    },
  },
  {
    rule: 'I36',
    what: 'a secret that a worker reads',
    options: { secrets: ['sk-1234'] },
    good: (rules) => {
      see(rules, dispatched)
      rules.world.posted({ ...post, payload: '{}' })
    },
    bad: (rules) => {
      see(rules, dispatched)
      rules.world.posted({ ...post, payload: 'sk-1234' })
    },
  },
]

test.each(cases)('$rule: reports $what, and nothing else', ({ rule, options, good, bad }) => {
  const [kept, broken] = [rulesFor(options), rulesFor(options)]

  good(kept)
  bad(broken)

  expect(kept.broken).toEqual([])
  expect(broken.broken.map((one) => one.split(' ')[0])).toContain(rule)
})

test('what was stored at one reload is still there at the next', () => {
  const rules = rulesFor()
  const log = see(rules, dispatched)
  rules.reload(log)

  rules.reload(log.slice(0, -1))

  expect(rules.broken).toEqual(['I29 at the reload: event 9 is not what it was'])
})

test('after a reload the log continues where the storage ends, and calls from before are lost', () => {
  const rules = rulesFor()
  const log = see(rules, dispatched)

  rules.reload(log)
  more(rules, dispatched, s.opened('boot_2'), s.go('a', 2))

  expect(rules.broken).toEqual([
    expect.stringMatching(/^I38 at 11 tool_dispatched: what an earlier boot began/),
  ])
})

test('a call that a person cancelled may end without an answer of its code', () => {
  const rules = rulesFor()
  const lines: Line[] = [
    ...dispatched,
    { type: 'tool_cancel_requested', toolCallId: 'a', by: 'user' },
  ]
  see(rules, lines)
  rules.world.posted(post)

  more(
    rules,
    lines,
    s.end('a', 'Stopped.', { isError: true, outcome: 'cancelled', errorKind: 'cancelled' }),
  )

  expect(rules.broken).toEqual([])
})

test('[I11] the answer of a hook that was asked about an earlier attempt is none for the next one', () => {
  const rules = rulesFor({ hooks: { afterToolCall: true } })
  const lines = [
    ...[...s.called(['a', 'b']), s.start('a', [0, 2]), s.start('b', [1, 2])],
    ...[s.ready('a'), s.go('a')],
  ]
  see(rules, lines)
  rules.world.posted(post)
  rules.world.replied(reply)
  rules.world.hooked(after)
  const again: Line[] = [
    { type: 'tool_cancel_requested', toolCallId: 'a', by: 'user' },
    s.end('a', 'Stopped.', { isError: true, outcome: 'cancelled', errorKind: 'cancelled' }),
    { type: 'tool_retry_requested', toolCallId: 'a', by: 'user' },
    ...[s.start('a', [0, 2]), s.ready('a'), s.go('a', 2)],
  ]
  more(rules, lines, ...again)
  rules.world.posted({ ...post, attempt: 2, executionId: 'a_2' })

  rules.world.hooked({ ...after, phase: 'answered' })
  rules.world.replied({ ...reply, executionId: 'a_2' })
  rules.world.hooked(after)
  rules.world.still({ ...still, freeSlots: 0 })

  expect(rules.broken).toEqual([])
})

function rulesFor(options: RuleOptions = {}): Rules {
  return createRules({ judgeEvery: 0, ...options })
}

function see(rules: Rules, lines: readonly Line[]): readonly DurableEvent[] {
  const log = s.story(lines)
  for (const event of log) rules.see(event)
  return log.filter((event) => isDurable(event))
}

/** The lines that follow a story which was already read. */
function more(rules: Rules, before: readonly Line[], ...lines: readonly Line[]): void {
  for (const event of s.story(before, lines).slice(before.length)) rules.see(event)
}

function asked(rules: Rules, payload: string): void {
  see(rules, started.slice(0, 5))
  rules.world.requested({ messages: [], payload })
}

function said(): readonly Line[] {
  return [
    s.turnStart,
    ...s.said('ask'),
    ...s.answer('ans', [s.words('Hi.')]),
    s.turnEnd('ans'),
    s.runEnd('stop'),
  ]
}
