import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { anthropic } from '../packages/core/src/anthropic.ts'
import { inWorkers, type Model, memoryStorage } from '../packages/core/src/index.ts'
import { forgetFailures } from '../packages/core/src/model/http/breaker.ts'
import { openai } from '../packages/core/src/openai.ts'
import { clock, converse } from './page/conversation.ts'
import { canary, modelAt } from './page/models.ts'
import { beginVisit, type Journal, journalAt, protocols } from './page/visit.fixtures.ts'
import { keptByPage, listen, textsIn } from './page/witness.fixtures.ts'

beforeEach(forgetFailures)

const startClock = () =>
  new Worker(new URL('./page/clock.worker.ts', import.meta.url), { type: 'module' })

/** All that a server can do to make a page reveal a key. */
const indiscretions = [
  'quotes-key',
  'quotes-key-403',
  'quotes-key-in-stream',
  'quotes-key-in-garbage',
  'quotes-key-in-page',
  'quotes-key-as-type',
  'E3',
  'E4-429',
  'E12-503',
  'E15-html',
  'E16',
  'F1-unseen',
  'F2-seen',
  'F4',
  'F7-no-name',
]

describe.each(protocols)('[I36] the key of %s', (protocol) => {
  const replies = indiscretions.filter((name) => protocol === 'openai' || name !== 'F7-no-name')

  test('is in no event, storage, page, console, message, error or address after a run with every failure', async () => {
    const { received, worker } = listen()
    const storage = memoryStorage()
    const visit = beginVisit(protocol)
    const { agent, events, eventsOf } = converse(visit.model('E12-503,two-calls,answer'), {
      storage,
      sessionId: 'session',
      tools: inWorkers([clock], () => worker(startClock())),
    })
    onTestFinished(agent.dispose)

    const results: unknown[] = [await agent.prompt('What time is it?')]
    expect(results).toMatchObject([{ reason: 'stop' }])
    for (const reply of replies) {
      forgetFailures()
      agent.configure({ model: beginVisit(protocol).model(reply) })
      const result = await agent.prompt(`Try ${reply}.`)
      expect(result.reason, reply).toBe('error')
      results.push(result, agent.getState())
    }
    forgetFailures()
    agent.configure({ model: beginVisit(protocol).model('answer', 'closed') })
    results.push(await agent.prompt('Try without CORS.'))
    await agent.stored()

    expect(eventsOf('auto_retry_start').length).toBeGreaterThan(10)
    expect(eventsOf('tool_execution_end')).toMatchObject([{}, {}])
    const kept = [await storage.read('session'), await keptByPage()]
    expectNoKeyIn({ events, results, kept, received, agent, state: agent.getState() })
    expect(JSON.stringify(kept)).toContain('What time is it?')
    expect(JSON.stringify(received)).toContain('Lima')
  })

  test.each([
    ['quotes-key-in-answer,answer', 'stop'],
    ['quotes-key-in-reason', 'refusal'],
  ])('[M11] is in nothing that a model says: %s', async (reply, reason) => {
    const { agent, events } = converse(beginVisit(protocol).model(reply))
    onTestFinished(agent.dispose)

    const result = await agent.prompt('What time is it?')

    expect(result).toMatchObject({ reason })
    expectNoKeyIn({ events, result, state: agent.getState() })
    expect(JSON.stringify(events)).toMatch(/(Bearer|with) \[secret\]/)
  })

  test.each(replies)('is not in the error object of %s, nor in its causes', async (reply) => {
    const model = beginVisit(protocol).model(reply)

    const thrown = await failureOf(model)

    expect(thrown).toBeInstanceOf(Error)
    expectNoKeyIn({ thrown, model })
  })

  test.each(replies)('is kept as secret in a custom header: %s', async (reply) => {
    const { name } = beginVisit(protocol)
    const headers = { authorization: `Bearer ${canary}`, 'x-session': canary }

    const thrown = await failureOf(modelWith(`${inject('faults')}/${name}/open/${reply}`, headers))

    expect(thrown).toBeInstanceOf(Error)
    expectNoKeyIn({ thrown })
  })

  test('stays with its server when the model is replaced by one with another address', async () => {
    const here = beginVisit(protocol)
    const { agent } = converse(here.model('answer'))
    onTestFinished(agent.dispose)
    const there = `moved-${crypto.randomUUID()}`

    await agent.prompt('What time is it?')
    agent.configure({
      model: modelAt(`${inject('elsewhere')}/${there}/open/answer`, protocol, 'another-key'),
    })
    await agent.prompt('And now?')

    const keysOf = ({ requests }: Journal) => requests.map(({ headers }) => headers.authorization)
    expect(keysOf(await here.journal())).toEqual([`Bearer ${canary}`])
    expect(keysOf(await journalAt(inject('elsewhere'), there))).toEqual(['Bearer another-key'])
    expectNoKeyIn(await journalAt(inject('elsewhere'), there))
  })

  test('[M7] goes to its own origin, in its own header, and nowhere else', async () => {
    const visit = beginVisit(protocol)
    for (const reply of ['answer', 'E16', 'E13-dropped']) {
      forgetFailures()
      await failureOf(visit.model(reply))
    }

    const { requests } = await visit.journal()
    expect(requests.length).toBeGreaterThan(1)
    for (const { headers, url, body } of requests) {
      const { authorization, ...others } = headers
      expect(authorization).toBe(`Bearer ${canary}`)
      expectNoKeyIn({ others, url, body })
    }
    for (const origin of [inject('faults'), inject('elsewhere')]) {
      expectNoKeyIn(await journalAt(origin, 'strays'))
    }
    expect((await journalAt(inject('faults'), 'strays')).strays.length).toBeGreaterThan(0)
    expect(await journalAt(inject('elsewhere'), 'redirected')).toMatchObject({ requests: [] })
  })

  function modelWith(baseURL: string, headers: Readonly<Record<string, string>>): Model {
    return protocol === 'anthropic'
      ? anthropic({ model: 'claude-test', baseURL, apiKey: null, headers })
      : openai({ model: 'gpt-test', baseURL: `${baseURL}/v1`, apiKey: null, headers })
  }
})

function expectNoKeyIn(places: object): void {
  const found = Object.entries(places).flatMap(([place, value]) =>
    textsIn(value).flatMap((text) => (text.includes('canary-7c1f') ? [`${place}: ${text}`] : [])),
  )
  expect(found).toEqual([])
}

async function failureOf(model: Model): Promise<unknown> {
  const messages = [
    { id: 'm1', parentId: null, role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
  ] as const
  try {
    const options = { signal: new AbortController().signal }
    for await (const _ of model.stream({ system: '', messages, tools: [] }, options));
    return null
  } catch (thrown) {
    return thrown
  }
}
