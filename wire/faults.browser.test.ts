import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { EventOf, Model, RunResult } from '../packages/core/src/index.ts'
import { forgetFailures } from '../packages/core/src/model/http/breaker.ts'
import type { Protocol } from './exchange.ts'
import { search } from './faults/search.ts'
import { type Conversation, converse } from './page/conversation.ts'
import { modelAt } from './page/models.ts'
import {
  beginVisit,
  journalAt,
  protocols,
  resultsIn,
  rolesIn,
  type Visit,
} from './page/visit.fixtures.ts'
import type { Row } from './rows/row.ts'
import { rows } from './rows/rows.ts'

// All tests talk to one server, so failures of one test would let the breaker delay the next.
beforeEach(forgetFailures)

describe.each(protocols)('%s over a real connection from another origin', (protocol) => {
  test.each(rowsOf(protocol))('%s', async (_, row) => {
    const visit = beginVisit(protocol)
    const conversation = start(row, visit)

    const result = await conversation.agent.prompt('What time is it?')

    const { outcome } = row
    expect(result).toMatchObject({ reason: outcome.reason })
    if (outcome.text !== undefined) expect(result.text).toMatch(asPattern(outcome.text))
    expectFailure(conversation, row)
    expect(conversation.ran).toHaveLength(outcome.ran ?? 0)
    expect(conversation.eventsOf('warning').map(({ code }) => code)).toEqual(outcome.warns ?? [])
    await expectRequests(visit, row)
    if (outcome.reason === 'error') await expectRecovery(conversation, protocol)
  })

  test.each(['E12-503', 'E13-dropped'])(
    '%s without CORS after an answer counts as an error of the server, and is tried again',
    async (reply) => {
      const visit = beginVisit(protocol)
      const { agent, eventsOf } = converse(visit.model(`answer,${reply},answer`, 'bare-errors'))
      onTestFinished(agent.dispose)

      expect(await agent.prompt('What time is it?')).toMatchObject({ reason: 'stop' })
      expect(await agent.prompt('And now?')).toMatchObject({ reason: 'stop' })

      expect(eventsOf('auto_retry_start')).toMatchObject([{ error: { kind: 'network' } }])
      expect((await visit.journal()).requests).toHaveLength(3)
    },
  )

  test('an address without a server is named, with what to check', async () => {
    const { agent, eventsOf } = converse(modelAt(inject('closed'), protocol))
    onTestFinished(agent.dispose)

    const { reason, error } = await agent.prompt('What time is it?')

    expect({ reason, ...error }).toMatchObject({ reason: 'error', kind: 'network' })
    expect(error?.message).toContain(new URL(inject('closed')).host)
    expect(error?.message).toMatch(/server runs/)
    expect(eventsOf('auto_retry_start')).toHaveLength(3)
    await expectRecovery({ agent }, protocol)
  })

  test('a browser whose preflight is refused does not send the request', async () => {
    const visit = beginVisit(protocol)
    const { agent } = converse(visit.model('answer', 'closed'))
    onTestFinished(agent.dispose)

    await agent.prompt('What time is it?')

    expect(await visit.journal()).toMatchObject({ requests: [], preflights: 1 })
  })

  test.each(['open', 'unexposed'] as const)(
    'the number of a refused request is stated where it can be read: %s',
    async (cors) => {
      const { agent } = converse(beginVisit(protocol).model('E1', cors))
      onTestFinished(agent.dispose)

      const { error } = await agent.prompt('What time is it?')

      if (cors === 'open') expect(error?.details).toMatchObject({ requestId: 'req_1' })
      else expect(error?.details).not.toHaveProperty('requestId')
    },
  )

  test('an advice of the server not to retry that the page cannot read is not followed', async () => {
    const { agent, eventsOf } = converse(beginVisit(protocol).model('never-retry', 'unexposed'))
    onTestFinished(agent.dispose)

    await agent.prompt('What time is it?')

    expect(eventsOf('auto_retry_start')).toHaveLength(3)
  })

  test('a redirect is not followed, with the key or without', async () => {
    const { agent } = converse(beginVisit(protocol).model('E16'))
    onTestFinished(agent.dispose)

    await agent.prompt('What time is it?')

    const there = await journalAt(inject('elsewhere'), 'redirected')
    expect(there).toMatchObject({ requests: [], preflights: 0 })
  })

  test('after five failures, of any session, a server gets no requests for a while', async () => {
    const visit = beginVisit(protocol)
    const sessions = Array.from({ length: 6 }, () => {
      const { agent } = converse(visit.model('E12-503'), { retry: null })
      onTestFinished(agent.dispose)
      return agent
    })

    const ends = []
    for (const agent of sessions) ends.push(await agent.prompt('What time is it?'))

    expect(ends.map(({ error }) => error?.kind)).toEqual(sessions.map(() => 'overloaded'))
    expect(ends.at(-1)?.error?.message).toMatch(/failed 5 times in a row.*Wait \d+ seconds/)
    expect(ends.at(-1)?.error?.retryAfterMs).toBeGreaterThan(20_000)
    expect((await visit.journal()).requests).toHaveLength(5)
  })

  test('[M6] a pause that a server asks of one key is none for another key', async () => {
    const visit = beginVisit(protocol)
    const address = `${inject('faults')}/${visit.name}/open/${'E10-hour,'.repeat(5)}answer`
    for (let n = 0; n < 5; n += 1) {
      const { agent } = converse(modelAt(address, protocol, 'key-of-one'))
      onTestFinished(agent.dispose)
      await agent.prompt('What time is it?')
    }

    const { agent } = converse(modelAt(address, protocol, 'key-of-another'))
    onTestFinished(agent.dispose)

    expect(await agent.prompt('What time is it?')).toMatchObject({ reason: 'stop' })
    const { error } = await waiting(modelAt(address, protocol, 'key-of-one'))
    expect(error?.retryAfterMs).toBeGreaterThan(30 * 60_000)
  })

  test.each(['E14-stall', 'E14-silent', 'E14-stall-unseen'])(
    'an abort at %s closes the connection, and the conversation can continue',
    async (reply) => {
      const visit = beginVisit(protocol)
      const { agent, eventsOf } = converse(visit.model(reply))
      onTestFinished(agent.dispose)
      const stopWatching = agent.subscribe((event) => {
        if (event.type === 'message_update' && isDelta(event)) agent.abort()
      })
      const run = agent.prompt('What time is it?')
      if (reply !== 'E14-stall') {
        await expect.poll(async () => (await visit.journal()).requests.length).toBe(1)
        agent.abort()
      }

      expect(await run).toMatchObject({ reason: 'aborted' })

      stopWatching()
      expect(eventsOf('auto_retry_start')).toEqual([])
      await expect.poll(async () => (await visit.journal()).requests[0]?.state).toBe('closed')
      const next = beginVisit(protocol)
      agent.configure({ model: next.model('answer') })
      expect(await agent.prompt('Again.')).toMatchObject({ reason: 'stop' })
      expect((await next.journal()).requests.flatMap(({ problems }) => problems)).toEqual([])
    },
  )
})

async function waiting(model: Model): Promise<RunResult> {
  const { agent } = converse(model, { retry: null })
  onTestFinished(agent.dispose)
  return agent.prompt('What time is it?')
}

function isDelta({ assistantMessageEvent }: EventOf<'message_update'>): boolean {
  return assistantMessageEvent.type.endsWith('_delta')
}

/** The rows of a protocol, each after its name. */
function rowsOf(protocol: Protocol): readonly (readonly [string, Row])[] {
  const own = rows.filter(({ only = protocol }) => only === protocol)
  return own.map((row) => {
    const outcome = protocol === 'openai' ? { ...row.outcome, ...row.openai } : row.outcome
    return [`[${row.id}] ${row.what}, ${row.replies}`, { ...row, outcome }] as const
  })
}

function start({ replies, cors, agent }: Row, visit: Visit): Conversation {
  const conversation = converse(visit.model(replies, cors), agent)
  onTestFinished(conversation.agent.dispose)
  // A server that cuts waits until what it sent is seen.
  conversation.agent.subscribe((event) => {
    if (event.type === 'message_update') void visit.seen()
  })
  return conversation
}

function expectFailure({ agent, eventsOf }: Conversation, { outcome }: Row): void {
  const { error } = agent.getState()
  const starts = eventsOf('auto_retry_start')
  const failed = outcome.reason === 'error' || outcome.reason === 'refusal'
  expect(starts.map((retry) => retry.error.kind)).toEqual(starts.map(() => outcome.kind))
  expect(starts, `failed with ${JSON.stringify(error)}`).toHaveLength(outcome.retries)
  const [pause] = starts
  if (pause && outcome.delayMs !== undefined) expect(pause.delayMs).toBe(outcome.delayMs)
  else if (pause) expect(pause.delayMs).toBeLessThanOrEqual(5)
  expect(eventsOf('agent_end')).toHaveLength(1)
  // Every failed attempt is shown, but the model does not read it.
  const excluded = eventsOf('message_end').filter((end) => end.excluded)
  expect(excluded).toHaveLength(outcome.retries + (failed ? 1 : 0))
  if (!failed) {
    expect(error).toBeNull()
    return
  }
  expect(error).toMatchObject({ kind: outcome.kind })
  expect(error?.message).toMatch(outcome.says ?? /\.$/)
  expect(error?.message).toMatch(/^[A-Z0-9].*[.]$/)
  expect(error?.message).not.toMatch(/undefined|null|\[object/)
  expect(eventsOf('agent_end')[0]?.error).toEqual(error)
}

async function expectRequests(visit: Visit, { outcome }: Row): Promise<void> {
  const { requests } = await visit.journal()
  expect(requests.flatMap(({ problems }) => problems)).toEqual([])
  expect(requests).toHaveLength(outcome.requests ?? outcome.retries + 1)
  const bodies = requests.map(({ body }) => body)
  if (outcome.reads) expect(resultsIn(bodies.at(-1))).toEqual(outcome.reads)
  else expect(bodies).toEqual(bodies.map(() => bodies[0]))
}

/** The conversation is intact, and continues with a server that works. */
async function expectRecovery(
  { agent }: Pick<Conversation, 'agent'>,
  protocol: Protocol,
): Promise<void> {
  const next = beginVisit(protocol)
  agent.configure({ model: next.model('answer') })

  expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'It is noon 🕛.' })

  const { requests } = await next.journal()
  expect(requests.map(({ problems, body }) => [problems, rolesIn(body)])).toEqual([[[], ['user']]])
  expect(agent.getState().error).toBeNull()
}

function asPattern(text: string | RegExp): RegExp {
  if (text instanceof RegExp) return text
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
}

test('after a pause the provider gets back its own search untouched, and another model does not get it', async () => {
  const visit = beginVisit('anthropic')
  const { agent } = converse(visit.model('F14-search,answer'))
  onTestFinished(agent.dispose)

  expect(await agent.prompt('What time is it?')).toMatchObject({ reason: 'stop' })

  const { requests } = await visit.journal()
  expect(requests.map(({ problems }) => problems)).toEqual([[], []])
  expect(lastMessageOf(requests[1]?.body)).toMatchObject({
    role: 'assistant',
    content: [search.call, search.result, { type: 'text', text: 'So far.' }],
  })
  const next = beginVisit('openai')
  agent.configure({ model: next.model('answer') })
  expect(await agent.prompt('And now?')).toMatchObject({ reason: 'stop' })
  const [request] = (await next.journal()).requests
  expect(request?.problems).toEqual([])
  expect(JSON.stringify(request?.body)).not.toContain('srvtoolu_1')
})

function lastMessageOf(body: unknown): unknown {
  return (body as { messages: readonly unknown[] }).messages.at(-1)
}
