import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentEvent } from './events.ts'
import { isDurable } from './events.ts'
import { fold } from './fold.ts'
import { stateAfter, config as usual } from './log.fixtures.ts'
import type { Message } from './message.ts'
import { anyPlan } from './plans.fixtures.ts'
import { createWriter, rehearse } from './rehearsal.fixtures.ts'
import { brokenRules } from './rules.fixtures.ts'
import type { State } from './state.ts'
import { emptyState } from './state.ts'
import { pathTo, problemOf, transcript } from './transcript.ts'

// Small limits, so that sessions reach them.
const config = { ...usual, maxCallsPerTurn: 4, maxToolResultChars: 100, retry: null, loop: null }
const numRuns = 150

test('[I1] [I2] [I3] [I4] [I5] [I7] [I8] [I9] [I10] [I12] [I13] [I18] [I20] [I22] [I23] [I24] [I31] [I33] no session of 150 breaks a rule', () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      expect(brokenRules(rehearse(plan, config), { atRest: true })).toEqual([])
    }),
    { numRuns },
  )
})

test('[I35] the same plan gives the same log, byte for byte', () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      expect(JSON.stringify(rehearse(plan, config))).toBe(JSON.stringify(rehearse(plan, config)))
    }),
    { numRuns },
  )
})

test('[I6] a log that went through JSON folds to the same state, event by event', () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      const log = rehearse(plan, config)

      const copy = JSON.parse(JSON.stringify(log)) as readonly AgentEvent[]

      expect(copy).toEqual(log)
      expect(stateAfter(copy)).toEqual(createWriter(log, config).state())
    }),
    { numRuns },
  )
})

test('[I6] durable events alone give the same state at the end of every run', () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      const log = rehearse(plan, config)
      const ends = [...log.keys()].filter((index) => log[index]?.type === 'agent_end')

      for (const end of ends) {
        const whole = log.slice(0, end + 1)
        expect(lasting(stateAfter(whole.filter(isDurable)))).toEqual(lasting(stateAfter(whole)))
      }
    }),
    { numRuns },
  )
})

test('[I28] every prefix of a session has a legal transcript', () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      let state = emptyState('session_1')
      for (const event of rehearse(plan, config)) {
        state = fold(state, event)
        const messages = transcript(state, config.maxToolResultChars)
        expect([problemOf(messages), illegal(messages)]).toEqual([null, []])
      }
    }),
    { numRuns },
  )
})

test('[I29] [I38] after a crash at any event everything comes to its end', async ({ annotate }) => {
  let crashes = 0
  fc.assert(
    fc.property(anyPlan, fc.boolean(), (plan, keepsEphemeral) => {
      const log = rehearse(plan, config).filter((event) => keepsEphemeral || isDurable(event))
      for (const length of log.keys()) {
        crashes += 1
        const before = log.slice(0, length)
        const { log: after, state } = recover(before, 'boot_2')

        expect(after.slice(0, length)).toEqual(before)
        expect(brokenRules(after, { atRest: true })).toEqual([])
        expect([state.run, state.batch, state.openMessage]).toEqual([null, null, null])
        expect(illegal(transcript(state, config.maxToolResultChars))).toEqual([])
      }
    }),
    { numRuns: 40 },
  )
  await annotate(`${crashes} crashes`)
  expect(crashes).toBeGreaterThan(500)
})

test('[I29] a crash while it recovers changes nothing, and one after it adds nothing', () => {
  fc.assert(
    fc.property(anyPlan, fc.nat(), (plan, at) => {
      const log = rehearse(plan, config)
      const before = log.slice(0, at % log.length)
      const once = recover(before, 'boot_2')

      for (let length = before.length + 1; length <= once.log.length; length += 1) {
        const twice = recover(once.log.slice(0, length), 'boot_3')
        expect(brokenRules(twice.log, { atRest: true })).toEqual([])
        expect(toldIn(twice.state)).toEqual(toldIn(once.state))
        expect(twice.log.length).toBe(once.log.length + 1)
      }
    }),
    { numRuns: 100 },
  )
})

test('rehearses what can happen', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(anyPlan, (plan) => {
      for (const event of rehearse(plan, config)) {
        if (event.type === 'agent_end') seen.add(event.reason)
        if (event.type === 'tool_execution_end') seen.add(`${event.outcome} ${event.errorKind}`)
        if (event.type === 'warning') seen.add(event.code)
      }
    }),
    { numRuns: 300, seed: 7 },
  )

  expect([...seen].sort()).toEqual([
    'aborted',
    'cancelled cancelled',
    'cut_off',
    'empty_answer',
    'error',
    'failed crashed',
    'failed failed',
    'failed invalid_args',
    'failed limit',
    'failed not_found',
    'failed truncated_call',
    'max_turns',
    'refusal',
    'stop',
    'succeeded undefined',
    'terminated',
    'timed_out timeout',
  ])
})

function recover(before: readonly AgentEvent[], bootId: string) {
  const writer = createWriter(before, config)
  writer.write({ type: 'session_opened', bootId })
  expect(writer.settle()).toEqual([])
  return { log: writer.log, state: writer.state() }
}

/** What a state says apart from what only mattered while it happened. */
function lasting(state: State) {
  const messages = pathTo(state.head).map(({ calls, ...node }) => ({
    ...node,
    parent: null,
    calls: calls.map(({ partial: _partial, progress: _progress, logs: _logs, ...call }) => call),
  }))
  return { ...state, head: null, messages }
}

/** What the messages of a state say; ids are counted by the length of the log. */
function toldIn(state: State) {
  return pathTo(state.head).map(({ message, excluded }) => [
    message.role,
    message.content,
    excluded,
  ])
}

/** What a provider would refuse. Written without looking at the code that makes transcripts. */
function illegal(messages: readonly Message[]): string[] {
  const problems: string[] = []
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? message.content.flatMap(callIdOf) : [],
  )
  if (new Set(ids).size !== ids.length) problems.push('ids are used twice')
  if (messages[0] && messages[0].role !== 'user') problems.push('the first message is no question')
  for (const [index, message] of messages.entries()) {
    if (message.role === 'toolResult') {
      const caller = messages.slice(0, index).findLast((earlier) => earlier.role !== 'toolResult')
      const calls = caller?.role === 'assistant' ? caller.content.flatMap(callIdOf) : []
      const place = index - messages.indexOf(caller ?? message) - 1
      if (calls[place] !== message.toolCallId) problems.push(`${message.id} answers no call here`)
    }
    if (message.role === 'assistant') {
      const asked = message.content.flatMap(callIdOf).length
      const results = messages.slice(index + 1, index + 1 + asked)
      const all = results.length === asked && results.every(({ role }) => role === 'toolResult')
      if (!all) problems.push(`${message.id} is not answered`)
      if (message.content.length === 0) problems.push(`${message.id} is empty`)
    }
  }
  return problems
}

function callIdOf(part: Message['content'][number]): readonly string[] {
  return part.type === 'toolCall' ? [part.toolCallId] : []
}
