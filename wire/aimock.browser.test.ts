import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { forgetFailures } from '../packages/core/src/model/http/breaker.ts'
import { type Conversation, converse } from './page/conversation.ts'
import { modelAt } from './page/models.ts'
import { protocols } from './page/visit.fixtures.ts'

beforeEach(forgetFailures)

describe.each(protocols)('%s against a server of another author', (protocol) => {
  function start(): Conversation {
    const conversation = converse(modelAt(inject('aimock'), protocol))
    onTestFinished(conversation.agent.dispose)
    return conversation
  }

  test('reads a text as it comes', async () => {
    const { agent, eventsOf } = start()

    const result = await agent.prompt('Say hello.')

    expect(result).toMatchObject({ reason: 'stop', text: 'Hello, and 你好, to all of you.' })
    expect(eventsOf('message_update').length).toBeGreaterThan(5)
  })

  test('runs two calls at once, sends both results and reads the answer', async () => {
    const { agent, ran, eventsOf } = start()

    const result = await agent.prompt('What time is it?')

    expect(result).toMatchObject({ reason: 'stop', text: 'Noon in both.' })
    expect(ran).toEqual(['Київ', 'Lima'])
    expect(eventsOf('tool_execution_start')).toMatchObject([{ batchSize: 2 }, { batchSize: 2 }])
    expect(eventsOf('tool_execution_end')).toMatchObject([
      { outcome: 'succeeded' },
      { outcome: 'succeeded' },
    ])
    const [, answer] = result.messages
    expect(answer).toMatchObject({
      stopReason: 'tool_use',
      content: [
        { type: 'text', text: 'I look twice.' },
        { toolName: 'clock', argsText: '{"city":"Київ"}' },
        { toolName: 'clock', argsText: '{"city":"Lima"}' },
      ],
    })
  })

  test('keeps thinking apart from the answer, and continues after it', async () => {
    const { agent } = start()

    const thought = await agent.prompt('Think first.')
    const next = await agent.prompt('Say hello.')

    expect(thought).toMatchObject({ reason: 'stop', text: 'Noon.' })
    expect(thought.messages[1]).toMatchObject({
      content: [{ type: 'thinking', text: 'The sun is high.' }, { type: 'text' }],
    })
    expect(next).toMatchObject({ reason: 'stop', text: 'Hello, and 你好, to all of you.' })
  })

  test('is refused once for too many requests, and repeats the request', async () => {
    const { agent, eventsOf } = start()

    const result = await agent.prompt(`Be busy once, ${protocol}.`)

    expect(result).toMatchObject({ reason: 'stop', text: 'Now.' })
    expect(eventsOf('auto_retry_start')).toMatchObject([
      { attempt: 2, error: { kind: 'rate_limited', status: 429 } },
    ])
    expect(eventsOf('auto_retry_end')).toMatchObject([{ success: true }])
  })

  test('stops in the middle of an answer, and keeps its text', async () => {
    const { agent } = start()
    agent.subscribe((event) => {
      if (event.type === 'message_update' && event.assistantMessageEvent.type === 'text_delta') {
        agent.abort()
      }
    })

    const result = await agent.prompt('Talk for long.')

    expect(result.reason).toBe('aborted')
    expect(result.text).toMatch(/^l/)
    expect(result.text.length).toBeLessThan(100)
  })

  test('gets an error for a request that the server has no answer for', async () => {
    const { agent } = start()

    expect(await agent.prompt('What is nowhere in the script?')).toMatchObject({
      reason: 'error',
      error: { status: 404, retryable: false },
    })
  })
})
