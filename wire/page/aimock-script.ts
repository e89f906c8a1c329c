import type { LLMock } from '@copilotkit/aimock'

/** The answers of the server that was written by others. */
export function script(mock: LLMock): void {
  mock.on({ userMessage: 'Say hello.' }, { content: 'Hello, and 你好, to all of you.' })
  mock.on(
    { userMessage: 'Think first.' },
    { content: 'Noon.', reasoning: 'The sun is high.', reasoningSignature: 'c2lnbmVk' },
  )
  mock.on(
    { userMessage: 'What time is it?', hasToolResult: false },
    {
      content: 'I look twice.',
      toolCalls: [
        { id: 'call_a', name: 'clock', arguments: '{"city":"Київ"}' },
        { id: 'call_b', name: 'clock', arguments: '{"city":"Lima"}' },
      ],
    },
  )
  mock.on(
    { userMessage: 'What time is it?', toolResultContains: '12:00 in Lima' },
    { content: 'Noon in both.' },
  )
  for (const protocol of ['anthropic', 'openai']) {
    const userMessage = `Be busy once, ${protocol}.`
    const error = { message: 'Slow down.', type: 'rate_limit_error' }
    mock.on({ userMessage, sequenceIndex: 0 }, { error, status: 429, retryAfter: 0 })
    mock.on({ userMessage }, { content: 'Now.' })
  }
  mock.on({ userMessage: 'Talk for long.' }, { content: 'la '.repeat(200) }, { latency: 20 })
}
