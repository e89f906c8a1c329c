import { expect, test } from 'vitest'
import { decide } from '../kernel/decide.ts'
import type { AgentEvent } from '../kernel/events.ts'
import { config } from '../kernel/log.fixtures.ts'
import { createManualEnvironment } from './environment.fixtures.ts'
import { createLedger } from './ledger.ts'
import { createNotifier } from './notifier.ts'
import type { EffectScope, StartEffect } from './running-effects.ts'
import { createRuntime } from './runtime.ts'
import { createStopwatch } from './stopwatch.ts'

test('writes what follows from a fact before it returns, and publishes it when the step is complete', () => {
  let isPerforming = false
  const received: { readonly type: string; readonly whilePerforming: boolean }[] = []
  const { runtime } = create(
    ({ commit }) => {
      isPerforming = true
      commit(asking)
      isPerforming = false
    },
    ({ type }) => received.push({ type, whilePerforming: isPerforming }),
  )

  runtime.write(prompt)

  expect(received).toEqual(
    ['agent_start', 'turn_start', 'message_start', 'message_end', 'message_start'].map((type) => ({
      type,
      whilePerforming: false,
    })),
  )
  expect(runtime.state().run?.step.kind).toBe('asking')
})

test('runs the kernel again only after a durable fact: a delta costs no decision', () => {
  let scope: EffectScope | undefined
  const { runtime, decisions } = create((given) => {
    scope = given
    given.commit(asking)
  })
  runtime.write(prompt)
  const before = decisions()

  for (let i = 0; i < 100; i++) scope?.commit(delta)

  expect(decisions()).toBe(before)
  runtime.write({ type: 'abort_requested', by: 'user' })
  expect(decisions()).toBeGreaterThan(before)
  expect(runtime.state().lastRun).toMatchObject({ reason: 'aborted' })
})

test('[I25] writes nothing after dispose', () => {
  const events: AgentEvent[] = []
  let scope: EffectScope | undefined
  const { runtime } = create(
    (given) => {
      scope = given
      given.commit(asking)
    },
    (event) => events.push(event),
  )
  runtime.write(prompt)
  const before = events.length

  runtime.stop()
  runtime.write({ type: 'abort_requested', by: 'user' })

  expect(scope?.commit(delta)).toBe(false)
  expect(events).toHaveLength(before)
})

const prompt = {
  type: 'agent_start',
  trigger: 'prompt',
  input: [{ type: 'text', text: 'Go.' }],
  model: { provider: 'test', id: 'test' },
  toolExecution: 'parallel',
  maxTurns: 5,
} as const

const asking = {
  type: 'message_start',
  message: {
    id: 'answer',
    parentId: null,
    role: 'assistant',
    content: [],
    model: { provider: 'test', id: 'test' },
  },
} as const

const delta = {
  type: 'message_update',
  messageId: 'answer',
  assistantMessageEvent: { type: 'text_start', contentIndex: 0 },
} as const

function create(
  onStart: (scope: EffectScope) => void,
  receive: (event: AgentEvent) => void = () => {},
) {
  let decisions = 0
  const notifier = createNotifier()
  notifier.subscribe(receive)
  const startEffect: StartEffect = (_, scope) => {
    onStart(scope)
    return { update: () => {}, cancel: () => {} }
  }
  const environment = createManualEnvironment()
  const runtime = createRuntime({
    ledger: createLedger({ sessionId: 'session_1', clock: environment.clock, notifier }),
    environment,
    stopwatch: createStopwatch(environment.clock),
    decide: (state) => {
      decisions += 1
      return decide(state, config)
    },
    startEffect,
  })
  return { runtime, decisions: () => decisions }
}
