import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AgentEvent,
  type AssistantMessageEvent,
  type DurableEvent,
  type Fact,
  isDurable,
} from '../../kernel/events.ts'
import { fold } from '../../kernel/fold.ts'
import * as l from '../../kernel/log.fixtures.ts'
import { openAnswerIn, openCall } from '../../kernel/state.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createCallNotices } from './call-notices.ts'
import { createLiveOrder } from './live-order.ts'
import { placeOf } from './live-place.ts'
import { grownAnswer, repeatedAnswer, type StreamedAnswer } from './repeated-answer.ts'
import { createLiveShare } from './share-live.ts'
import type { Said } from './wish.ts'

const line = (text: string): Fact => ({
  type: 'tool_log',
  toolCallId: 'c',
  lines: [{ level: 'info', text, t: 0 }],
  dropped: 0,
})
const delta = (text: string): Fact =>
  l.step('msg_2', { type: 'text_delta', contentIndex: 0, delta: text })

/** A call that says something between what is stored. */
const calling: readonly Fact[] = [
  l.dispatched('c'),
  l.running('c'),
  line('one'),
  line('two'),
  l.queued({ steering: ['x'] }),
  line('three'),
  l.queued({ steering: [] }),
  line('four'),
]
/** An answer that is written, and stored in between. */
const answering: readonly Fact[] = [
  l.answerStart('msg_2'),
  ...l.streamed('msg_2', 'One', ' two'),
  l.queued({ followUp: ['x'] }),
  delta(' three'),
  { type: 'message_checkpoint', messageId: 'msg_2', content: [l.text('One two three')] },
  delta(' four'),
  l.queued({ followUp: [] }),
  delta(' five'),
]
const progress = (status: string): Fact => ({
  type: 'tool_progress',
  toolCallId: 'c',
  toolName: 'add',
  status,
})
/** An attempt that fails, and the next one. */
const retrying: readonly Fact[] = [
  l.dispatched('c'),
  l.running('c'),
  progress('half'),
  l.queued({ steering: ['x'] }),
  progress('most'),
  line('failed'),
  l.callRetry('c'),
  l.queued({ steering: [] }),
  l.dispatched('c', 2),
]
const stories = [
  [[...l.accepted(l.call('c')), l.prepared('c')], calling],
  [[...l.accepted(l.call('c')), l.prepared('c')], retrying],
  [l.asked(), answering],
] as const

/** A follower that has read a log up to here, and has caught up with its owner. */
function followerOf(begun: readonly Fact[], rest: readonly Fact[]) {
  const log = l.logOf(begun, rest)
  const received = log.slice(0, begun.length)
  let gaps = 0
  const order = createLiveOrder({
    state: () => l.stateAfter(received),
    replay: (events) => void received.push(...events),
    onGap: () => {
      gaps += 1
    },
  })
  const at = lastPlace(received)
  order.catchUp({ say: 'catch_up', at, events: [] })
  return {
    ...order,
    /** What comes by the storage, and what is posted, each in its order. */
    stored: log.slice(begun.length).filter((event): event is DurableEvent => isDurable(event)),
    posts: log
      .filter((event) => !isDurable(event))
      .map((event, index, events) => {
        return {
          say: 'live',
          after: index > 0 ? lastPlace(events.slice(0, index)) : at,
          events: [event],
        } as const
      }),
    gaps: () => gaps,
    state: () => l.stateAfter(received),
    shouldBe: log.reduce(fold, l.stateOf()),
  }
}

const lastPlace = (log: readonly AgentEvent[]) => {
  const last = log.at(-1)
  return last ? placeOf(last) : { seq: -1, sub: 0 }
}

test('[D3] [D86] a follower comes to the same state, whichever of the two ways is faster', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...stories),
      fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
      ([begun, rest], turns) => {
        const { addStored, addLive, stored, posts, state, shouldBe, gaps } = followerOf(begun, rest)

        for (const isStored of turns) {
          const [event, post] = [stored[0], posts[0]]
          if (isStored && event) addStored(stored.splice(0, 1))
          else if (post) posts.splice(0, 1).forEach(addLive)
        }
        addStored(stored)
        posts.forEach(addLive)

        expect(gaps()).toBe(0)
        expect({ ...state(), sub: 0 }).toEqual({ ...shouldBe, sub: 0 })
      },
    ),
    { seed: 82, numRuns: 500 },
  )
})

test('[D86] what comes twice counts once', () => {
  for (const [begun, rest] of stories) {
    const { addStored, addLive, stored, posts, state, shouldBe } = followerOf(begun, rest)
    addStored([...stored, ...stored])
    for (const post of posts) {
      addLive(post)
      addLive(post)
    }
    expect({ ...state(), sub: 0 }).toEqual({ ...shouldBe, sub: 0 })
  }
})

test('[D86] after a message that is missing nothing counts until the owner has said how things stand', () => {
  const [begun, rest] = stories[0]
  const { addStored, addLive, catchUp, stored, posts, state, gaps, shouldBe } = followerOf(
    begun,
    rest,
  )
  const [running, one, two, three, four] = posts
  if (!running || !one || !two || !three || !four) throw new Error('There are five posts.')
  const lines = () => openCall(state(), 'c')?.logs.lines.map(({ text }) => text)
  addStored(stored)
  addLive(running)
  addLive(one)

  addLive(three)
  expect(gaps()).toBe(1)
  addLive(four)
  expect(lines()).toEqual(['one'])
  // The message that was missing comes late, and no more counts than the others.
  addLive(two)
  expect(lines()).toEqual(['one'])

  const events = posts.flatMap((post) => post.events)
  catchUp({ say: 'catch_up', at: lastPlace(events), events })
  expect(lines()).toEqual(['one', 'two', 'three', 'four'])
  expect(gaps()).toBe(1)
  expect({ ...state(), sub: 0 }).toEqual({ ...shouldBe, sub: 0 })
})

test('[D86] what overtakes the word of the owner on how things stand counts after it', () => {
  for (const [begun, rest] of stories) {
    const { addStored, addLive, catchUp, stored, posts, state, shouldBe, gaps } = followerOf(
      begun,
      rest,
    )
    const [first, lost, ...others] = posts
    if (!first || !lost) throw new Error('There are more posts.')
    addStored(stored)
    addLive(first)
    for (const post of others) addLive(post)
    expect(gaps()).toBe(1)

    catchUp({ say: 'catch_up', at: lastPlace(lost.events), events: lost.events })

    expect(gaps()).toBe(1)
    expect({ ...state(), sub: 0 }).toEqual({ ...shouldBe, sub: 0 })
  }
})

test('[D86] a follower whose question is lost asks again while it misses more', () => {
  const [begun, rest] = stories[0]
  const { addLive, posts, gaps } = followerOf(begun, rest)
  const [, , , late] = posts
  if (!late) throw new Error('There are five posts.')

  for (let times = 0; times < 41; times += 1) addLive(late)

  expect(gaps()).toBe(3)
})

test('[D3] what an earlier attempt of a call said does not count late, once the call is to be retried', () => {
  const begun = [...l.accepted(l.call('c')), l.prepared('c'), l.dispatched('c'), l.running('c')]
  const rest = [line('early'), l.ended('c'), l.retried('c'), line('again')]
  const { addStored, addLive, stored, posts, state } = followerOf(begun, rest)
  addStored(stored)
  for (const post of posts) addLive(post)

  const call = openCall(state(), 'c')
  expect(call?.logs.lines.map(({ text }) => text)).toEqual(['again'])
})

/** What the owner says of an answer to those who come late. */
function repeated(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const updates = events.filter((event) => event.type === 'message_update')
  const answer = updates.reduce<StreamedAnswer | undefined>(grownAnswer, undefined)
  return answer ? repeatedAnswer(answer) : []
}

/** Steps of an answer with a block of each kind. */
const steps: readonly AssistantMessageEvent[] = [
  { type: 'thinking_start', contentIndex: 0 },
  ...['I ', 'am ', '.'].map(
    (delta) => ({ type: 'thinking_delta', contentIndex: 0, delta }) as const,
  ),
  { type: 'thinking_end', contentIndex: 0, signature: 's' },
  { type: 'opaque_start', contentIndex: 1, data: { n: 1 } },
  { type: 'opaque_end', contentIndex: 1, data: { n: 2 } },
  { type: 'text_start', contentIndex: 2 },
  ...['One', '', ' two'].map((delta) => ({ type: 'text_delta', contentIndex: 2, delta }) as const),
  { type: 'text_end', contentIndex: 2 },
  { type: 'toolcall_start', contentIndex: 3, toolCallId: 'c', toolName: 'a' },
  ...['{"n"', ':1', '}'].map(
    (delta) => ({ type: 'toolcall_delta', contentIndex: 3, delta }) as const,
  ),
]

test('[D3] [D86] what the owner repeats of an answer counts once, however much of it came before', () => {
  const place = fc.nat({ max: steps.length })
  fc.assert(
    fc.property(place, place, fc.boolean(), (one, other, isLate) => {
      const [seen, said] = one < other ? [one, other] : [other, one]
      // A durable event that the follower reads late.
      const rest = [l.queued({ steering: ['x'] }), ...steps.map((step) => l.step('msg_2', step))]
      const begun = [...l.asked(), l.answerStart('msg_2')]
      const { addLive, addStored, catchUp, posts, stored, state, shouldBe } = followerOf(
        begun,
        rest,
      )
      if (!isLate) addStored(stored)
      for (const post of posts.slice(0, seen)) addLive(post)
      const events = posts.slice(0, said).flatMap((post) => post.events)
      if (events.length > 0)
        catchUp({ say: 'catch_up', at: lastPlace(events), events: repeated(events) })
      for (const post of posts.slice(said)) addLive(post)
      addStored(stored)

      expect(openAnswerIn(state())?.content).toEqual(openAnswerIn(shouldBe)?.content)
    }),
    { seed: 83, numRuns: 500 },
  )
})

test('[D86] what an owner repeats for another follower is not said twice', () => {
  const begun = [...l.accepted(l.call('c')), l.prepared('c')]
  const said = [
    l.dispatched('c'),
    l.running('c'),
    progress('half'),
    line('one'),
    l.queued({ steering: [] }),
  ]
  const received = l.logOf(begun, said)
  const notices = createCallNotices()
  received.forEach(notices.note)
  const replayed: AgentEvent[] = []
  const { addLive, catchUp } = createLiveOrder({
    state: () => l.stateAfter(received),
    replay: (events) => void replayed.push(...events),
    onGap: () => {},
  })
  const [first, ...rest] = received.filter((event) => !isDurable(event))
  if (first) catchUp({ say: 'catch_up', at: placeOf(first), events: [first] })
  if (first) addLive({ say: 'live', after: placeOf(first), events: rest })
  const before = replayed.length

  catchUp({ say: 'catch_up', at: lastPlace(received), events: notices.open() })

  expect(before).toBe(3)
  expect(replayed.slice(before)).toEqual([])
})

test('[D3] [R4] a follower that comes after a failed attempt does not see how far that said it was', () => {
  const notices = createCallNotices()
  const begun = [...l.accepted(l.call('c')), l.prepared('c')]
  l.logOf(begun, retrying).forEach(notices.note)

  expect(notices.open().map(({ type }) => type)).toEqual(['tool_running', 'tool_log'])
})

test('[D3] lines that were left out are counted once, also by a follower that has missed some of it', () => {
  const leftOut: Fact = { type: 'tool_log', toolCallId: 'c', lines: [], dropped: 2 }
  const begun = [...l.accepted(l.call('c')), l.prepared('c'), l.dispatched('c'), l.running('c')]
  const log = l.logOf(begun, [line('one'), leftOut, leftOut, line('two')])
  const notices = createCallNotices()
  log.forEach(notices.note)
  const received = log.slice(0, -2)
  const { catchUp } = createLiveOrder({
    state: () => l.stateAfter(received),
    replay: (events) => void received.push(...events),
    onGap: () => {},
  })
  catchUp({ say: 'catch_up', at: lastPlace(received), events: [] })

  catchUp({ say: 'catch_up', at: lastPlace(log), events: notices.open() })

  expect(openCall(l.stateAfter(received), 'c')?.logs).toEqual(
    openCall(l.stateAfter(log), 'c')?.logs,
  )
})

test('[D3] [D86] [I40] what calls have said in megabytes comes in pieces, and two followers lack nothing of it', async () => {
  const begun = [...l.accepted(l.call('c')), l.prepared('c'), l.dispatched('c'), l.running('c')]
  const texts = Array.from({ length: 20 }, (_, n) => `${n}${'a'.repeat(60_000)}`)
  const leftOut: Fact = { type: 'tool_log', toolCallId: 'c', lines: [], dropped: 2 }
  const before = [...texts.slice(0, 9).map(line), leftOut, ...texts.slice(9).map(line)]
  const log = l.logOf(begun, [...before, line('late'), line('last')])
  const isLate = (event: AgentEvent) =>
    event.type === 'tool_log' && log.indexOf(event) >= log.length - 2
  const shouldBe = l.stateAfter(log)
  const lengths: number[] = []
  const followers: ReturnType<typeof followerFrom>[] = []
  let emit = (_: AgentEvent) => {}
  const subscribe = (listener: (event: AgentEvent) => void) => {
    emit = listener
    return () => {}
  }
  const clock = fakeClock()
  const say = (said: Said) => {
    lengths.push(JSON.stringify(said).length)
    for (const follower of followers) follower.receive(structuredClone(said))
  }
  const share = createLiveShare({ state: () => l.stateOf(), subscribe }, say, clock)
  for (const event of log) if (!isLate(event)) emit(event)

  followers.push(followerFrom(log.slice(0, begun.length)))
  share.start()
  followers.push(followerFrom(log.slice(0, begun.length)))
  share.start()
  // Said while the first follower has read one piece.
  for (const event of log) if (isLate(event)) emit(event)
  clock.advance(50)

  for (const { logs } of followers) await expect.poll(logs).toEqual(openCall(shouldBe, 'c')?.logs)
  expect(lengths.length).toBeGreaterThan(4)
  expect(Math.max(...lengths)).toBeLessThan(400_000)
  expect(followers[0]?.gaps()).toBe(0)
})

test('[D3] [I39] while one follower is caught up in pieces, the others get what a call says before it ends', async () => {
  const begun = [...l.accepted(l.call('c')), l.prepared('c'), l.dispatched('c'), l.running('c')]
  const early = Array.from({ length: 20 }, (_, n) => line(`${n}${'a'.repeat(60_000)}`))
  // Each is posted by itself, as something is stored after it.
  const late = Array.from({ length: 60 }, (_, n) => [line(`late ${n}`), l.queued({ steering: [] })])
  const log = l.logOf(begun, early, late.flat())
  const start = log.slice(0, begun.length)
  const followers: ReturnType<typeof followerFrom>[] = []
  let emit = (_: AgentEvent) => {}
  const subscribe = (listener: (event: AgentEvent) => void) => {
    emit = listener
    return () => {}
  }
  const say = (said: Said) => {
    for (const follower of followers) follower.receive(structuredClone(said))
  }
  const share = createLiveShare({ state: () => l.stateOf(), subscribe }, say, fakeClock())
  const join = () => {
    followers.push(followerFrom(start))
    share.start()
  }
  for (const event of start) emit(event)
  join()
  const lateFrom = begun.length + early.length
  for (const event of log.slice(begun.length, lateFrom)) emit(event)
  join()

  for (const event of log.slice(lateFrom)) {
    emit(event)
    if (isDurable(event)) for (const { addStored } of followers) addStored([event])
  }

  const should = openCall(l.stateAfter(log), 'c')?.logs
  const [there, coming] = followers
  expect(there?.logs()).toEqual(should)
  await expect.poll(() => coming?.logs()).toEqual(should)
  expect([there?.gaps(), coming?.gaps()]).toEqual([0, 3])
})

function followerFrom(begun: readonly AgentEvent[]) {
  const received = [...begun]
  let gaps = 0
  const { addLive, addStored, catchUp } = createLiveOrder({
    state: () => l.stateAfter(received),
    replay: (events) => void received.push(...events),
    onGap: () => {
      gaps += 1
    },
  })
  return {
    addStored,
    receive: (said: Said) => {
      if (said.say === 'live') addLive(said)
      if (said.say === 'catch_up') catchUp(said)
    },
    logs: () => openCall(l.stateAfter(received), 'c')?.logs,
    gaps: () => gaps,
  }
}

test('[D3] an answer is repeated in few events, however many there were', () => {
  const notices = createCallNotices()
  const texts = Array.from({ length: 10_000 }, () => 'a')
  const log = l.logOf([...l.asked(), l.answerStart('msg_2')], l.streamed('msg_2', ...texts))
  for (const event of log) notices.note({ ...event, agentId: 'agent_1' })

  expect(notices.open()).toMatchObject([
    { assistantMessageEvent: { type: 'text_start' } },
    { assistantMessageEvent: { type: 'text_delta', delta: texts.join('') } },
  ])
})

test.for<readonly [string, readonly Fact[]]>([
  ['has opened the session', []],
  ['has ended the run', [l.callRetry('c'), l.turnEnd(), l.agentEnd('interrupted')]],
  ['goes on', [l.callRetry('c'), l.turnEnd(), l.agentEnd('interrupted'), l.goesOn('resume')]],
])('[D86] what a replaced owner says of a call does not count once the next one %s', ([, rest]) => {
  const before = [...l.accepted(l.call('c')), l.prepared('c'), l.dispatched('c'), l.running('c')]
  const said = l.logOf(before, [line('late')]).slice(-1)
  const received = l.logOf(before, [l.opened('boot_2')], rest, l.queued({ steering: [] }))
  const { catchUp } = createLiveOrder({
    state: () => l.stateAfter(received),
    replay: (events) => void received.push(...events),
    onGap: () => {},
  })
  catchUp({ say: 'catch_up', at: lastPlace(said), events: said })

  const call = openCall(l.stateAfter(received), 'c')
  expect(call).toBeDefined()
  expect(call?.logs.lines).toEqual([])
})
