import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../../agent/create-agent.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../internal/json.ts'
import { say, scriptedModel } from '../../testing/scripted.ts'
import { defineTool } from '../../tools/definition.ts'
import { inPage } from '../../tools/page/page-host.ts'
import { implement } from '../../tools/worker/implement.ts'
import { streamed } from '../http/streamed.fixtures.ts'
import { type AnthropicOptions, anthropic } from './anthropic.ts'
import { eventsOf, type RawEvent, type ScriptedAnswer, toSse } from './fake.fixtures.ts'
import { anthropicProblems } from './strict.fixtures.ts'

describe('an agent with a Claude model', () => {
  const search = {
    type: 'server_tool_use',
    id: 'srvtoolu_1',
    name: 'web_search',
    input: { query: 'noon' },
  }
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', url: 'https://a.example', encrypted_content: 'xyz' }],
  }

  test('continues an answer that paused, and sends it back unchanged', async () => {
    const { agent, bodies } = asking([
      withBlocks({ stopReason: 'pause_turn', blocks: [{ type: 'text', pieces: ['Looking'] }] }, [
        search,
      ]),
      withBlocks({ blocks: [] }, [found, { type: 'text', text: 'It is noon.' }]),
      eventsOf({ blocks: [{ type: 'text', pieces: ['Bye.'] }] }),
    ])

    expect(await agent.prompt('Time?')).toMatchObject({ reason: 'stop', text: 'It is noon.' })
    await agent.prompt('Thanks.')

    const paused = [{ type: 'text', text: 'Looking' }, search]
    expect(messagesIn(bodies[1])).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: paused },
    ])
    expect(messagesIn(bodies[2])).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [...paused, found, { type: 'text', text: 'It is noon.' }] },
      { role: 'user' },
    ])
    expect(bodies.flatMap((body) => anthropicProblems(body))).toEqual([])
  })

  test('keeps an answer that the provider alone understands, and hides it from others', async () => {
    const { agent, bodies } = asking([
      withBlocks({ stopReason: 'pause_turn', blocks: [] }, [search]),
      withBlocks({ blocks: [] }, [found, { type: 'text', text: 'Noon.' }]),
    ])
    await agent.prompt('Time?')
    expect(messagesIn(bodies[1])).toMatchObject([{ role: 'user' }, { content: [search] }])

    const other = scriptedModel([say('Yes.')])
    agent.configure({ model: other })
    await agent.prompt('Really?')

    expect(other.requests[0]?.messages).toHaveLength(4)
    expect(agent.getState()).toMatchObject({ lastReason: 'stop' })
  })

  test('shows why the model refuses, and does not send the answer back', async () => {
    const refused = eventsOf({
      stopReason: 'refusal',
      blocks: [{ type: 'tool_use', id: 't', name: 'clock', pieces: ['{}'] }],
    }).map((event) =>
      event.type === 'message_delta'
        ? {
            ...event,
            delta: {
              stop_reason: 'refusal',
              stop_details: {
                type: 'refusal',
                category: 'cyber',
                explanation: 'It is about locks.',
              },
            },
          }
        : event,
    )
    const { agent, bodies, runs } = asking([refused, eventsOf({ blocks: [] })])

    expect(await agent.prompt('Open it.')).toMatchObject({
      reason: 'refusal',
      error: { kind: 'refusal', message: 'It is about locks.', retryable: false },
    })
    await agent.prompt('Sorry.')

    expect(runs()).toBe(0)
    expect(JSON.stringify(bodies[1])).not.toContain('tool_use')
  })

  test.each([
    ['max_tokens', 32_000],
    ['model_context_window_exceeded', 20],
    ['tool_use', 32_000],
  ])('runs no call of an answer that was cut off by %s', async (stopReason, outputTokens) => {
    const { agent, bodies, runs } = asking([
      eventsOf({
        stopReason,
        outputUsage: { output_tokens: outputTokens },
        blocks: [
          { type: 'tool_use', id: 't', name: 'clock', pieces: ['{}'] },
          { type: 'tool_use', id: 'u', name: 'clock', pieces: ['{"city":"Par'] },
        ],
      }),
      eventsOf({ blocks: [{ type: 'text', pieces: ['Sorry.'] }] }),
    ])

    await agent.prompt('Time?')

    expect(runs()).toBe(0)
    expect(messagesIn(bodies[1]).at(-1)).toMatchObject({
      content: [{ is_error: true }, { is_error: true }],
    })
    expect(bodies.flatMap((body) => anthropicProblems(body))).toEqual([])
  })

  test('sends ids and arguments that were none back as the API takes them', async () => {
    const { agent, bodies, runs } = asking([
      eventsOf({
        stopReason: 'tool_use',
        blocks: [
          { type: 'tool_use', id: '', name: 'clock', pieces: ['{}'] },
          { type: 'tool_use', id: '', name: 'clock', pieces: ['{"city":'] },
          { type: 'tool_use', id: 'a b|c'.repeat(30), name: 'clock', pieces: ['[1]'] },
        ],
      }),
      eventsOf({ blocks: [] }),
    ])

    await agent.prompt('Time?')

    expect(runs()).toBe(1)
    expect(messagesIn(bodies[1]).at(-1)).toMatchObject({
      content: [
        { type: 'tool_result' },
        { is_error: true },
        { is_error: true, cache_control: { type: 'ephemeral' } },
      ],
    })
    expect(bodies.flatMap((body) => anthropicProblems(body))).toEqual([])
  })

  test('keeps no answer that says nothing, and says so', async () => {
    const { agent, bodies } = asking([eventsOf({ blocks: [] }), eventsOf({ blocks: [] })])
    const warnings: string[] = []
    agent.subscribe((event) => {
      if (event.type === 'warning') warnings.push(event.code)
    })

    expect(await agent.prompt('Time?')).toMatchObject({ reason: 'stop' })
    await agent.prompt('Well?')

    expect(warnings).toEqual(['empty_answer', 'empty_answer'])
    expect(messagesIn(bodies[1])).toMatchObject([
      { role: 'user', content: [{ text: 'Time?' }, { text: 'Well?' }] },
    ])
  })

  test('answers a call of a tool that was not offered with an error', async () => {
    const { agent, bodies, runs } = asking([
      eventsOf({
        stopReason: 'tool_use',
        blocks: [{ type: 'tool_use', id: 't', name: 'launch', pieces: ['{}'] }],
      }),
    ])

    await agent.prompt('Time?')

    expect(runs()).toBe(0)
    expect(messagesIn(bodies[1]).at(-1)).toMatchObject({
      content: [{ tool_use_id: expect.any(String), is_error: true }],
    })
    expect(bodies.flatMap((body) => anthropicProblems(body))).toEqual([])
  })

  test('sends the documents of a prompt and of a result', async () => {
    const pdf = {
      type: 'document',
      mediaType: 'application/pdf',
      data: 'AAAA',
      name: 'a.pdf',
    } as const
    const { agent, bodies } = asking(
      [
        eventsOf({
          stopReason: 'tool_use',
          blocks: [{ type: 'tool_use', id: 't', name: 'clock', pieces: ['{}'] }],
        }),
      ],
      {},
      { returns: [{ type: 'document', mimeType: 'text/plain', data: 'Noon.' }] },
    )

    await agent.prompt([{ type: 'text', text: 'Read:' }, pdf])

    const source = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }
    expect(messagesIn(bodies[0])).toMatchObject([
      { content: [{ text: 'Read:' }, { type: 'document', title: 'a.pdf', source }] },
    ])
    expect(messagesIn(bodies[1]).at(-1)).toMatchObject({
      content: [{ content: [{ type: 'document', source: { type: 'text', data: 'Noon.' } }] }],
    })
  })

  test('starts each request with the one before it', async () => {
    const call = eventsOf({
      stopReason: 'tool_use',
      blocks: [
        { type: 'thinking', pieces: ['Hm.'], signature: ['sig'] },
        { type: 'tool_use', id: 't', name: 'clock', pieces: ['{ "city" : "Lima" }'] },
      ],
    })
    const { agent, bodies } = asking([
      call,
      call,
      eventsOf({ blocks: [{ type: 'text', pieces: ['Noon. '] }] }),
      call,
      eventsOf({ blocks: [] }),
    ])

    await agent.prompt('Time?')
    await agent.prompt('And now?')

    const texts = bodies.map(
      (body) =>
        JSON.stringify({ ...body, messages: null }) +
        messagesIn(body)
          .map((message) => JSON.stringify(message))
          .join(),
    )
    const unmarked = texts.map((text) => text.replaceAll(/,"cache_control":\{[^}]*\}/g, ''))
    expect(unmarked).toHaveLength(5)
    for (const [index, text] of unmarked.slice(1).entries()) {
      expect(text.startsWith(unmarked[index] ?? '?'), `request ${index + 2}`).toBe(true)
    }
  })

  test('stops at its budget in money', async () => {
    const { agent, bodies } = asking(
      [
        eventsOf({
          stopReason: 'tool_use',
          outputUsage: { output_tokens: 10_000 },
          blocks: [{ type: 'tool_use', id: 't', name: 'clock', pieces: ['{}'] }],
        }),
      ],
      { model: 'claude-opus-5-5' },
      { budget: { maxCost: 0.2 } },
    )

    expect(await agent.prompt('Time?')).toMatchObject({
      reason: 'budget',
      usage: { cost: expect.closeTo(0.2, 2) },
    })
    expect(bodies).toHaveLength(1)
  })
})

/** An agent whose model answers with these, and all that it was asked. */
function asking(
  answers: readonly (readonly RawEvent[])[],
  options: Partial<AnthropicOptions> = {},
  {
    budget,
    returns = '12:00',
  }: { readonly budget?: { readonly maxCost: number }; readonly returns?: unknown } = {},
) {
  const bodies: JsonObject[] = []
  let runs = 0
  const clock = implement(
    defineTool({
      name: 'clock',
      description: 'Tells the time.',
      inputSchema: z.object({ city: z.string().optional() }),
      place: 'page',
    }),
    () => {
      runs += 1
      return returns
    },
  )
  const model = anthropic({
    model: 'claude-test',
    ...options,
    fetch: async (_, init) => {
      const body = parseJson(String(init?.body))
      if (isJsonObject(body)) bodies.push(body)
      return streamed([toSse(answers[bodies.length - 1] ?? eventsOf({ blocks: [] }))])
    },
  })
  const agent = createAgent({ model, tools: inPage([clock]), ...(budget && { budget }) })
  return { agent, bodies, runs: () => runs }
}

/** An answer with more blocks after its own, each of them whole at once. */
function withBlocks(answer: ScriptedAnswer, blocks: readonly JsonObject[]): readonly RawEvent[] {
  const events = eventsOf(answer)
  const first = answer.blocks.length
  const added = blocks.flatMap((block, at): readonly RawEvent[] => [
    { type: 'content_block_start', index: first + at, content_block: block },
    { type: 'content_block_stop', index: first + at },
  ])
  return [...events.slice(0, -2), ...added, ...events.slice(-2)]
}

function messagesIn(body: JsonObject | undefined): readonly unknown[] {
  const messages: unknown = body?.['messages']
  return Array.isArray(messages) ? messages : []
}
