import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pageTools, watchedAgent } from '../../agent/agent.fixtures.ts'
import { isObject } from '../../internal/json.ts'
import type { Part } from '../../kernel/message.ts'
import { createManualEnvironment } from '../../runtime/environment.fixtures.ts'
import { anthropic } from '../anthropic/anthropic.ts'
import { eventsOf, toSse as toAnthropicSse } from '../anthropic/fake.fixtures.ts'
import { type FakeAnthropicServer, startFakeAnthropic } from '../anthropic/fake-server.fixtures.ts'
import { forgetFailures } from '../http/breaker.ts'
import { stream } from '../http/fake-server.fixtures.ts'
import type { Model } from '../port.ts'
import { callsChunk, chunk, toSse } from './fake.fixtures.ts'
import { type FakeOpenAIServer, startFakeOpenAI } from './fake-server.fixtures.ts'
import { openai } from './openai.ts'

/** Both refuse every request that breaks a rule of their vendor. */
let claude: FakeAnthropicServer
let gpt: FakeOpenAIServer
let models: { readonly claude: Model; readonly gpt: Model }
beforeAll(async () => {
  claude = await startFakeAnthropic()
  gpt = await startFakeOpenAI()
  models = {
    claude: anthropic({ model: 'claude-test', baseURL: claude.baseURL }),
    gpt: openai({ model: 'gpt-test', baseURL: gpt.baseURL }),
  }
})
afterAll(() => Promise.all([claude.close(), gpt.close()]))
beforeEach(forgetFailures)

const png: Part = { type: 'image', mediaType: 'image/png', data: 'AAAA' }
const jpeg: Part = { type: 'image', mediaType: 'image/jpeg', data: 'BBBB' }

describe('[S002-3] one conversation with two models', () => {
  test.each([
    ['claude', 'gpt'],
    ['gpt', 'claude'],
  ] as const)('that starts with %s continues with %s, and back', async (first, second) => {
    const { agent } = watchedAgent({ model: models[first], tools: tools(), retry: null })
    answerWithCalls(first)
    answerWithCalls(second)
    answerWithCalls(first)

    const reasons = []
    for (const name of [first, second, first]) {
      agent.configure({ model: models[name] })
      const said: readonly Part[] = [{ type: 'text', text: 'Show and describe.' }, png]
      reasons.push((await agent.prompt(said)).reason)
    }

    expect(reasons).toEqual(['stop', 'stop', 'stop'])
    const servers = { claude, gpt }
    const imagesTo = (name: 'claude' | 'gpt') =>
      JSON.stringify(lastOf(servers[name]).body).match(/AAAA|BBBB/g)
    // Of each prompt one image from the user and one from a tool.
    expect(imagesTo(first)).toHaveLength(6)
    expect(imagesTo(second)).toHaveLength(4)
  })

  test('foreign thinking stays away, own thinking goes back, ids are new, images and failures are kept', async () => {
    const { agent } = watchedAgent({ model: models.claude, tools: tools(), retry: null })
    answerWithCalls('claude')
    answerWithCalls('gpt')
    answerWithCalls('claude')

    await agent.prompt([{ type: 'text', text: 'Show.' }, png])
    agent.configure({ model: models.gpt })
    await agent.prompt('Tell.')
    const toGpt = JSON.stringify(lastOf(gpt).body)
    agent.configure({ model: models.claude })
    await agent.prompt('Again.')
    const toClaude = JSON.stringify(lastOf(claude).body)

    expect(toGpt).not.toMatch(/Claude thinks|GPT thinks|sig-claude|gibberish/)
    expect(toGpt).not.toMatch(/toolu_|same-id/)
    expect(toClaude).not.toMatch(/GPT thinks|same-id|toolu_/)
    expect(toClaude.match(/Claude thinks/g)).toHaveLength(2)
    expect(toClaude.match(/"signature":"sig-claude"/g)).toHaveLength(2)
    expect(toClaude.match(/"data":"gibberish"/g)).toHaveLength(2)
    // One image of the user and one of each of the results so far.
    expect(toGpt.match(/data:image\/png;base64,AAAA/g)).toHaveLength(1)
    expect(toGpt.match(/data:image\/jpeg;base64,BBBB/g)).toHaveLength(2)
    expect(toClaude.match(/"data":"AAAA"/g)).toHaveLength(1)
    expect(toClaude.match(/"data":"BBBB"/g)).toHaveLength(3)
    expect(toGpt.match(/"content":"Error: /g)).toHaveLength(2)
    expect(toClaude.match(/"is_error":true/g)).toHaveLength(3)
    expect(idsIn(lastOf(gpt).body)).toHaveLength(4)
    expect(new Set(idsIn(lastOf(gpt).body)).size).toBe(4)
  })
})

/** An answer with thinking, text and two calls, and then one that ends the run. */
function answerWithCalls(name: 'claude' | 'gpt'): void {
  if (name === 'claude') {
    const asking = eventsOf({
      stopReason: 'tool_use',
      blocks: [
        { type: 'thinking', pieces: ['Claude thinks'], signature: ['sig-claude'] },
        { type: 'redacted_thinking', data: 'gibberish' },
        { type: 'text', pieces: ['Wait.'] },
        { type: 'tool_use', id: 'toolu_1', name: 'draw', pieces: ['{"what":', '"a map"}'] },
        { type: 'tool_use', id: 'toolu_2', name: 'break', pieces: [] },
      ],
    })
    const ending = eventsOf({ blocks: [{ type: 'text', pieces: ['Done.'] }] })
    claude.enqueue(stream([toAnthropicSse(asking)]), stream([toAnthropicSse(ending)]))
    return
  }
  const asking = [
    chunk({ reasoning_content: 'GPT thinks' }),
    chunk({ content: 'Wait.' }),
    callsChunk(
      { index: 0, id: 'same-id', function: { name: 'draw', arguments: '{"what":"a map"}' } },
      { index: 1, id: 'same-id', function: { name: 'break' } },
    ),
    chunk({}, 'stop'),
  ]
  gpt.enqueue(stream([toSse(asking)]), stream([toSse([chunk({ content: 'Done.' }, 'stop')])]))
}

function tools() {
  return pageTools(createManualEnvironment(), {
    draw: () => ({ content: [{ type: 'text', text: 'A map.' }, jpeg] }),
    break: () => {
      throw new Error('It broke.')
    },
  })
}

function lastOf({ seen }: FakeAnthropicServer | FakeOpenAIServer): { readonly body: unknown } {
  const last = seen.at(-1)
  if (!last) throw new Error('The server has seen no request.')
  return last
}

/** The ids of all calls in a request to OpenAI. */
function idsIn(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body.flatMap(idsIn)
  if (!isObject(body)) return []
  return body['type'] === 'function' && 'id' in body
    ? [body['id']]
    : Object.values(body).flatMap(idsIn)
}
